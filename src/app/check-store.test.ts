import { beforeAll, expect, it } from 'vitest'
import { Database } from '../store/sqlite/database.js'
import { storeFile } from '../store/index.js'
import { TestContest } from '../../test/kit/stored-run.js'
import { checkWorkspace } from './check-store.js'
import { tableOfRun } from './run/table.js'

const place = new TestContest()
beforeAll(() => place.play())

function spoil(sql: string): void {
  const db = new Database(storeFile(place.context.workspace))
  db.exec(sql)
  db.close()
}

it('finds a store whole, all of it or the runs of one contest, and tells how far it is', async () => {
  const seen: (readonly [number, number])[] = []
  const whole = await checkWorkspace({}, place.context, (done, of) => seen.push([done, of]))
  expect(whole).toMatchObject({ runs: 1, matches: 3, findings: [] })
  expect(seen).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ])
  expect(await checkWorkspace({ contest: place.contest }, place.context)).toMatchObject({ runs: 1, matches: 3 })
  expect(await checkWorkspace({ contest: 'gunduel' }, place.context)).toMatchObject({ runs: 0, matches: 0 })
})

it('finds what is damaged, and mends it where that is wished', async () => {
  const table = async () => (await tableOfRun({ contest: place.contest }, place.context)).standings
  const before = await table()
  spoil('UPDATE match SET turns = turns + 1 WHERE id = (SELECT min(id) FROM match)')
  const found = await checkWorkspace({}, place.context)
  expect(found.findings.map(({ mended }) => mended)).toContain(false)
  const mended = await checkWorkspace({ mend: true }, place.context)
  expect(mended.findings.every((one) => one.mended)).toBe(true)
  expect(mended.copy).toBeDefined()
  expect((await checkWorkspace({}, place.context)).findings).toEqual([])
  expect(await table()).not.toEqual(before)
  await place.play({ resume: true })
  expect(await table()).toEqual(before)
})

it('is refused where there is no store, and ends where it is not wanted any more', async () => {
  await expect(checkWorkspace({}, { ...place.context, workspace: place.path('none') })).rejects.toThrow(
    'holds no store',
  )
  await expect(checkWorkspace({}, place.aborted)).rejects.toThrow('not wanted')
})
