import { describe, expect, it } from 'vitest'
import type { JobDump } from '../../src/store/port.js'
import { TOURNAMENT, keyOf, played } from './records.js'
import { all, alone, type Opening } from './store-opening.js'

/** A NUL, halves of surrogate pairs, pairs, and what a store may use to mark such texts. */
const ODD_TEXTS = ['a\0b', '\0', 'x\ud83d', '\ude00', '\u{1f600}', '\ufdd0', '\ufdd0"x"', '\ufeffa']

/** What every store does with whole runs as data. */
export function describeDumps({ opened, begun }: Opening): void {
  describe('dumps', () => {
    it.each(ODD_TEXTS)('gives back what bots and people wrote, whatever it is: %j', async (text) => {
      const store = await begun()
      const faults = [{ seat: 0, turn: 0, fault: 'illegal', why: text, said: `${text}end` } as const]
      await store.record('one', [alone(1, { ...played('a', [0, 1], [2, 1]), faults })])
      const [match] = await store.matches('one', 0)
      expect((await store.browse('one', { limit: 1 })).matches[0]?.faults).toEqual(faults)
      const ruling = { match: match?.id ?? 0, outcome: { place: [1, 1], reason: 'ruled' }, why: text }
      const exclusion = { name: 'Dog', status: 'disqualified', treatment: 'lost', why: text } as const
      // The second time what was there is replaced.
      for (let time = 0; time < 2; time++) {
        await store.rule('one', [ruling])
        await store.exclude('one', exclusion)
        await store.saveStderr('one', new Map([['Ant', text]]))
      }
      const [dump, jobs] = [await store.dump('one'), await all(store.jobs('one'))]
      expect(dump).toMatchObject({ exclusions: [exclusion], rulings: [{ why: text }], stderr: { Ant: text } })
      expect(jobs[0]?.matches[0]?.faults).toEqual(faults)
      const copy = await opened()
      await copy.load(dump, async function* () {
        yield* jobs
      })
      expect(await copy.dump('one')).toEqual(dump)
    })

    it('is rebuilt exactly from what it dumps', async () => {
      const store = await begun()
      const kept = { tournament: TOURNAMENT, by: { Ant: { now: { a: 'AA==' }, start: {} } } }
      const series = [played('b/1', [2, 3], [1, 1]), { ...played('b/2', [3, 2], [1, 2]), playoff: true }]
      const faults = [{ seat: 0, turn: 0, fault: 'illegal', why: 'no', said: 'Z' } as const]
      await store.record('one', [{ ...alone(1, { ...played('a', [0, 1], [2, 1]), faults }), kept }])
      await store.record('one', [{ key: keyOf(2), matches: series }])
      const [match] = await store.matches('one', 0)
      await store.rule('one', [{ match: match?.id ?? 0, outcome: { place: [1, 1], reason: 'ruled' }, why: 'why' }])
      await store.exclude('one', { name: 'Dog', status: 'disqualified', treatment: 'lost', why: 'faults' })
      await store.saveStderr('one', new Map([['Ant', 'text']]))
      await store.saveRatings('one', [{ entrant: 0, kind: 'k', value: 1, low: 0, high: 2 }])
      await store.setState('one', 'finished')
      const [dump, jobs] = [await store.dump('one'), await all(store.jobs('one'))]

      const copy = await opened()
      const stream = async function* (): AsyncGenerator<JobDump> {
        yield* jobs
      }
      // Twice: an import that was cut short is resumed by importing again.
      for (let time = 0; time < 2; time++) await copy.load(dump, stream)
      expect(await copy.dump('one')).toEqual(dump)
      expect(await all(copy.jobs('one'))).toEqual(jobs)
      expect(await copy.leaderboard('one')).toEqual(await store.leaderboard('one'))
      expect(await copy.results('one')).toEqual(await store.results('one'))
      expect(await copy.run('one')).toEqual(await store.run('one'))

      // The same course that took another time, or whose record has other parts outside of its digest: what came first stays.
      const slower = jobs.map((job) => ({
        ...job,
        matches: job.matches.map((one) => ({ ...one, record: { ...one.record, times: [], with: [{ p: 1 }, null] } })),
      }))
      await copy.load(dump, async function* () {
        yield* slower
      })
      expect(await all(copy.jobs('one'))).toEqual(jobs)

      // What another run brought before stands where it stood.
      const later = jobs.map((job, i) => ({
        ...job,
        matches: job.matches.map((one) => ({ ...one, at: `2026-01-0${i + 1}T00:00:00.000Z` })),
      }))
      const shared = await opened()
      await shared.load({ ...dump, rulings: [], run: { ...dump.run, id: 'two' } }, async function* () {
        yield* later.slice(1)
      })
      await shared.load(dump, async function* () {
        yield* later
      })
      expect(await all(shared.jobs('one'))).toEqual(later)

      const changed = jobs.map((job) => ({
        ...job,
        matches: job.matches.map((one) => ({ ...one, record: { ...one.record, steps: [] } })),
      }))
      await expect(
        copy.load(dump, async function* () {
          yield* changed
        }),
      ).rejects.toThrow(/other moves/)
    })
  })
}
