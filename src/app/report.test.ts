import { beforeAll, expect, it } from 'vitest'
import { StoredRun } from '../../test/kit/stored-run.js'
import { excludeEntrant } from './exclude.js'
import { reportOnRun } from './report.js'

const place = new StoredRun()
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

it('refuses a folder that holds no run', async () => {
  place.write('contest.json', '{}')
  await expect(reportOnRun({ contest: place.folder }, place.context)).rejects.toThrow('holds no finished run')
})
