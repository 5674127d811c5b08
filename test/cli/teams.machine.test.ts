import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Ended, Place } from './agon.js'

/** Two against two: each says a number, and the team with the greater sum wins. Bots draw theirs, so that two of a team differ. */
const GAME = `export default { game: {
  id: 'sums', version: 1, seats: { min: 4, max: 4 }, options: {},
  teams: () => [[0, 2], [1, 3]],
  setup: () => ({ said: null }),
  toMove: ({ said }) => (said === null ? [0, 1, 2, 3] : []),
  view: () => ({}),
  legal: () => Array.from({ length: 1000 }, (_, n) => String(n)),
  play: (_, moves) => ({ said: moves.map((move) => (typeof move === 'string' ? Number(move) : 0)) }),
  outcome: ({ said }) => {
    if (said === null) return undefined
    const sums = [0, 1, 2, 3].map((seat) => said[seat] + said[(seat + 2) % 4])
    return { place: sums.map((own) => 1 + sums.filter((other) => other > own).length), reason: 'counted', tally: { said } }
  },
}, title: 'Sums', summary: 'Say a number' }
`
const bot = (most: number) => `export default (_, chance) => String(${most} + chance.below(100))\n`
const place = new Place({
  'sums.mjs': GAME,
  'low.js': bot(0),
  'high.js': bot(800),
  'middle.js': bot(200),
  'talk.py': `import json, sys\nfor line in sys.stdin:\n    if json.loads(line)["type"] == "ask":\n        print(json.dumps({"action": "300"}), flush=True)\n`,
})
const contest = (format: string, entrants: readonly string[]) =>
  `game = "./sums.mjs"\nseed = "a seed of teams, long"\nmemory = "match"\n[format]\n${format}\n${entrants
    .map((line, n) => `[[entrants]]\nname = "${['Ant', 'Bee', 'Cat', 'Dog'][n]}"\n${line}\n`)
    .join('')}`
const BOTS = ['module = "low.js"', 'module = "high.js"', 'command = ["python3", "talk.py"]', 'module = "middle.js"']
interface Document {
  readonly matches: number
  readonly standings: readonly { readonly name: string; readonly points: number }[]
}
const documentOf = ({ stdout }: Ended): Document => JSON.parse(stdout) as Document
const tableOf = (ended: Ended) => documentOf(ended).standings.map(({ name, points }) => `${name} ${points}`)

it('lets each entrant have all seats of a team, in a run, its table, its records, its archive and its report', async () => {
  place.write('whole.toml', contest('kind = "round-robin"\nby = "team"\nrepetitions = 2', BOTS))
  const run = await place.agon(['run', 'whole.toml', '--trust', '--json', '--out', 'whole'])
  expect(run.status, run.stderr).toBe(0)
  expect(tableOf(run)).toEqual(['Bee 6', 'Cat 4', 'Dog 2', 'Ant 0'])
  expect(tableOf(await place.agon(['standings', 'whole.toml', '--json']))).toEqual(tableOf(run))
  const again = await place.agon(['run', 'whole.toml', '--trust', '--resume', '--out', 'whole'])
  expect(again.stdout).toContain('Points by opponent')
  const lines = readFileSync(place.path('whole/records.jsonl'), 'utf8').trim().split('\n')
  const records = lines.map((line) => JSON.parse(line) as { seats: { entrant: string }[]; steps: [number, string][][] })
  expect(records).toHaveLength(12)
  for (const { seats } of records) {
    const [a, b, c, d] = seats.map(({ entrant }) => entrant)
    expect([a === c, b === d, a === b]).toEqual([true, true, false])
  }
  // Each of the two seats is a bot of its own, with chance of its own.
  const answers = records.flatMap(({ seats, steps }) =>
    seats[0]?.entrant === 'Bee' ? [[steps[0]?.[0]?.[1], steps[0]?.[2]?.[1]]] : [],
  )
  expect(answers.some(([first, second]) => first !== second)).toBe(true)
  for (const args of [
    ['verify', 'whole'],
    ['show', 'whole.toml', 'Bee', '--json'],
    ['report', 'whole.toml'],
  ]) {
    const ended = await place.agon([...args, '--game', './sums.mjs'])
    expect(ended.status, ended.stderr).toBe(0)
  }
  for (const args of [
    ['rank', 'whole.toml'],
    ['export', 'whole.toml', 'whole.agon'],
    ['import', 'whole.agon', '--workspace', 'other', '--game', './sums.mjs'],
  ]) {
    const ended = await place.agon(args)
    expect(ended.status, ended.stderr).toBe(0)
  }
})

it('draws entrants into teams, whose matches count by team', async () => {
  place.write('drawn.toml', contest('kind = "groups"\nsize = 4\nrepetitions = 3', BOTS))
  const run = await place.agon(['run', 'drawn.toml', '--trust', '--json', '--out', 'drawn'])
  expect(run.status, run.stderr).toBe(0)
  // Bee wins with each mate, and these with it: each is its mate in a third of the twelve matches.
  expect(tableOf(run)[0]).toBe('Bee 12')
  expect(
    tableOf(run)
      .slice(1)
      .map((line) => line.slice(4)),
  ).toEqual(['4', '4', '4'])
})
