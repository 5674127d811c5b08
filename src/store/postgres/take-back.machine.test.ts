import { beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../../test/kit/postgres.js'
import { TOURNAMENT, entrantsOf, keyOf, played, runOf } from '../../../test/kit/records.js'
import { storeAs } from '../../../test/kit/store-as.js'
import { alone } from '../../../test/kit/store-opening.js'
import type { KeptFiles, PlayedJob } from '../data.js'
import type { ServerStore } from '../port.js'
import { checkServerStore } from './check.js'
import { openServerStore } from './store.js'

async function withStore(work: (store: ServerStore) => Promise<void>): Promise<void> {
  const store = await openServerStore(await (await testServer()).database(), 'test', () => undefined)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

const nothingJudged = { judge: () => undefined, rate: () => [], mend: false, progress: () => undefined }
const findings = async (url: string): Promise<string[]> =>
  (await checkServerStore(url, nothingJudged, () => undefined)).findings.map(({ what }) => what)

const job = (i: number): PlayedJob => alone(i, played(String(i), [0, 1], [1, 2]))
const stored = async (store: ServerStore, run: string, n: number): Promise<number[]> => {
  const keys = Array.from({ length: n }, (_, i) => keyOf(i))
  const there = await store.readJobs(run, keys)
  return keys.flatMap((key, i) => (there.has(key) ? [i] : []))
}

describe.runIf(PROGRAMS !== undefined)('what is taken back of a worker that is not believed', () => {
  beforeAll(async () => {
    await testServer()
  }, 300_000)

  it.each([
    ['all of bots that live through the tournament, where a worker played one of theirs', 1, [3], 3],
    ['what that worker played alone, where it was another', 3, [0, 1, 2], 1],
  ])('is %s', async (_, bad, left, gone) => {
    await withStore(async (store) => {
      const live = entrantsOf().map((one, i) => ({
        ...one,
        hash: `${one.hash} that lives`,
        memory: i === 0 ? ('tournament' as const) : one.memory,
      }))
      await store.addRun(runOf('lives'), live)
      for (const [i, seats] of [
        [0, 1],
        [0, 2],
        [1, 0],
        [1, 2],
      ].entries()) {
        const by: Record<string, KeptFiles> = seats.includes(0) ? { Ant: { now: { 'state/a': 'AAAA' } } } : {}
        const kept = { tournament: TOURNAMENT, by }
        const one = { ...alone(i, played(String(i), seats, [1, 2])), kept }
        await storeAs(i === bad ? 'liar' : 'honest', store, 'lives', [one])
      }
      expect(await store.takeBack('lives', 'liar', 'it lied')).toEqual({ matches: gone, others: [] })
      expect(await stored(store, 'lives', 4)).toEqual(left)
      expect((await store.kept(TOURNAMENT, 'Ant')) === undefined).toBe(gone === 3)
      expect(await findings(store.url)).toEqual([])
    })
  })

  it('is gone from other runs, too, which keep their other matches and can be resumed', async () => {
    await withStore(async (store) => {
      for (const run of ['one', 'two', 'third']) await store.addRun(runOf(run), entrantsOf())
      await storeAs('liar', store, 'one', [job(0), job(1)])
      await storeAs('honest', store, 'two', [job(2), job(3)])
      await store.adopt('two', [keyOf(0)])
      await store.adopt('third', [keyOf(2)])
      await store.setState('two', 'finished')
      await store.setState('third', 'finished')
      const aside = () =>
        store.query<{ id: string; aside: string | null }>('SELECT id, aside FROM agon.worker ORDER BY id')
      await expect(store.takeBack('nowhere', 'liar', 'it lied')).rejects.toBeInstanceOf(Error)
      expect((await aside()).rows.map((one) => one.aside)).toEqual([null, null])
      // Whoever wrote it named somebody else.
      expect(await store.takeBack('one', 'liar', 'it lied', [keyOf(3)])).toEqual({ matches: 3, others: ['two'] })
      expect((await aside()).rows).toEqual([
        { id: 'honest', aside: null },
        { id: 'liar', aside: 'it lied' },
      ])
      expect(await stored(store, 'one', 4)).toEqual([2])
      expect(await store.run('two')).toMatchObject({ state: 'open', matches: 1 })
      expect([...(await store.results('two')).keys()]).toEqual(['2'])
      expect((await store.leaderboard('two'))[0]).toMatchObject({ name: 'Ant', matches: 1, wins: 1 })
      expect(await store.run('third')).toMatchObject({ state: 'finished', matches: 1 })
      expect((await store.log('two')).at(-1)).toMatchObject({
        what: 'took back',
        detail: { worker: 'liar', matches: 2 },
      })
      expect(await findings(store.url)).toEqual([])
    })
  })

  it('is also what it stored for no run: a run would take that later', async () => {
    await withStore(async (store) => {
      for (const run of ['one', 'gone']) await store.addRun(runOf(run), entrantsOf())
      await storeAs('liar', store, 'gone', [job(0), job(1)])
      await storeAs('honest', store, 'gone', [job(2)])
      await store.removeRun('gone', 'keep')
      expect(await store.takeBack('one', 'liar', 'it lied')).toEqual({ matches: 2, others: [] })
      expect(await stored(store, 'one', 3)).toEqual([2])
    })
  })
})
