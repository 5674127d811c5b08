import { createWriteStream, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { UserError } from '../../core/index.js'
import { TestContest } from '../../../test/kit/stored-run.js'
import { archiveOf, readJobs, readRun } from '../../results/file.js'
import { tableDocument, tableOfRun } from '../run/table.js'
import { withStore } from '../open-store.js'
import { exportRun, importRun } from './archive.js'

describe('a run in one file', () => {
  const place = new TestContest()
  const ref = { contest: place.contest }
  const file = place.path('run.tgz')
  const there = { ...place.context, workspace: place.path('there') }
  beforeAll(() => place.play())

  it('is not written where the work is not wanted, and nothing is left of it', async () => {
    const before = readdirSync(place.folder)
    await expect(exportRun(ref, file, place.aborted)).rejects.toThrow(/abort/i)
    expect(readdirSync(place.folder)).toEqual(before)
  })

  it('is written once', async () => {
    const { run, matches } = await exportRun(ref, file, place.context)
    expect(run).toMatch(/^samurai-/)
    expect(matches).toBe(3)
    await expect(exportRun(ref, file, place.context)).rejects.toThrow('is there already')
  })

  it('is not imported where it is damaged, of no file, or not wanted', async () => {
    const bytes = readFileSync(file)
    const half = place.path('half.tgz')
    writeFileSync(half, bytes.subarray(0, bytes.length >> 1))
    await expect(importRun(half, undefined, there)).rejects.toThrow(UserError)
    await expect(importRun(place.path('none.tgz'), undefined, there)).rejects.toThrow('no such file')
    // Another text of the same length: the file can be read, and its digest does not fit.
    const edited = gunzipSync(bytes).toString('latin1').replace('"title": "Small"', '"title": "Smell"')
    writeFileSync(half, gzipSync(Buffer.from(edited, 'latin1')))
    await expect(importRun(half, undefined, there)).rejects.toThrow('it is damaged or was edited')
    const gone = { ...there, signal: AbortSignal.abort(new Error('not wanted')) }
    await expect(importRun(file, undefined, gone)).rejects.toThrow('not wanted')
    expect(existsSync(there.workspace), 'nothing was imported').toBe(false)
  })

  it('is imported whole, with the table that it had', async () => {
    const imported = await importRun(file, undefined, there)
    expect(imported.matches).toBe(3)
    expect(imported.store.startsWith(there.workspace)).toBe(true)
    expect(tableDocument(await tableOfRun(ref, there))).toEqual(tableDocument(await tableOfRun(ref, place.context)))
    const again = place.path('again.tgz')
    await exportRun(ref, again, there)
    expect(gunzipSync(readFileSync(again)).equals(gunzipSync(readFileSync(file)))).toBe(true)
  })

  it('is rated anew, whatever it says of ratings', async () => {
    const dump = await readRun(file)
    const forged = { ...dump, ratings: dump.ratings.map((row) => ({ ...row, value: row.value + 50 })) }
    const other = place.path('forged.tgz')
    await pipeline(Readable.from(archiveOf(forged, readJobs(file))), createGzip(), createWriteStream(other))
    const context = { ...place.context, workspace: place.path('forged') }
    const { run } = await importRun(other, undefined, context)
    const ratings = await withStore(context, (store) => store.ratings(run))
    expect(ratings).toEqual(dump.ratings)
    expect(ratings.length).toBeGreaterThan(0)
  })
})
