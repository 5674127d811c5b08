import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { type Ended, Place } from './agon.js'

const place = new Place()
place.write(
  'friday/contest.toml',
  'title = "Friday"\ngame = "samurai"\nentrants = "*/bot.toml"\n[options]\nturns = 3\n[format]\nkind = "round-robin"\nrepetitions = 1\n',
)
/** A bot that makes these moves, over and over. */
const bot = (name: string, moves: string) => {
  const toml = `name = "${name}"\nmodule = "bot.mjs"\nfolder = "."\n`
  place.write(`friday/${name}/bot.toml`, toml)
  place.write(`friday/${name}/README.md`, `# ${name}\n`)
  place.write(
    `friday/${name}/bot.mjs`,
    `export default ({ history }) => '${moves}'[history.length % ${moves.length}]\n`,
  )
}

interface Document {
  readonly played: number
  readonly reused: number
  readonly seed: string
  readonly standings: readonly { readonly name: string; readonly points: number }[]
}
const friday = (...more: string[]) =>
  place.agon(['run', 'friday', '--unsafe-no-isolation', '--trust', '--jobs', '1', '--json', ...more])
const documentOf = ({ status, stdout, stderr }: Ended): Document => {
  expect(status, stderr).toBe(0)
  return JSON.parse(stdout) as Document
}
const counts = ({ played, reused, standings }: Document) => [played, reused, standings.length]

/** Of all results that lie here, those of the run with that seed. */
const recordsOf = (seed: string): string =>
  readdirSync(place.folder, { recursive: true, encoding: 'utf8' }).find((file) =>
    file.endsWith(`-${seed.slice(0, 8)}/records.jsonl`),
  ) ?? ''

let first: Document
beforeAll(async () => {
  for (const [name, moves] of [
    ['Ant', 'BO'],
    ['Bee', 'BBO'],
    ['Cat', 'G'],
  ] as const)
    bot(name, moves)
  // A seed of its own: a test that fails can be repeated as it was.
  first = documentOf(await friday('--seed', '5eed0f0123456789abcdef0123456789'))
}, 60_000)

it('goes on in the same run, folder and seed as bots come, change and go', async () => {
  expect(counts(first)).toEqual([first.played, 0, 3])
  // Each pair meets as often.
  const each = first.played / 3
  bot('Dog', 'W')
  const joined = await friday()
  expect(counts(documentOf(joined))).toEqual([3 * each, 3 * each, 4])
  expect(joined.stderr).toContain(`(new: Dog): ${3 * each} of its ${3 * each} matches are of bots that stay`)
  expect(documentOf(joined).seed).toBe(first.seed)

  bot('Bee', 'GBO')
  const changed = await friday()
  expect(counts(documentOf(changed))).toEqual([3 * each, 3 * each, 4])
  expect(changed.stderr).toContain('(changed: Bee)')

  rmSync(place.path('friday', 'Cat'), { recursive: true })
  const left = await friday('--resume')
  expect(counts(documentOf(left))).toEqual([0, 3 * each, 3])
  expect(left.stderr).toContain('(withdrawn: Cat)')

  const runs = await place.agon(['runs', '--json'])
  expect((JSON.parse(runs.stdout) as unknown[]).length, 'one run').toBe(1)
  const anew = documentOf(await friday('--seed', first.seed, '--workspace', 'anew', '--out', 'anew-out'))
  expect(documentOf(left).standings).toEqual(anew.standings)
  expect(anew.played).toBe(3 * each)

  bot('Bee', 'BBO')
  bot('Cat', 'G')
  expect(counts(documentOf(await friday())), 'who comes back is not played again').toEqual([0, 6 * each, 4])
}, 120_000)

it('is the same bot with another README', async () => {
  const before = documentOf(await friday())
  place.write('friday/Ant/README.md', '# Ant, who bows and strikes\n')
  const after = await friday()
  expect(counts(documentOf(after))).toEqual([0, before.reused, before.standings.length])
  expect(after.stderr).not.toContain('changed')
}, 60_000)

it('plays a module anew with other parameters, and names them in its records', async () => {
  place.write(
    'moves/eve.mjs',
    "export const parameters = { move: 'B' }\nexport default (_view, _chance, _legal, { move }) => move\n",
  )
  const moves = (move: string) => {
    place.write(
      'moves/contest.toml',
      `game = "samurai"\nhouse = ["Metronome", "Dice"]\n[options]\nturns = 3\n[[entrants]]\nname = "Eve"\nmodule = "eve.mjs"\nwith = { move = "${move}" }\n`,
    )
    return place.agon([
      'run',
      'moves',
      '--unsafe-no-isolation',
      '--trust',
      '--jobs',
      '1',
      '--json',
      '--workspace',
      'own',
    ])
  }
  const { played, seed } = documentOf(await moves('W'))
  const changed = await moves('G')
  // Of three pairs two are hers.
  expect(counts(documentOf(changed))).toEqual([(2 * played) / 3, played / 3, 3])
  expect(changed.stderr).toContain('(changed: Eve)')
  const records = readFileSync(place.path(recordsOf(seed)), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { seats: { entrant: string }[]; with?: unknown[] })
  expect(records.filter(({ with: given }) => given !== undefined)).toHaveLength((2 * played) / 3)
  for (const { seats, with: given } of records) {
    const own = seats.map(({ entrant }) => (entrant === 'Eve' ? { move: 'G' } : null))
    expect(given).toEqual(own.some((one) => one !== null) ? own : undefined)
  }
  expect(documentOf(await moves('W')).played, 'who changes back is not played again').toBe(0)
}, 120_000)

it('begins afresh with --fresh, and plays nothing that is stored', async () => {
  const before = documentOf(await friday())
  const fresh = documentOf(await friday('--fresh'))
  expect([fresh.played, fresh.reused, fresh.seed]).toEqual([0, before.reused, before.seed])
  expect(fresh.standings).toEqual(before.standings)
  const runs = await place.agon(['runs', '--json'])
  expect((JSON.parse(runs.stdout) as unknown[]).length).toBe(1)
}, 60_000)

it('is reported where a folder holds no contest', async () => {
  place.write('empty/notes.txt', '')
  const none = await place.agon(['run', 'empty/'])
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('a folder without a contest.toml')])
})
