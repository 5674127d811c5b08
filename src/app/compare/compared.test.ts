import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isRunning, sleeperIn } from '../../../test/kit/sleeper.js'
import { UserError } from '../../core/index.js'
import { compareVersions } from './diff.js'
import { runContest } from '../run/run.js'
import { findTwins, twinsDocument } from './twins.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-compared-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Modules by entrant's name: what each moves on a turn, from 1. */
const BOTS = {
  Bow: `'GBB'.charAt(view.turn % 3)`,
  Copy: `(view.turn % 3 === 0 ? 'G' : 'B')`,
  Guard: `(view.turn % 2 === 0 ? 'G' : 'W')`,
}
const fileOf = (name: string, move: string): string => {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, `export default (view) => ${move}\n`)
  return file
}
const contest = join(folder, 'dojo.toml')
const context = { workspace: join(folder, 'workspace'), notice: () => undefined }
const OPTIONS = { noIsolation: true }

beforeAll(async () => {
  const entrants = Object.entries(BOTS).map(([name, move]) => {
    fileOf(name, move)
    return `[[entrants]]\nname = "${name}"\nmodule = "${name}.mjs"\n`
  })
  writeFileSync(
    contest,
    `title = "Dojo"\ngame = "samurai"\nseed = "1"\n[options]\nturns = 9\n[limits]\nturn = 20000\n[format]\nkind = "round-robin"\nrepetitions = 2\nswap = false\n${entrants.join('')}`,
  )
  await runContest(contest, { ...OPTIONS, jobs: 1, timed: 1, out: join(folder, 'out') }, context)
})

describe('a new version in the seats of the old one', () => {
  it('differs nowhere where it does the same in other words', async () => {
    const compared = await compareVersions({ contest, old: 'bow', word: join(folder, 'Copy.mjs') }, OPTIONS, context)
    expect(compared).toMatchObject({ contest: 'Dojo', old: 'Bow', matches: 4, differing: [] })
    expect(compared.moves).toBeGreaterThan(4)
  })

  it('differs from the named turn on, once in a match', async () => {
    const file = fileOf('changed', `(view.turn === 2 ? 'G' : 'GBB'.charAt(view.turn % 3))`)
    const { differing, matches, moves } = await compareVersions({ contest, old: 'Bow', word: file }, OPTIONS, context)
    expect(differing.map(({ turn, was, is }) => ({ turn, was, is }))).toEqual(
      Array.from({ length: 4 }, () => ({ turn: 2, was: 'B', is: 'G' })),
    )
    expect([matches, moves, new Set(differing.map(({ match }) => match)).size]).toEqual([4, 8, 4])
  })

  it.each<[{ name?: string; contest?: string; run?: string }, RegExp]>([
    [{ name: 'Bows' }, /^no entrant "Bows" \(did you mean "Bow"\?\)/],
    [{ contest: join(folder, 'dojos.toml') }, /holds no run of /],
    [{ run: 'x' }, /^no run of .* is "x"/],
  ])('is a mistake of %j', async ({ name = 'Bow', contest: ref = contest, ...more }, message) => {
    const asked = compareVersions(
      { contest: ref, old: name, word: join(folder, 'Copy.mjs') },
      { ...OPTIONS, ...more },
      context,
    )
    await expect(asked).rejects.toThrow(UserError)
    await expect(asked).rejects.toThrow(message)
  })

  it('ends when the signal is aborted, though its time is not up, and takes the bot along', async () => {
    const controller = new AbortController()
    const sleeper = sleeperIn(folder)
    const compared = compareVersions({ contest, old: 'Bow', word: sleeper.command }, OPTIONS, {
      ...context,
      signal: controller.signal,
    })
    const ended = compared.catch((error: unknown) => error)
    const pid = await sleeper.asked()
    controller.abort(new Error('given up'))
    expect(await ended).toEqual(new Error('given up'))
    expect(isRunning(pid)).toBe(false)
  })
})

describe('twins', () => {
  it('puts the pair first that moves the same', async () => {
    const twins = await findTwins(contest, { ...OPTIONS, views: 30 }, context)
    expect(twins).toMatchObject({ title: 'Dojo', names: Object.keys(BOTS) })
    expect(twins.views).toBeLessThanOrEqual(30)
    expect(twins.pairs[0]).toMatchObject({ pair: [0, 1], agreement: 1 })
    expect(twinsDocument(twins)).toMatchObject({ contest: 'Dojo', pairs: [{ pair: ['Bow', 'Copy'] }, {}, {}] })
  })

  it('end when the signal is aborted', async () => {
    const signal = AbortSignal.abort(new Error('given up'))
    await expect(findTwins(contest, { ...OPTIONS, views: 30 }, { ...context, signal })).rejects.toThrow('given up')
  })

  it('take three bots', async () => {
    const two = join(folder, 'two', 'dojo.toml')
    mkdirSync(join(folder, 'two'))
    const text = readFileSync(contest, 'utf8').replaceAll('module = "', `module = "${folder}/`)
    writeFileSync(two, text.slice(0, text.lastIndexOf('[[entrants]]')))
    await runContest(two, { ...OPTIONS, jobs: 1, timed: 1, out: join(folder, 'two', 'out') }, context)
    const asked = findTwins(two, { ...OPTIONS, views: 30 }, context)
    await expect(asked).rejects.toThrow(UserError)
    await expect(asked).rejects.toThrow(/^2 bots of the run can play/)
  })
})
