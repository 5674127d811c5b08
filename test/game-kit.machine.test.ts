import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { Place } from './cli/agon.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const place = new Place({})
const folder = place.path('plum-bid')
let said = ''

beforeAll(async () => {
  const made = await place.agon(['new', 'game', 'plum-bid'])
  if (made.status !== 0) throw new Error(made.stderr)
  said = made.stdout
})

/** The program of a package that the repository's own tests use. */
const program = (name: string, path: string): string =>
  join(dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`))), path)

function started(file: string, words: readonly string[]): readonly [number | null, string] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], { cwd: folder, encoding: 'utf8' })
  return [status, status === 0 ? '' : stdout + stderr]
}

it('in Python has bots that play by the commands that are printed', async () => {
  await place.agon(['new', 'game', 'quince', '--language', 'python'])
  const bots = ['quince/bots/even.py', 'quince/bots/dice.py']
  const { status, stdout } = await place.agon(['match', './quince/game.py', ...bots, '--seed', 'a', '--json'])
  const { steps } = JSON.parse(stdout) as { steps: [number, unknown][][] }
  expect(status).toBe(0)
  expect(steps.flat().map(([, output]) => output)).toEqual(
    Array.from({ length: 10 }, () => expect.stringMatching(/^\{"action": "[1-5]"\}$/) as unknown),
  )
})

describe('a new game', () => {
  it('has nothing left of its template, and its tests report in a few lines', () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name), 'utf8')).not.toMatch(/__[A-Z]/)
    expect(said).toContain('game.test.ts, game.ts')
    expect(readFileSync(join(folder, 'RULES.md'), 'utf8')).toMatch(/^# Plum bid\n/)
  })

  it('keeps the contract, leaks included, and says so of random games', async () => {
    const { status, stdout } = await place.agon(['test', 'game', 'plum-bid/game.ts', '--games', '120', '--json'])
    const tested = JSON.parse(stdout) as { ok: boolean; leaks: boolean; games: number; notes: string[] }
    expect([status, tested.ok, tested.leaks, tested.games, tested.notes]).toEqual([0, true, true, 120, []])
  })

  it('runs as a folder, without a fault, and its records are judged again', async () => {
    const ran = await place.agon(['run', 'plum-bid', '--json', '--seed', 'plums-and-more-plums', '--out', 'out'])
    const { game, standings, played, faults } = JSON.parse(ran.stdout) as {
      game: string
      standings: { name: string; points: number }[]
      played: number
      faults: object
    }
    expect([game, played, faults]).toEqual(['plum-bid', 20, {}])
    // Who bids what a prize is worth is seldom outbid for much.
    expect(standings[0]?.name).toBe('Even')
    const verified = await place.agon(['verify', 'out', '--game', 'plum-bid/game.ts'])
    expect(verified.stdout).toMatch(/^20 of 20 records agree\n/)
  })

  it('passes its own tests in vitest, and has types without a cast', { timeout: 60_000 }, () => {
    mkdirSync(join(folder, 'node_modules'))
    for (const [name, path] of [
      ['agon', root],
      ['vitest', program('vitest', '')],
    ] as const)
      symlinkSync(path, join(folder, 'node_modules', name))
    expect(started(program('vitest', 'vitest.mjs'), ['run'])).toEqual([0, ''])
    const options = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--skipLibCheck']
    const more = ['--module', 'nodenext', '--target', 'es2022', '--types', '']
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.startsWith('node_modules'),
    )
    expect(started(program('typescript', 'bin/tsc'), [...options, ...more, ...sources])).toEqual([0, ''])
  })

  it('has tests that fail where a rule is broken', { timeout: 60_000 }, () => {
    const file = join(folder, 'rules.ts')
    const rules = readFileSync(file, 'utf8')
    place.write(
      'plum-bid/rules.ts',
      rules.replace('Math.min(...hand) : Number(move)', 'Math.max(...hand) : Number(move)'),
    )
    const [status, out] = started(program('vitest', 'vitest.mjs'), ['run'])
    place.write('plum-bid/rules.ts', rules)
    expect([status, out]).toEqual([1, expect.stringContaining('prices a fault as the lowest card (rule 4)')])
  })

  it('is refused under a name that cannot be a game’s id', async () => {
    for (const [name, why] of [
      ['Plum', "cannot be a game's id"],
      ['a--b', "cannot be a game's id"],
      ['../x', "cannot be a game's id"],
      ['samurai', 'comes with agon'],
      ['plum-bid', 'there is already something called plum-bid'],
    ] as const) {
      const { status, stderr } = await place.agon(['new', 'game', name])
      expect([status, stderr.split('\n').length]).toEqual([2, 2])
      expect(stderr).toContain(why)
    }
  })
})
