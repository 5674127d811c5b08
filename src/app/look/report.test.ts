import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { TestContest } from '../../../test/kit/stored-run.js'
import { excludeEntrant } from '../manage/rulings.js'
import { type ReportData, folderSource, reportData, reportMarkdown } from '../../results/index.js'
import { reportOfMany } from './report-of-run.js'
import { reportOnRun, writeOwnPage } from './report.js'
import { gameOf, standingsOfRun, withRun } from '../stored.js'

const place = new TestContest()
const ref = { contest: place.contest }
beforeAll(() => place.play())

it('reports on an archive as it was, and on a stored run as it stands', async () => {
  const { folder, data } = await reportOnRun({ contest: place.out }, place.context)
  expect(folder).toBe(place.out)
  expect(data.document.matches).toMatchObject({ total: 3, kept: 3 })
  expect((await reportOnRun(ref, place.context)).data.document.standings).toEqual(data.document.standings)
  await excludeEntrant({ ...ref, name: 'Lost', status: 'withdrawn', treatment: 'void', why: '' }, place.context)
  const now = await reportOnRun(ref, place.context)
  expect(now.folder).toBe(place.out)
  expect(now.data.document.standings.rows.map(({ points }) => points)).toEqual([1, 0])
  const then = await reportOnRun({ contest: place.out }, place.context)
  expect(then.data.document.standings).toEqual(data.document.standings)
})

it('tells how far it has read the records, of an archive also while it judges them', async () => {
  const of = async (contest: string): Promise<readonly string[]> => {
    const told: string[] = []
    await reportOnRun({ contest }, place.context, ({ doing, done, total }) => told.push(`${doing} ${done}/${total}`))
    return told
  }
  const report = ['report 0/3', 'report 1/3', 'report 2/3', 'report 3/3']
  expect(await of(place.contest)).toEqual(report)
  const judging = [0, 1, 2, 3].map((done) => `judging its matches ${done}/3`)
  expect(await of(place.out)).toEqual([...judging, ...report])
})

it('reports on very many matches by what the store counted of them as on a few', async () => {
  const other = new TestContest()
  await other.play()
  await withRun(other.contest, undefined, other.context, async (store, run) => {
    const definition = await gameOf(run, undefined)
    const folder = folderSource(run.out)
    const reported = { store, run, definition, current: await standingsOfRun(store, run) }
    const { matches, packs, document } = (await reportOfMany(reported, folder, 2)) as ReportData
    const few = (await reportOnRun({ contest: other.contest }, other.context)).data
    const { ratings, ...rest } = document
    const { ratings: own, ...others } = few.document
    expect(rest).toEqual(others)
    expect([matches, packs]).toEqual([few.matches, few.packs])
    for (const [i, row] of (own?.rows ?? []).entries()) {
      expect(ratings?.rows[i]).toMatchObject({ flags: row.flags, rating: expect.closeTo(row.rating, 6) as number })
      expect(ratings?.rows[i]?.low === null).toBe(row.low === null)
    }
    expect([ratings?.distinct, ratings?.superiority.length]).toEqual([own?.distinct, own?.superiority.length])
    expect(await reportOfMany(reported, folder, 3)).toBeUndefined()
    // Of the records only the newest are read, and those from where a line begins.
    const last = folderSource(run.out, { bytes: 700, matches: 3 })
    const newest = (await reportOfMany(reported, last, 2)) as ReportData
    expect(newest.document.matches.kept).toBeLessThan(3)
    expect(newest.matches).toEqual((await reportData(last, definition, true)).matches)
    expect(newest.document.standings).toEqual(few.document.standings)
  })
})

it('writes over no other run’s page where a run, as an archive may say, names a folder that holds another one', async () => {
  const other = new TestContest()
  await other.play()
  const file = join(other.out, 'contest.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"seed": ?"[^"]*"/, '"seed": "another"'))
  await expect(reportOnRun({ contest: other.contest }, other.context)).rejects.toThrow(
    /does not hold the results of the run/,
  )
})

/** The store has its records in the order in which they came. */
const recordsIn = ({ packs }: ReportData): readonly string[] =>
  packs.flatMap((pack) => gunzipSync(Buffer.from(pack, 'base64')).toString().split('\n')).sort()

it('of a run whose results folder is not there is made of the store’s records, without the seed', async () => {
  const other = new TestContest()
  await other.play()
  const before = await reportOnRun({ contest: other.contest }, other.context)
  rmSync(other.out, { recursive: true })
  const after = await reportOnRun({ contest: other.contest }, other.context)
  const { ratings, ...document } = after.data.document
  const { ratings: _, ...shown } = before.data.document
  expect(document).toEqual({ ...shown, seed: '' })
  expect(ratings?.rows).toHaveLength(3)
  expect(recordsIn(after.data)).toEqual(recordsIn(before.data))
  await expect(writeOwnPage(after)).rejects.toThrow('is not there any more: name a file')
  expect(reportMarkdown(after.data)).not.toContain('seed')
})

it('refuses a folder that holds no run', async () => {
  place.write('contest.json', '{}')
  await expect(reportOnRun({ contest: place.folder }, place.context)).rejects.toThrow('is not what agon run writes')
})
