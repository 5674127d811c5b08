import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { UserError } from '../../core/index.js'
import { type Store, openStore } from '../../store/index.js'
import type { Context } from '../context.js'
import type { RunOutcome } from './table.js'
import { runContest } from './run.js'
import type { RunEvent, RunOptions } from './options.js'
import { VERSION } from '../version.js'

const root = mkdtempSync(join(tmpdir(), 'agon-run-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A bot that always makes this move, late in its turn, and prints a line before and after it waited. */
const printing = (move: string, line: string) => `export default async () => {
  console.log('${line} is asked')
  await new Promise((done) => setTimeout(done, 1))
  console.log('${line} answers')
  return '${move}'
}
`
const quiet = (move: string) => `export default () => '${move}'\n`

interface Place extends Context {
  readonly folder: string
  readonly file: string
  readonly out: string
  readonly notices: readonly string[]
}

/** A folder with a contest of these modules by entrant's name, each pair meeting so often, and a workspace. */
function placeOf(
  name: string,
  modules: Readonly<Record<string, string>>,
  signal?: AbortSignal,
  repetitions = 2,
): Place {
  const folder = join(root, name)
  const bots = Object.keys(modules).map((bot) => `[[entrants]]\nname = "${bot}"\nmodule = "${bot}.mjs"\n`)
  mkdirSync(folder)
  for (const [bot, text] of Object.entries(modules)) writeFileSync(join(folder, `${bot}.mjs`), text)
  writeFileSync(
    join(folder, 'contest.toml'),
    `title = "${name}"\ngame = "samurai"\nseed = "a seed of ${name}"\n[options]\nturns = 3\n[limits]\nturn = 20000\n[format]\nkind = "round-robin"\nrepetitions = ${repetitions}\nswap = false\n${bots.join('')}`,
  )
  const notices: string[] = []
  const [file, out, workspace] = ['contest.toml', 'out', 'workspace'].map((part) => join(folder, part)) as [
    string,
    string,
    string,
  ]
  return { folder, file, out, workspace, notices, notice: (text) => notices.push(text), signal }
}

const ALONE = { noIsolation: true, jobs: 1, timed: 1 } as const
const run = (place: Place, options: RunOptions = {}, on?: (news: RunEvent) => void): Promise<RunOutcome> =>
  runContest(place.file, { ...ALONE, out: place.out, ...options }, place, on)

interface Interrupted {
  readonly place: Place
  readonly stopped: RunOutcome
}

/** A run of three bots that was ended after so many matches. */
async function interrupted(name: string, after: number): Promise<Interrupted> {
  const controller = new AbortController()
  const place = placeOf(name, THREE, undefined, OFTEN)
  let matches = 0
  const stopped = await runContest(
    place.file,
    { ...ALONE, out: place.out },
    { ...place, signal: controller.signal },
    ({ type }) => {
      if (type === 'match' && ++matches === after) controller.abort()
    },
  )
  return { place, stopped }
}

async function withStoreOf(place: Place, work: (store: Store) => Promise<void>): Promise<void> {
  const store = openStore(place.workspace, VERSION)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

const THREE = { Bow: quiet('B'), Wait: quiet('W'), Strike: quiet('O') }
/** 3 pairs, twice. */
const MATCHES = 6
/** So often do pairs meet in a run that is ended in its middle: some matches that are under way are still played. */
const OFTEN = 50
const MANY = 3 * OFTEN

it('gives the table, and tells what happens in order', async () => {
  const place = placeOf('three', THREE)
  const news: RunEvent[] = []
  const archive = join(place.out, 'results.json')
  const outcome = await run(place, {}, (one) => {
    news.push(one)
    if (one.type === 'table') expect(existsSync(archive), 'the table is told before the archive is written').toBe(false)
  })
  expect(news.map(({ type }) => type)).toEqual([
    'admitted',
    'began',
    'round',
    ...Array<string>(MATCHES).fill('match'),
    'ended',
    'table',
    // Of none of the records, and after each of them.
    ...Array<string>(1 + MATCHES).fill('reported'),
  ])
  expect(news.find(({ type }) => type === 'table')).toEqual({ type: 'table', outcome })
  expect(news.at(-1)).toEqual({ type: 'reported', progress: { doing: 'report', done: MATCHES, total: MATCHES } })
  expect(news[1]).toMatchObject({ type: 'began', run: { out: place.out } })
  expect(outcome.result).toMatchObject({ played: MATCHES, reused: 0, finished: true })
  // A second strike brings the honour below 0, which loses; who bows and who waits draw: 2 wins and 2 draws for each of them.
  const points = Object.fromEntries(outcome.standings.rows.map((row) => [row.name, row.points]))
  expect(points).toEqual({ Bow: 3, Wait: 3, Strike: 0 })
  expect([...outcome.faults]).toEqual([])
  expect(JSON.parse(readFileSync(archive, 'utf8'))).toEqual(JSON.parse(JSON.stringify(outcome.document)))
  expect(place.notices.some((text) => text.startsWith('no isolation'))).toBe(true)
})

describe('two contests side by side in one process', () => {
  it('keep their own results, and what their bots print', async () => {
    const [one, two] = [
      placeOf('left', { Left: printing('B', 'left'), Strike: quiet('O') }),
      placeOf('right', { Right: printing('W', 'right'), Strike: quiet('O') }),
    ]
    const [left, right] = await Promise.all([run(one), run(two)])
    const pages = [left, right].map(({ standings, result, run: { contest } }) => ({
      title: contest.title,
      table: standings.rows.map(({ name, points }) => [name, points]),
      printed: [...result.stderr].flatMap(([name, text]) => (text === '' ? [] : [[name, text.trim().split('\n')]])),
    }))
    // Two matches of two turns each: after the second Strike has lost.
    const pageOf = (title: string, name: string) => ({
      title,
      table: [
        [name, 2],
        ['Strike', 0],
      ],
      printed: [[name, Array.from({ length: 4 }, () => [`${title} is asked`, `${title} answers`]).flat()]],
    })
    expect(pages).toEqual([pageOf('left', 'Left'), pageOf('right', 'Right')])
    expect(readFileSync(join(one.out, 'logs', 'Left.stderr.txt'), 'utf8')).not.toContain('right')
  })
})

describe('a run whose signal is aborted', () => {
  it('leaves nothing where that is before the first match', async () => {
    const place = placeOf('early', THREE, AbortSignal.abort(new Error('given up')))
    await expect(run(place)).rejects.toThrow('given up')
    await withStoreOf(place, async (store) => expect(await store.runs()).toEqual([]))
  })

  it('ends whole, with an archive and no match, where that is when it is settled who plays', async () => {
    const controller = new AbortController()
    const place = placeOf('settled', THREE, controller.signal)
    const stopped = await run(place, {}, ({ type }) => {
      if (type === 'admitted') controller.abort()
    })
    expect(stopped.result).toMatchObject({ finished: false, played: 0 })
    await withStoreOf(place, async (store) => {
      const [only, ...more] = await store.runs()
      expect([only?.out, more]).toEqual([place.out, []])
      expect((await store.log(only?.id ?? '')).map(({ what }) => what)).toContain('interrupted')
    })
  })

  it('keeps what was played, and goes on with what is missing', async () => {
    const { place, stopped } = await interrupted('middle', 3)
    expect(stopped.result).toMatchObject({ finished: false, reused: 0 })
    expect(stopped.result.played).toBeGreaterThanOrEqual(3)
    // How many more are under way depends on the machine: they may be all.
    expect(stopped.result.played).toBeLessThanOrEqual(MANY)
    const news: RunEvent[] = []
    const resumed = await run(place, { resume: true }, (one) => news.push(one))
    const { played } = stopped.result
    expect(resumed.result).toMatchObject({ played: MANY - played, reused: played, finished: true })
    expect(news.flatMap((one) => (one.type === 'match' ? [one.reused] : []))).toEqual(
      Array.from({ length: MANY }, (_, i) => i < played),
    )
    const whole = await run(placeOf('whole', THREE, undefined, OFTEN), { seed: resumed.run.seed })
    expect(resumed.standings).toEqual(whole.standings)
  })
})

it.each<[string, RunOptions, RegExp]>([
  [
    'an entrant that is not there',
    { only: ['Bo'] },
    /^no entrant "Bo" \(did you mean "Bow"\?\); there are Bow, Wait, Strike$/,
  ],
  ['to resume and to begin afresh at once', { resume: true, fresh: true }, /contradict each other/],
  ['a budget without places', { budget: 9 }, /need the option "untilSettled"/],
])('is a mistake to ask for %s', async (what, options, message) => {
  const asked = run(placeOf(what, THREE), options)
  await expect(asked).rejects.toThrow(UserError)
  await expect(asked).rejects.toThrow(message)
})

it('an entrant that was checked before is not asked its first question again', async () => {
  const three = { Bee: quiet('B'), Cat: quiet('G'), Mute: `export default () => { throw new Error('nothing') }\n` }
  const leftOut = async (name: string, options: Partial<RunOptions>) => {
    const place = placeOf(name, three)
    return (await run(place, options)).leftOut.map((one) => one.name)
  }
  expect(await leftOut('asked', {})).toEqual(['Mute'])
  expect(await leftOut('checked', { checked: new Set(['Mute']) })).toEqual([])
})
