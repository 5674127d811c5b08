import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MatchRecord } from '../core/index.js'
import { played } from '../../test/kit/records.js'
import { PartWriter, dropPart, dropStaleParts, findPart } from './series-parts.js'

const KEY = 'a'.repeat(32)
const RECORD = played('a', [0, 1], [1, 2]).record
const KEPT = { Heron: { now: { 'a.txt': 'YQ==' } } }
let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'agon-parts-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const setting = () => ({ folder, everyMs: 0 })
const records = Array.from({ length: 3 }, (_, n): MatchRecord => ({ ...RECORD, key: `é/${n}` }))
const written = async (...parts: readonly (readonly MatchRecord[])[]) => {
  const writer = new PartWriter(setting(), KEY)
  for (const part of parts) await writer.keep(part, async () => KEPT)
}
const fileOf = (ending: string): string =>
  join(folder, KEY, readdirSync(join(folder, KEY)).find((name) => name.endsWith(ending)) ?? '')

describe('a part of a series', () => {
  it('is what was kept last', async () => {
    expect(findPart(setting(), KEY)).toBeUndefined()
    await written(records.slice(0, 1), records.slice(0, 2))
    expect(findPart(setting(), KEY)).toEqual({ records: records.slice(0, 2), kept: KEPT })
    // Another process plays the same, and is further.
    await written(records)
    expect(findPart(setting(), KEY)?.records).toEqual(records)
    dropPart(setting(), KEY)
    expect(readdirSync(folder)).toEqual([])
  })

  it('does not grow by what was written without being marked, as where agon is killed meanwhile', async () => {
    await written(records.slice(0, 2))
    appendFileSync(fileOf('.jsonl'), `${JSON.stringify(records[2])}\n{"agon":`)
    expect(findPart(setting(), KEY)?.records).toEqual(records.slice(0, 2))
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
    expect(findPart(setting(), KEY)).toBeUndefined()
  })

  it('holds so many of very short matches at a time, where nothing is on disk', async () => {
    const many = Array.from({ length: 5000 }, (_, n) => ({ ...RECORD, key: String(n) }))
    const writer = new PartWriter(setting(), KEY)
    for (let kept = 2000; kept <= 4000; kept += 2000) {
      await writer.keep(many, async () => ({}))
      expect(findPart(setting(), KEY)?.records).toEqual(many.slice(0, kept))
    }
  })

  it('is not kept where its folder cannot be written, and the series is played all the same', async () => {
    writeFileSync(join(folder, KEY), '')
    const writer = new PartWriter(setting(), KEY)
    await writer.keep(records, async () => KEPT)
    expect([writer.isDue, findPart(setting(), KEY)]).toEqual([false, undefined])
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
