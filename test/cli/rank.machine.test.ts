import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Ended, Place } from './agon.js'

const games = (...rows: readonly (readonly [string, number])[]) =>
  `first,second,score\n${rows.flatMap(([row, times]) => Array<string>(times).fill(row)).join('\n')}\n`
const ENTRANT = (name: string) => `[[entrants]]\nname = "${name}"\nmodule = "${name.toLowerCase()}.js"\n`

const place = new Place({
  'rps.csv': games(['rock,scissors,1', 30], ['scissors,paper,1', 30], ['paper,rock,1', 30]),
  'lone.csv': games(['A,"B, the second",1', 9], ['"B, the second",C,1', 9]),
  'two.csv': games(['A,B,1', 30], ['A,B,0.5', 5], ['A,B,0', 10]),
  'wrong.csv': 'first,second,score\r\nA,B,1\r\n\r\nA,B,won\r\n',
  'same.csv': 'first,second,score\nA,A,1\n',
  'short.csv': 'first,second,score\nA,B\n',
  'head.csv': 'A,B,1\n',
  'open.csv': 'first,second,score\n"A,B,1\n',
  'open-inside.csv': 'first,second,score\nA,B,1\n\n"C,D,1\nE,F,1\n"G",H,1\n',
  'over-lines.csv': '\ufefffirst, second ,score\r\n \r\n"C,D,1\r\nE","F",1\r\n',
  'middle.csv': 'first,second,score\nA,B"b,1\n',
  'none.csv': 'first,second,score\n',
  'fixed.toml': `title = "Fixed"\ngame = "samurai"\nseed = "1"\nmemory = "match"\n[options]\nturns = 6\n[format]\nkind = "round-robin"\nrepetitions = 6\n${['Bow', 'Wait', 'Guard'].map(ENTRANT).join('')}`,
  'bow.js': `export default () => 'B'\n`,
  'wait.js': `export default () => 'W'\n`,
  'guard.js': `export default () => 'G'\n`,
})

interface Line {
  rank: number
  name: string
  rating: number
  weight: number
  low: number
  high: number
  first: number
  points?: number
  flags?: string[]
  superior?: number
}
interface Document {
  matches: number
  distinct: number
  standings: Line[]
  rules: { by: string; standings: Line[] }[]
  crown: { name: string; by: string[] }[]
  cycles: { members: string[]; confidence: number }[]
  equalLuck?: { blocks: number; saved: number }
}
const documentOf = ({ stdout, stderr }: Ended): Document => {
  expect(stdout, stderr).toMatch(/^\{/)
  return JSON.parse(stdout) as Document
}
const rank = async (source: string, ...args: string[]) =>
  documentOf(await place.agon(['rank', source, '--json', ...args]))

describe('agon rank of a file of games', () => {
  it('gives rock, paper and scissors a third of the equilibrium each, and lists their cycle', async () => {
    const { standings, cycles } = await rank('rps.csv', '--by', 'nash')
    expect(standings.map(({ weight }) => Math.round(weight * 1000))).toEqual([333, 333, 333])
    for (const { weight, low, high } of standings) expect([low < weight, weight < high]).toEqual([true, true])
    expect(cycles).toHaveLength(1)
    expect(cycles[0]?.members).toEqual(['paper', 'rock', 'scissors'])
    expect(cycles[0]?.confidence).toBeGreaterThan(0.99)
  })

  it('flags who never lost and who never won, and reads names in quotes', async () => {
    const { standings, matches, distinct } = await rank('lone.csv', '--by', 'elo')
    expect([matches, distinct]).toEqual([18, 18])
    expect(standings.map(({ name, flags }) => [name, flags])).toEqual([
      ['A', ['unbeaten']],
      ['B, the second', undefined],
      ['C', ['winless']],
    ])
    expect(standings.map(({ superior }) => superior === undefined)).toEqual([false, false, true])
    const { stdout } = await place.agon(['rank', 'lone.csv', '--by', 'elo'])
    expect(stdout).toMatch(/A +\+\d+ +\+\d+ … \+\d+ +\d[\d.]* % +1–2 +9\d[\d.]* % +unbeaten\n/)
  })

  it('shows several rules side by side, and how far the crown depends on them', async () => {
    const { rules, crown } = await rank('two.csv', '--by', 'points,elo', '--by', 'alpha-rank')
    expect(rules.map(({ by }) => by)).toEqual(['points', 'elo', 'alpha-rank'])
    expect(rules[0]?.standings.map(({ name, rating }) => [name, Math.round(rating * 1000)])).toEqual([
      ['A', 722],
      ['B', 278],
    ])
    expect(crown).toEqual([{ name: 'A', by: ['points', 'elo', 'alpha-rank'] }])
    const { stdout } = await place.agon(['rank', 'rps.csv'])
    expect(stdout).toContain('First by every rule here, shared: paper, rock, scissors.')
  })

  it.each([
    ['wrong.csv', 'wrong.csv:4: the score is 1, 0.5 or 0, and here it is "won"'],
    ['same.csv', 'same.csv:2: "A" plays against itself'],
    ['short.csv', 'short.csv:2: 2 cells, and a game has 3: first,second,score'],
    ['head.csv', 'head.csv:1: the first line has to be "first,second,score"'],
    ['open.csv', 'open.csv:2: a quote is not closed, or stands in the middle of a cell'],
    ['open-inside.csv', 'open-inside.csv:4: a quote is not closed, or stands in the middle of a cell'],
    ['over-lines.csv', 'over-lines.csv:3: a quote is not closed, or stands in the middle of a cell'],
    ['middle.csv', 'middle.csv:2: a quote is not closed, or stands in the middle of a cell'],
    ['none.csv', 'none.csv holds no games: lines of first,second,score below such a heading'],
    ['gone.csv', 'gone.csv: no such file; its lines would be first,second,score'],
  ])('tells what is wrong with %s', async (file, message) => {
    const { status, stdout, stderr } = await place.agon(['rank', file])
    expect([status, stdout, stderr]).toEqual([2, '', `agon: ${message}\n`])
  })

  it('refuses a rule that it does not know, and guesses', async () => {
    const { status, stderr } = await place.agon(['rank', 'two.csv', '--by', 'points,elu'])
    expect([status, stderr]).toEqual([
      2,
      'agon: --by elu: no such rule (did you mean "elo"?); there are points, elo, plackett-luce, last-standing, ecological, nash, alpha-rank\n',
    ])
  })
})

describe('agon rank of a contest', () => {
  let table = ''
  beforeAll(async () => {
    const { status, stdout, stderr } = await place.agon(['run', 'fixed.toml', '--trust', '--out', 'fixed'])
    if (status !== 0) throw new Error(stderr)
    table = stdout
  })

  it("has its strengths and what they cannot tell beside the run's own table", async () => {
    expect(table).toMatch(/#  Name +Points +Elo +95 % interval\n/)
    expect(table).toMatch(/^1  \w+ +[\d.]+ +\+?\d+ +−\d+ … \+\d+$/m)
    expect(table).toMatch(/^Less than 97\.5 % sure: \w+ over \w+ \(50 %\); \w+ over \w+ \(8\d %\)\.$/m)
    const { elo, standings } = JSON.parse(readFileSync(place.path('fixed', 'results.json'), 'utf8')) as {
      elo: { rows: Line[]; neighbours: { upper: string; superior: number }[] }
      standings: Line[]
    }
    expect(elo.rows.map(({ name }) => name)).toEqual(standings.map(({ name }) => name))
    const ranked = (await rank('fixed.toml', '--by', 'elo')).standings
    const round = ({ name, rating, low }: Line) => [name, Math.round(rating), Math.round(low)]
    expect(new Set(elo.rows.map(round))).toEqual(new Set(ranked.map(round)))
    expect(elo.neighbours.map(({ upper }) => upper)).toEqual(standings.slice(0, -1).map(({ name }) => name))
  })

  it('counts what fixed bots repeat once, and says so', async () => {
    const { matches, distinct, standings, equalLuck } = await rank('fixed.toml', '--by', 'elo')
    // Three pairs, each in two orders of seats.
    expect([matches, distinct, equalLuck?.blocks]).toEqual([18, 6, 9])
    // Where there is no bound the document has null.
    for (const { rating, low, high } of standings as readonly {
      rating: number
      low: number | null
      high: number | null
    }[])
      expect(Math.min(rating - (low ?? -Infinity), (high ?? Infinity) - rating)).toBeGreaterThan(100)
  })

  it("ranks by points in the order of the contest's own table", async () => {
    const { standings } = await rank('fixed.toml', '--by', 'points')
    const shown = JSON.parse((await place.agon(['standings', 'fixed.toml', '--json'])).stdout) as {
      standings: Line[]
    }
    expect(standings.map(({ rank: at, name, points }) => [at, name, points])).toEqual(
      shown.standings.map(({ rank: at, name, points }) => [at, name, points]),
    )
  })

  it('says that there is no run of another', async () => {
    const { status, stderr } = await place.agon(['rank', 'mixed.toml'])
    expect(status).toBe(2)
    expect(stderr).toMatch(/holds no run of mixed\.toml \(did you mean "fixed"\?\)/)
  })
})
