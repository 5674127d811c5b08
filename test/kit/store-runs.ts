import { describe, expect, it } from 'vitest'
import { entrantsOf, keyOf, played, runOf } from './records.js'
import { alone, recordsOf, type Opening } from './store-opening.js'

/** What every store does with runs. */
export function describeRuns({ begun }: Opening): void {
  describe('runs', () => {
    it('keeps runs with all that is known of them, the newest first', async () => {
      const store = await begun()
      const later = runOf('two', { began: '2024-05-02T10:00:00.000Z', seed: '2' })
      await store.addRun(later, entrantsOf())
      expect((await store.runs()).map(({ id }) => id)).toEqual(['two', 'one'])
      expect(await store.run('two')).toEqual({ ...later, matches: 0 })
      expect(await store.entrants('two')).toEqual(entrantsOf())
      expect(await store.run('three')).toBeUndefined()
      await expect(store.addRun(later, entrantsOf())).rejects.toThrow('UNIQUE')
      await store.setState('two', 'finished')
      const finished = await store.run('two')
      expect([finished?.state, Date.parse(finished?.ended ?? '') > Date.parse(later.began)]).toEqual(['finished', true])
      expect((await store.run('one'))?.state).toBe('open')
    })

    it('removes a run and the matches that no other run holds', async () => {
      const store = await begun()
      await store.addRun(runOf('two'), entrantsOf())
      const matches = Array.from({ length: 70 }, (_, n) => alone(n, played(`1/Ant-Bee/${n}`, [0, 1], [1, 2])))
      await store.record('one', matches)
      await store.adopt('two', [keyOf(3), keyOf(69)])
      await store.removeRun('one')
      expect((await store.runs()).map(({ id }) => id)).toEqual(['two'])
      expect(await store.adopt('two', [keyOf(2), keyOf(3), keyOf(69)])).toEqual(new Set([keyOf(3), keyOf(69)]))
      expect(await recordsOf(store, keyOf(3))).toEqual([matches[3]?.matches[0]?.record])
      expect(await recordsOf(store, keyOf(69))).toEqual([matches[69]?.matches[0]?.record])
      await store.record('two', matches.slice(2, 3))
      expect(await recordsOf(store, keyOf(2))).toEqual([matches[2]?.matches[0]?.record])
    })

    it('remembers who is out, what bots wrote, and ratings', async () => {
      const store = await begun()
      const exclusion = { name: 'Cat', status: 'withdrawn', treatment: 'void', why: 'asked for it' } as const
      await store.exclude('one', exclusion)
      expect(await store.exclusions('one')).toEqual([exclusion])
      await store.saveStderr('one', new Map([['Ant', 'oh no\n']]))
      expect([await store.stderr('one', 'Ant'), await store.stderr('one', 'Bee')]).toEqual(['oh no\n', ''])
      const rating = { entrant: 1, kind: 'bradley-terry', value: 12.5, low: -1, high: 20 }
      await store.saveRatings('one', [{ ...rating, value: 1 }])
      await store.saveRatings('one', [rating])
      expect(await store.ratings('one')).toEqual([rating])
    })
  })
}
