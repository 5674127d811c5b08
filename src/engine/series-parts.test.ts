import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GameDefinition, MatchRecord } from '../core/index.js'
import { games } from '../games/index.js'
import type { Fixture } from '../match/index.js'
import { randomMatch } from '../../test/kit/archive.js'
import { played } from '../../test/kit/records.js'
import { PartWriter, dropPart, dropStaleParts, findPart } from './series-parts.js'
import { isBeginning } from './series-resume.js'

const KEY = 'a'.repeat(32)
const RECORD = played('a', [0, 1], [1, 2]).record
const KEPT = { Heron: { now: { 'a.txt': 'YQ==' } } }
let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'agon-parts-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const setting = () => ({ folder, everyMs: 0 })
const find = (fits: (records: readonly MatchRecord[]) => boolean = () => true) => findPart(setting(), KEY, fits)
const records = Array.from({ length: 3 }, (_, n): MatchRecord => ({ ...RECORD, key: `é/${n}` }))
const written = async (...parts: readonly (readonly MatchRecord[])[]) => {
  const writer = new PartWriter(setting(), KEY)
  for (const part of parts) await writer.keep(part, async () => KEPT)
}
const moved = (file: string, then: (away: string) => void) => {
  const away = join(folder, 'away')
  renameSync(file, away)
  then(away)
}
const fileOf = (ending: string): string =>
  join(folder, KEY, readdirSync(join(folder, KEY)).find((name) => name.endsWith(ending)) ?? '')

describe('a part of a series', () => {
  it('is what was kept last', async () => {
    expect(find()).toBeUndefined()
    await written(records.slice(0, 1), records.slice(0, 2))
    expect(find()).toEqual({ records: records.slice(0, 2), kept: KEPT })
    // Another process plays the same, and is further.
    await written(records)
    expect(find()?.records).toEqual(records)
    dropPart(setting(), KEY)
    expect(readdirSync(folder)).toEqual([])
  })

  it('does not grow by what was written without being marked, as where agon is killed meanwhile', async () => {
    await written(records.slice(0, 2))
    appendFileSync(fileOf('.jsonl'), `${JSON.stringify(records[2])}\n{"agon":`)
    expect(find()?.records).toEqual(records.slice(0, 2))
  })

  it.each([
    ['records were cut off', '.jsonl', (text: string) => text.slice(0, -10)],
    ['records were changed', '.jsonl', (text: string) => text.replace('é/1', 'é/7')],
    ['mark was cut off', '.json', (text: string) => text.slice(0, -1)],
    ['mark is of other records', '.json', (text: string) => text.replace('"matches":2', '"matches":1')],
    ['mark is no mark', '.json', () => 'null'],
  ])('is none where its %s', async (_, ending, bent) => {
    await written(records.slice(0, 2))
    const file = fileOf(ending)
    const text = readFileSync(file, 'utf8')
    expect(bent(text)).not.toBe(text)
    writeFileSync(file, bent(text))
    expect(find()).toBeUndefined()
  })

  it.each<[string, string, (file: string) => void]>([
    ['a link to the records', '.jsonl', (file) => moved(file, (away) => symlinkSync(away, file))],
    ['a link to the mark', '.json', (file) => moved(file, (away) => symlinkSync(away, file))],
    ['a pipe that nobody writes to', '.jsonl', (file) => moved(file, () => execFileSync('mkfifo', [file]))],
    ['a pipe for a mark', '.json', (file) => moved(file, () => execFileSync('mkfifo', [file]))],
    ['a mark of endless length', '.json', (file) => truncateSync(file, 2 ** 40)],
    ['a link to another folder', '', (file) => moved(file, (away) => symlinkSync(away, file))],
    ['a file', '', (file) => moved(file, () => writeFileSync(file, ''))],
  ])('is not read through %s, and the series is played all the same', async (_, ending, plant) => {
    await written(records.slice(0, 2))
    plant(ending === '' ? join(folder, KEY) : fileOf(ending))
    expect(find()).toBeUndefined()
    await written(records)
    // A folder that is not its own is left alone; in its own folder a new writer's files are as good as ever.
    expect(find()?.records).toEqual(ending === '' ? undefined : records)
    dropPart(setting(), KEY)
    expect(find()).toBeUndefined()
  })

  it('is read no further than its mark says, however long its file has become', async () => {
    await written(records.slice(0, 2))
    truncateSync(fileOf('.jsonl'), 2 ** 40)
    expect(find()?.records).toEqual(records.slice(0, 2))
  })

  it.each([
    ['a number of bytes that no file has', { bytes: 1e300 }],
    ['fewer than no bytes', { bytes: -1 }],
    ['nothing that bots held', { kept: null }],
    ['what is no snapshot', { kept: { Heron: { now: { 'a.txt': 1 } } } }],
    ['a snapshot that leads out', { kept: { Heron: { now: { '../a.txt': 'YQ==' } } } }],
    ['a snapshot of an absolute path', { kept: { Heron: { now: {}, start: { '/etc/a': 'YQ==' } } } }],
  ])('is none whose mark has %s', async (_, change) => {
    await written(records.slice(0, 2))
    const file = fileOf('.json')
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...change }))
    expect(find()).toBeUndefined()
  })

  it('is the longest that belongs to the series', async () => {
    await written(records)
    await written(records.slice(0, 1))
    expect(find((all) => all.length < 2)?.records).toEqual(records.slice(0, 1))
    const unfit = () => {
      throw new Error('of another game')
    }
    expect(find(unfit)).toBeUndefined()
  })

  it('holds so many of very short matches at a time, where nothing is on disk', async () => {
    const many = Array.from({ length: 5000 }, (_, n) => ({ ...RECORD, key: String(n) }))
    const writer = new PartWriter(setting(), KEY)
    for (let kept = 2000; kept <= 4000; kept += 2000) {
      await writer.keep(many, async () => ({}))
      expect(find()?.records).toEqual(many.slice(0, kept))
    }
  })

  it('is not kept where its folder cannot be written, and the series is played all the same', async () => {
    writeFileSync(join(folder, KEY), '')
    const writer = new PartWriter(setting(), KEY)
    await writer.keep(records, async () => KEPT)
    expect([writer.isDue, find()]).toEqual([false, undefined])
  })

  it('goes after a week in which no run has continued it; what is no part stays', async () => {
    await written(records)
    writeFileSync(join(folder, 'notes'), '')
    const day = 24 * 3_600_000
    dropStaleParts(folder, Date.now() + 6 * day)
    expect(readdirSync(folder).sort()).toEqual([KEY, 'notes'])
    utimesSync(join(folder, 'notes'), 0, 0)
    dropStaleParts(folder, Date.now() + 8 * day)
    expect(readdirSync(folder)).toEqual(['notes'])
  })
})

describe('records', () => {
  const definition = games.find(({ game }) => game.id === 'samurai') as GameDefinition
  const bots = [
    { entrant: 'Ant', id: 0 },
    { entrant: 'Bee', id: 1 },
  ]
  const all = [0, 1, 2].map(
    (n): MatchRecord => JSON.parse(JSON.stringify(randomMatch(definition, `1/${'é'.repeat(n)}`, bots))) as MatchRecord,
  )
  const fixtures = all.map(({ agon, key, game, version, options, luck, field, seats }): Fixture => ({
    agon,
    key,
    game,
    version,
    options,
    luck,
    field,
    seats,
  }))
  const [first] = all as [MatchRecord]

  it('are the beginning of a series whose matches they are', () => {
    for (let n = 0; n <= all.length; n++) expect(isBeginning(definition, fixtures, all.slice(0, n))).toBe(true)
    expect(isBeginning(definition, fixtures.slice(0, 2), all)).toBe(false)
  })

  it.each<[string, Partial<MatchRecord>]>([
    ['of another match', { key: 'é/7' }],
    ['of other luck', { luck: { ...first.luck, seed: 'another' } }],
    ['of other bots', { seats: first.seats.map((seat) => ({ ...seat, entrant: 'Eve' })) }],
    ['that end otherwise', { outcome: { ...first.outcome, reason: 'because' } }],
  ])('%s are not', (_, change) => {
    expect(isBeginning(definition, fixtures, [{ ...first, ...change }])).toBe(false)
  })
})
