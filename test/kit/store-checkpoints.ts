import { describe, expect, it } from 'vitest'
import type { PlayedJob } from '../../src/store/port.js'
import { TOURNAMENT, played } from './records.js'
import { alone, type Opening } from './store-opening.js'

/** What every store does with what bots keep on disk. */
export function describeCheckpoints({ begun }: Opening): void {
  describe('checkpoints', () => {
    it('keeps what bots hold on disk with the job after which they held it', async () => {
      const store = await begun()
      const [now, start] = [{ 'state/a': 'AAAA' }, { 'state/a': '' }]
      const job = (n: number, by: NonNullable<PlayedJob['kept']>['by']): PlayedJob => ({
        ...alone(n, played(String(n), [0, 1], [1, 2])),
        kept: { tournament: TOURNAMENT, by },
      })
      expect(await store.kept(TOURNAMENT, 'Ant')).toBeUndefined()
      await store.record('one', [job(1, { Ant: { now }, Bee: { now, start } })])
      expect(await store.kept(TOURNAMENT, 'Bee')).toEqual({ now, start })
      await store.record('one', [job(2, { Ant: { now: start } })])
      expect(await store.kept(TOURNAMENT, 'Ant')).toEqual({ now: start })
      expect(await store.kept(TOURNAMENT, 'Bee')).toEqual({ now, start })
      // Of jobs that are stored together, what the last one left is kept.
      await store.record('one', [job(3, { Ant: { now }, Bee: { now: start } }), job(4, { Ant: { now: {}, start } })])
      expect(await store.kept(TOURNAMENT, 'Ant')).toEqual({ now: {}, start })
      expect(await store.kept(TOURNAMENT, 'Bee')).toEqual({ now: start })
      await store.record('one', [job(5, { Ant: { now: start } })])
      // A job that was there before says nothing of what its bots hold now.
      await store.record('one', [job(1, { Ant: { now: {} } })])
      expect(await store.kept(TOURNAMENT, 'Ant')).toEqual({ now: start })
      expect(await store.kept('cd'.repeat(16), 'Ant')).toBeUndefined()
    })
  })
}
