import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { Place } from './agon.js'

/** Modules that answer at once; three are alike, so that tables are tied and playoffs played. */
const NAMES = ['Bow', 'Again', 'Third', 'Strike', 'Lost']
const contest = (format: string, entrants: readonly string[] = NAMES, head = ''): string => `game = "samurai"
seed = "9"
${head}
[options]
turns = 12
[format]
${format}
${entrants.map((name) => `[[entrants]]\nname = "${name}"\nmodule = "${name.toLowerCase()}.js"\n`).join('')}`
const FORMATS = {
  robin: 'kind = "round-robin"\nrepetitions = 2\nplayoff = 2',
  ordered: 'kind = "ordered-pairs"\nrepetitions = 1\nplayoff = 1',
  last: 'kind = "last-standing"\nrepetitions = 2',
  swiss: 'kind = "swiss"\nrepetitions = 2',
  cup: 'kind = "elimination"\nrepetitions = 3\nplayoff = 3',
  double: 'kind = "double-elimination"\nrepetitions = 3\nplayoff = 3',
  hill: 'kind = "hill"\nrepetitions = 2\nplaces = 3',
  gauntlet: 'kind = "gauntlet"\nrepetitions = 2',
}
const place = new Place({
  'bow.js': 'export default () => "B"\n',
  'again.js': 'export default () => "B"\n',
  'third.js': 'export default () => "B"\n',
  'strike.js': 'export default (view) => (view.honour > 0 ? "O" : "B")\n',
  'lost.js': 'export default () => "nonsense"\n',
  'bad.js': 'throw new Error("does not load")\n',
  'out.toml': contest(FORMATS.robin, ['Bow', 'Strike', 'Lost', 'Bad']),
  'lives.toml': contest(FORMATS.robin, ['Bow', 'Again', 'Strike'], 'memory = "tournament"'),
  ...Object.fromEntries(Object.entries(FORMATS).map(([name, format]) => [`${name}.toml`, contest(format)])),
})
const report = (folder: string) => place.agon(['report', folder, '--markdown', `${folder}.md`])
const played = async (name: string, ...more: readonly string[]): Promise<void> => {
  const { status, stderr } = await place.agon(['run', `${name}.toml`, '--trust', '--out', name, ...more])
  if (status !== 0) throw new Error(stderr)
}

describe('the report of a results folder', () => {
  it.each(Object.keys(FORMATS))(
    'counts the table of %s from the records, and finds the one that was written',
    async (name) => {
      await played(name)
      expect(await report(name)).toMatchObject({ status: 0, stderr: '' })
    },
  )

  it('knows entrants that were left out, put out, or live through the tournament', async () => {
    await played('out', '--max-faults', '1')
    await played('lives')
    expect(await report('lives')).toMatchObject({ status: 0, stderr: '' })
    expect(await report('out')).toMatchObject({ status: 0, stderr: '' })
    const markdown = readFileSync(place.path('out.md'), 'utf8')
    expect(markdown).toMatch(/Lost is disqualified/)
    expect(markdown).toMatch(/Left out[^]*Bad/)
  })
})

type Json = Record<string, never> & {
  standings: { points: number; name: string; rank: number; cells: Record<string, number> }[]
  notes: string[]
  excluded?: object[]
}
describe('the report of a results folder that was edited', () => {
  beforeAll(() => played('robin', '--fresh'))
  const edited = (name: string, change: (json: Json, lines: string[]) => void): string => {
    cpSync(place.path('robin'), place.path(name), { recursive: true })
    const [results, records] = ['results.json', 'records.jsonl'].map((file) => join(place.path(name), file))
    const json = JSON.parse(readFileSync(results ?? '', 'utf8')) as Json
    const lines = readFileSync(records ?? '', 'utf8')
      .trimEnd()
      .split('\n')
    change(json, lines)
    writeFileSync(results ?? '', JSON.stringify(json))
    writeFileSync(records ?? '', lines.map((line) => `${line}\n`).join(''))
    return name
  }
  const swap = (text: string): string => text.replace(/"place":\[1,\d\]/, '"place":[2,1]')

  const first = <T>([one]: readonly T[]): T => {
    if (one === undefined) throw new Error('there is none')
    return one
  }
  it.each<[string, (json: Json, lines: string[]) => void, RegExp]>([
    [
      'points',
      (json) => void (first(json.standings).points += 1),
      /results\.json: its table differs from that of its records/,
    ],
    ['names', (json) => void json.standings.reverse(), /results\.json: its table differs from that of its records/],
    ['a rank', (json) => void (first(json.standings.slice(1)).rank = 9), /results\.json: its table differs from/],
    [
      'a tie-break',
      (json) => void (first(json.standings).cells = { Life: 99 }),
      /results\.json: its table differs from/,
    ],
    [
      'who is out',
      (json) => void (json.excluded = [{ name: 'Bow', status: 'disqualified', treatment: 'void', why: '' }]),
      /results\.json: its table differs from/,
    ],
    [
      'an outcome',
      (_, lines) => void lines.splice(0, lines.length, ...lines.map(swap)),
      /records\.jsonl: .*recorded .*, judged /,
    ],
    ['a match twice', (_, lines) => void lines.push(first(lines)), /records\.jsonl: .*the same match as record 1/],
    ['a match less', (_, lines) => void lines.pop(), /results\.json counts/],
  ])('is refused in one line: %s', async (name, change, why) => {
    const folder = edited(name.replaceAll(' ', '-'), change)
    const { status, stderr } = await report(folder)
    expect(stderr).toMatch(/^agon: [^\n]*\n$/)
    expect(stderr).toMatch(why)
    expect(status).toBe(2)
  })

  it('shows notes that the records give, and no others', async () => {
    const folder = edited('noted', (json) => void (json.notes = ['Bow won a prize']))
    expect(await report(folder)).toMatchObject({ status: 0 })
    expect(readFileSync(place.path('noted.md'), 'utf8')).not.toContain('prize')
  })
})
