import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GameDefinition, UserError, allActions } from '../core/index.js'
import { games } from '../games/index.js'
import { randomArchive, randomMatch } from '../../test/kit/archive.js'
import type { MatchRow, PackedMatch } from '../web/document.js'
import { jsonText } from './html.js'
import { ShownMatches, judgedRecord } from './shown-matches.js'
import { RoundPoints, Spread } from './totals.js'
import { escaped, percent } from '../text/index.js'
import {
  type ReportData,
  folderSource,
  reportCsv,
  reportData,
  reportHtml,
  reportMarkdown,
  ruledSource,
} from './index.js'

const samurai = games.find(({ game }) => game.id === 'samurai') as GameDefinition
const HOSTILE = '</script><img src=x onerror=alert(1)>\u202e&"\'|`*'
const page = { script: 'const a = 1 < 2', style: 'b { color: red }' }
const folder = mkdtempSync(join(tmpdir(), 'agon-report-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const options = { ...samurai.game.options, turns: 12 }
const records = randomArchive(join(folder, 'run'), samurai, ['Ant', 'Bee', HOSTILE], { repetitions: 4, options })
let data: ReportData
beforeAll(async () => {
  data = await reportData(folderSource(join(folder, 'run')), samurai, true)
})

describe('entrants that were left out', () => {
  it('are reported with the reason, as text, in the page and in Markdown', async () => {
    const place = join(folder, 'left-out')
    randomArchive(place, samurai, ['Ant', 'Bee'], { repetitions: 2, options })
    const file = join(place, 'results.json')
    const results = JSON.parse(readFileSync(file, 'utf8')) as object
    writeFileSync(file, JSON.stringify({ ...results, leftOut: [{ name: HOSTILE, why: `said ${HOSTILE}` }] }))
    const marred = await reportData(folderSource(place), samurai, true)
    expect(marred.document.leftOut).toEqual([{ name: HOSTILE, why: `said ${HOSTILE}` }])
    const html = reportHtml(marred, page)
    expect(html).toContain(`<p>Left out: ${escaped(HOSTILE)}: said ${escaped(HOSTILE)}</p>`)
    expect(html).not.toContain('<img')
    const markdown = reportMarkdown(marred)
    expect(markdown).toMatch(/## Left out\n\n- .*: said .*\n/)
    expect(markdown).not.toContain('<img')
    expect(reportMarkdown(data)).not.toContain('Left out')
  })
})

describe('the data of a report', () => {
  it('tells entrants by their index, standings and crosstable in their order', () => {
    const { entrants, standings, crosstable, matches } = data.document
    expect(entrants.map(({ name }) => name)).toEqual(['Ant', 'Bee', HOSTILE])
    expect(crosstable.order).toEqual(standings.rows.map(({ entrant }) => entrant))
    expect(matches).toEqual({ total: 12, kept: 12, pack: 64, positions: false })
    for (const [i, row] of crosstable.meetings.entries()) {
      expect(row[i]).toBeNull()
      expect(row.flatMap((meeting) => meeting?.n ?? [])).toEqual([4, 4])
      const points = row.reduce((sum, meeting) => sum + (meeting?.points ?? 0), 0)
      expect(points).toBe(standings.rows[i]?.points)
    }
  })

  it('adds points up by repetition to the standings', () => {
    const { rounds, standings } = data.document
    expect(rounds?.unit).toBe('repetition')
    expect(rounds?.labels).toEqual(['1', '2', '3', '4'])
    for (const { entrant, points } of standings.rows)
      expect(rounds?.points[entrant]?.reduce<number>((sum, own) => sum + (own ?? 0), 0)).toBe(points)
  })

  it('counts faults and times of each entrant over all its seats', () => {
    const timeouts = [0, 0, 0]
    const slowest = [0, 0, 0]
    let answers = 0
    for (const { seats, steps, times } of records) {
      steps.forEach((step, number) =>
        step.forEach(([seat, output], i) => {
          const id = seats[seat]?.id ?? -1
          answers++
          if (typeof output !== 'string') timeouts[id] = (timeouts[id] ?? 0) + 1
          slowest[id] = Math.max(slowest[id] ?? 0, times?.[number]?.[i]?.[0] ?? 0)
        }),
      )
    }
    expect(timeouts.some((n) => n > 0)).toBe(true)
    expect(data.document.faults.map((own) => own.timeout ?? 0)).toEqual(timeouts)
    expect(data.document.timing.map((own) => own?.max)).toEqual(slowest)
    expect(data.document.timing.reduce((sum, own) => sum + (own?.n ?? 0), 0)).toBe(answers)
  })

  it('rates everyone with an interval that holds the rating, and says how sure each order is', () => {
    const ratings = data.document.ratings
    expect(ratings?.rows).toHaveLength(3)
    for (const { rating, low, high, ranks = [9, 0] } of ratings?.rows ?? []) {
      expect((low ?? -Infinity) < rating && rating < (high ?? Infinity)).toBe(true)
      expect(ranks[0]).toBeLessThanOrEqual(ranks[1])
    }
    // Three entrants of a few matches: nothing tells how far apart they are, so that it is between two figures.
    const ends =
      ratings?.rows.map(({ first = Number.NaN }) => (typeof first === 'number' ? ([first, first] as const) : first)) ??
      []
    expect(ends.reduce((sum, [least]) => sum + least, 0)).toBeLessThanOrEqual(1.001)
    expect(ends.reduce((sum, [, most]) => sum + most, 0)).toBeGreaterThanOrEqual(0.999)
    expect(ratings?.superiority).toHaveLength(2)
    for (const { probability } of ratings?.superiority ?? []) expect(probability).toBeGreaterThanOrEqual(0.5)
  })

  it('packs every record so that it comes out as it was', () => {
    const lines = data.packs.flatMap((pack) => unpacked(pack).split('\n'))
    expect(lines.map((line) => (JSON.parse(line) as PackedMatch).record)).toEqual(JSON.parse(JSON.stringify(records)))
    const [key, seats, places, reason, turns] = data.matches.at(3) as MatchRow
    const record = records.at(3)
    expect(key).toBe(record?.key)
    expect(seats).toEqual(record?.seats.map(({ id }) => id))
    expect([places, reason, turns]).toEqual([record?.outcome.place, record?.outcome.reason, record?.steps.length])
  })

  it('keeps the newest records where all would be too many', async () => {
    const few = await reportData(folderSource(join(folder, 'run'), { bytes: 5000, matches: 12 }), samurai, true)
    const { total, kept } = few.document.matches
    expect(total).toBe(12)
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThan(12)
    expect(few.matches.map(([key]) => key)).toEqual(records.slice(-kept).map(({ key }) => key))
    expect(few.document.timing).toEqual(data.document.timing)
    // Records of short matches are small, and a page lists each of them.
    const place = join(folder, 'short')
    randomArchive(place, samurai, ['Ant', 'Bee', HOSTILE], { repetitions: 4, options })
    const file = join(place, 'results.json')
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), matches: 12 }))
    const some = await reportData(folderSource(place, { bytes: 2 ** 20, matches: 4 }), samurai, true)
    expect([3, 4, 5]).toContain(some.document.matches.kept)
  })

  it('counts matches as they were ruled, and leaves out those that are void', async () => {
    const source = folderSource(join(folder, 'run'))
    const [first, second, ...rest] = records
    const outcomes = new Map(rest.map(({ key = '', outcome }) => [key, outcome]))
    outcomes.set(first?.key ?? '', { place: [2, 1], reason: 'ruled' })
    const standings = {
      columns: [],
      notes: ['ruled'],
      rows: [{ rank: 1, entrant: 0, name: 'Bee', points: 9, cells: [] }],
    }
    const ruled = await reportData(ruledSource(source, standings, outcomes), samurai, true)
    expect(ruled.document.standings.rows).toEqual([{ rank: 1, entrant: 1, points: 9, cells: [] }])
    expect(ruled.document.matches.total).toBe(12)
    expect(ruled.matches[0]?.slice(2, 4)).toEqual([[2, 1], 'ruled'])
    expect(ruled.matches[1]?.[3]).toBe(`${second?.outcome.reason} (void)`)
    const played = (data_: ReportData) => data_.document.rounds?.points.flat().reduce<number>((a, b) => a + (b ?? 0), 0)
    expect(played(ruled)).toBe(11)
    expect(played(data)).toBe(12)
  })

  it('brings the positions along where the page cannot know the rules', async () => {
    let looks = 0
    const legal = (view: unknown): readonly string[] => (looks++, allActions(samurai.game.legal(view)))
    const viewer: GameDefinition['viewer'] = (_, { names, colours }) => [...names, ...colours].join()
    const own: GameDefinition = { ...samurai, viewer, game: { ...samurai.game, legal, say: true } }
    const { packs } = await reportData(folderSource(join(folder, 'run')), own, false)
    const [first = ''] = unpacked(packs[0] ?? '').split('\n')
    const { record, positions: replayed } = JSON.parse(first) as PackedMatch
    expect(replayed?.boards).toHaveLength(record.steps.length + 1)
    expect(replayed?.moves).toHaveLength(record.steps.length)
    expect(replayed?.boards[0]).toContain('seat 0')
    expect(replayed?.figures?.map((row) => row.length)).toEqual(replayed?.boards.map(() => 2))
    expect(replayed?.say).toBe(true)
    const [one, other] = record.seats.map(({ entrant }) => entrant)
    expect(new Set(replayed?.pictures)).toEqual(new Set([`${one},${other},#0072b2,#d55e00`]))
    // Each answer is judged once: with ten thousand legal actions that takes a while.
    const answers = packs.flatMap((pack) =>
      unpacked(pack)
        .split('\n')
        .flatMap((line) => (JSON.parse(line) as PackedMatch).record.steps),
    )
    expect(looks).toBeLessThanOrEqual(answers.flat().length)
  })

  it('keeps the newest positions where all would be too many, with the record of every match', async () => {
    const judged = await Promise.all(records.map((record) => judgedRecord(samurai, record, true)))
    const sizes = judged.map(({ positions }) => JSON.stringify(positions).length)
    const most = Math.floor(sizes.reduce((sum, size) => sum + size) / 2)
    const shown = new ShownMatches(false, most)
    const each = { key: '', seats: [0, 1], outcome: { place: [1, 2], reason: 'end' }, faults: [[], []] }
    records.forEach((record, i) => shown.add(record, each, judged[i]?.positions))
    const lines = shown.done().packs.flatMap((pack) => unpacked(pack).split('\n'))
    const matches = lines.map((line) => JSON.parse(line) as PackedMatch)
    const { kept, drawn = kept } = shown.counts(records.length)
    expect(drawn).toBeGreaterThan(0)
    expect(drawn).toBeLessThan(kept)
    expect(matches.map(({ record }) => record.key)).toEqual(records.map(({ key }) => key))
    expect(matches.map(({ positions }) => positions !== undefined)).toEqual(matches.map((_, i) => i >= kept - drawn))
    const bytes = matches.reduce((sum, { positions }) => sum + (positions ? JSON.stringify(positions).length : 0), 0)
    expect(bytes).toBeLessThanOrEqual(most)
  })

  it('refuses a folder that is no archive, and names the line of what is no record', () => {
    expect(() => folderSource(folder)).toThrow(UserError)
    const broken = join(folder, 'broken')
    randomArchive(broken, samurai, ['Ant', 'Bee'], { repetitions: 2, options })
    writeFileSync(join(broken, 'records.jsonl'), `${readFileSync(join(broken, 'records.jsonl'), 'utf8')}{"agon":1`)
    return expect(reportData(folderSource(broken), samurai, true)).rejects.toThrow(
      /records\.jsonl, line 3: not a whole line/,
    )
  })
})

describe('the file', () => {
  it('lets nothing be loaded or run but its own script and style', () => {
    const html = reportHtml(data, page)
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? ''
    expect(policy).toContain("default-src 'none'")
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(policy).toContain(`script-src ${hash(page.script)}`)
    expect(policy).toContain(`style-src ${hash(page.style)}`)
    expect(policy).not.toMatch(/unsafe|https?:|data:/)
    expect(html).not.toMatch(/<[a-z][^>]*\s(src|href)\s*=|<link|@import|url\(/i)
  })

  it('shows hostile names as what they are', () => {
    const html = reportHtml(data, page)
    expect(html).not.toContain('<img')
    expect(html.match(/<\/script>/g)).toHaveLength(html.match(/<script/g)?.length ?? -1)
    const json = /data-report="document">([^<]*)</.exec(html)?.[1] ?? ''
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(data.document)))
    expect(html).toContain(escaped(HOSTILE))
    expect(escaped(HOSTILE)).toBe('&#60;/script&#62;&#60;img src=x onerror=alert(1)&#62;\\u{202e}&#38;&#34;&#39;|`*')
    expect(jsonText('</script>\u2028')).toBe('"\\u003c/script\\u003e\\u2028"')
  })

  it('refuses a script that would end its own element', () => {
    expect(() => reportHtml(data, { ...page, script: 'a = "</script>"' })).toThrow(/script/)
    expect(() => reportHtml(data, { ...page, script: 'a = "<!--"' })).toThrow(/script/)
    expect(() => reportHtml(data, { ...page, style: '</style>' })).toThrow(/style/)
  })
})

describe('the same as text', () => {
  it('is Markdown in which no name is markup', () => {
    const text = reportMarkdown(data)
    expect(text).toContain('| Ant |')
    expect(text).toContain('95 % interval')
    expect(text).not.toContain('<img')
    expect(text).toMatch(/## Faults\n\n- .*\d timeout/)
  })

  it('has how probable each order of two is', () => {
    const { ratings } = data.document
    const [, pairs = ''] = reportMarkdown(data).split('## A before B\n\n')
    const rows = pairs.split('\n').slice(2, 5)
    const cells = rows.map((row) =>
      row
        .split(/(?<!\\)\|/)
        .slice(3, -1)
        .map((cell) => cell.trim()),
    )
    cells.forEach((row, i) => {
      row.forEach((cell, j) => expect(cell).toBe(i === j ? '·' : percent(ratings?.before?.above[i]?.[j] ?? Number.NaN)))
    })
    expect(cells).toHaveLength(3)
    const { ratings: _, ...unrated } = data.document
    expect(reportMarkdown({ ...data, document: unrated })).not.toContain('A before B')
  })

  it('has a column of languages where one is known', () => {
    const { document } = data
    const entrants = document.entrants.map((one, i) => (i === 0 ? { ...one, language: 'C++ | x' } : one))
    const text = reportMarkdown({ ...data, document: { ...document, entrants } })
    expect(text).toMatch(/^\| +# \| Name +\| Language +\| Points \|/m)
    expect(text).toContain('C++ \\| x')
    expect(
      reportMarkdown({
        ...data,
        document: { ...document, entrants: document.entrants.map((one) => ({ ...one, language: undefined })) },
      }),
    ).not.toContain('| Language')
  })

  it('is CSV with a line for each entrant', () => {
    const lines = reportCsv(data).trimEnd().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toMatch(/^rank,name,points,rating,low,high,first_place,best_rank,worst_rank,timeout,.*,limit_ms$/)
    expect(lines.slice(1).every((line) => line.endsWith(',1000'))).toBe(true)
  })
})

describe('the spread of times', () => {
  it('tells quantiles to one per cent and the most exactly', () => {
    const spread = new Spread()
    for (let i = 1; i <= 10_000; i++) spread.add(i)
    const { n, median, p99, max } = spread.timing() ?? expect.fail()
    expect(Math.abs(median / 5000 - 1)).toBeLessThan(0.01)
    expect(Math.abs(p99 / 9900 - 1)).toBeLessThan(0.01)
    expect([n, max]).toEqual([10_000, 10_000])
    const still = new Spread()
    still.add(0)
    expect(still.timing()).toEqual({ n: 1, median: 0, p99: 0, max: 0 })
  })
})

describe('points by round', () => {
  const rounds = () => new RoundPoints({ win: 3, draw: 1, loss: -1, ties: [] }, 3)
  it('follow the rounds where there are several, with nothing for who was out', () => {
    const points = rounds()
    points.add({ key: '1/a-b/1', seats: [0, 1], outcome: { place: [1, 2], reason: '' } })
    points.add({ key: '1/a-c/1', seats: [0, 2], outcome: { place: [1, 1], reason: '' } })
    points.add({ key: '2/a-b/1', seats: [1, 0], outcome: { place: [1, 2], reason: '' } })
    points.add({ key: '10/a-b/1', seats: [1, 0], outcome: { place: [2, 1], reason: '' } })
    points.add({ key: 'playoff-1/a-b/1', seats: [1, 0], outcome: { place: [2, 1], reason: '' } })
    expect(points.rows()).toEqual({
      unit: 'round',
      labels: ['1', '2', '10'],
      points: [
        [4, -1, 3],
        [-1, 3, -1],
        [1, null, null],
      ],
    })
  })
  it('are means where mean scores count, and say over how many matches', () => {
    const means = new RoundPoints({ win: 1, draw: 0.5, loss: 0, ties: [], by: 'score' }, 2)
    const add = (key: string, score: readonly number[]) =>
      means.add({ key, seats: [0, 1], outcome: { place: [1, 2], reason: '', score } })
    add('1/a-b/1', [4, 0])
    add('1/a-b/2', [2, 0])
    add('2/a-b/1', [9, 3])
    expect(means.rows()).toMatchObject({
      points: [
        [3, 9],
        [0, 3],
      ],
      matches: [
        [2, 1],
        [2, 1],
      ],
    })
  })
  it('are not there for a single round of single matches, and are taken together where there are very many', () => {
    const one = rounds()
    one.add({ key: '1/a-b/1', seats: [0, 1], outcome: { place: [1, 2], reason: '' } })
    expect(one.rows()).toBeUndefined()
    const many = rounds()
    for (let n = 1; n <= 150; n++)
      many.add({ key: `1/a-b/${n}`, seats: [0, 1], outcome: { place: [1, 2], reason: '' } })
    expect(many.rows()?.labels).toHaveLength(50)
    expect(many.rows()?.points[0]?.[0]).toBe(9)
  })
})

it('goes as far as the rules can follow a record', async () => {
  const there = join(folder, 'older')
  randomArchive(there, samurai, ['Ant', 'Bee'], { options })
  const record = randomMatch(
    samurai,
    '1/e0-e1/3',
    [
      { entrant: 'Ant', id: 0 },
      { entrant: 'Bee', id: 1 },
    ],
    { options },
  )
  writeFileSync(join(there, 'records.jsonl'), `${JSON.stringify({ ...record, version: 99 })}\n`)
  const { document } = await reportData(folderSource(there), samurai, true)
  expect(document.matches.total).toBe(1)
  expect(document.faults).toEqual([{}, {}])
})

function unpacked(pack: string): string {
  return gunzipSync(Buffer.from(pack, 'base64')).toString()
}
