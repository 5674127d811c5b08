import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { Place } from './agon.js'

/** Modules that answer at once, one of them with a fault: the runs take no time. */
const place = new Place({
  'bow.js': 'export default () => "B"\n',
  'wait.js': 'export default () => "W"\n',
  'lost.js': 'export default () => "nonsense"\n',
  'small.toml': `title = "Small & <b>bold</b>"
game = "samurai"
seed = "9"
[options]
turns = 12
[format]
kind = "round-robin"
repetitions = 2
[[entrants]]
name = "Bow"
module = "bow.js"
[[entrants]]
name = "Wait"
module = "wait.js"
[[entrants]]
name = "Lost"
module = "lost.js"
`,
})

/** The document in a report. */
function documentIn(html: string): {
  readonly title: string
  readonly entrants: readonly { readonly name: string }[]
  readonly standings: { readonly rows: readonly { readonly entrant: number; readonly points: number }[] }
  readonly faults: readonly Readonly<Record<string, number>>[]
  readonly ratings: {
    readonly rows: readonly { readonly rating: number; readonly flags: readonly string[] }[]
    readonly superiority: readonly { readonly better: number; readonly worse: number }[]
  }
  readonly matches: { readonly total: number; readonly kept: number }
} {
  return JSON.parse(/data-report="document">([^<]*)</.exec(html)?.[1] ?? '') as ReturnType<typeof documentIn>
}
const namesIn = (html: string) => {
  const { entrants, standings } = documentIn(html)
  return standings.rows.map(({ entrant }) => entrants[entrant]?.name)
}

describe('agon report', () => {
  let ran: { standings: { name: string; points: number }[] }
  beforeAll(async () => {
    const { stdout, stderr, status } = await place.agon(['run', 'small.toml', '--json', '--out', 'a'])
    if (status !== 0) throw new Error(stderr)
    ran = JSON.parse(stdout) as typeof ran
  })

  it('is written into the archive at the end of a run', () => {
    const html = readFileSync(place.path('a', 'report.html'), 'utf8')
    const { title, matches, standings, faults, entrants } = documentIn(html)
    expect(title).toBe('Small & <b>bold</b>')
    expect(matches).toMatchObject({ total: 6, kept: 6 })
    expect(standings.rows.map(({ points }) => points)).toEqual(ran.standings.map(({ points }) => points))
    expect(namesIn(html)).toEqual(ran.standings.map(({ name }) => name))
    expect(faults.map((own) => Object.keys(own))).toEqual(
      entrants.map(({ name }) => (name === 'Lost' ? ['illegal'] : [])),
    )
    expect(html).not.toContain('<b>bold')
  })

  it('makes the page of a contest or of a results folder, Markdown and CSV', async () => {
    const both = await Promise.all([
      place.agon(['report', 'small.toml', '--out', 'out/one.html']),
      place.agon(['report', 'a', '--out', 'two.html', '--markdown', 'm.md', '--csv', 't.csv']),
    ])
    expect(both.map(({ status, stderr }) => [status, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    expect(both.map(({ stdout }) => stdout)).toEqual(['out/one.html\n', 'two.html\nm.md\nt.csv\n'])
    const [one, two] = ['out/one.html', 'two.html'].map((name) => readFileSync(place.path(name), 'utf8'))
    expect(documentIn(one ?? '')).toEqual(documentIn(two ?? ''))
    expect(readFileSync(place.path('m.md'), 'utf8')).toContain('- Lost: ')
    expect(readFileSync(place.path('t.csv'), 'utf8').split('\r\n')).toHaveLength(5)
  })

  it('shows the table as it stands once an entrant is put out', async () => {
    const put = await place.agon(['disqualify', 'small.toml', 'Lost'])
    expect(put.stderr).toBe('')
    await place.agon(['report', 'small.toml', '--out', 'now.html'])
    const [now, then] = ['now.html', 'a/report.html'].map((name) => readFileSync(place.path(name), 'utf8'))
    expect(namesIn(now ?? '')).not.toContain('Lost')
    expect(namesIn(then ?? '')).toContain('Lost')
    const { entrants, ratings } = documentIn(now ?? '')
    const out = ratings.rows.map(({ flags }, i) => [entrants[i]?.name, flags.includes('out')])
    expect(out).toEqual([
      ['Bow', false],
      ['Wait', false],
      ['Lost', true],
    ])
    expect(ratings.superiority).toHaveLength(1)
    expect(documentIn(then ?? '').ratings.superiority).toHaveLength(2)
  })

  it('tells what is wrong in a line', async () => {
    const missing = await place.agon(['report', 'nothing.toml', '--out', 'x.html'])
    expect(missing.status).toBe(2)
    expect(missing.stderr).toMatch(/^agon: .*nothing\.toml.*\n$/)
    expect(existsSync(place.path('x.html'))).toBe(false)
    place.write('a/records.jsonl', '{"agon":1}\n')
    const broken = await place.agon(['report', 'a', '--out', 'x.html'])
    expect(broken.status).toBe(2)
    expect(broken.stderr).toMatch(/^agon: .*records\.jsonl, line 1: .*\n$/)
  })
})
