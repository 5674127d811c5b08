import { describe, expect, it } from 'vitest'
import { runOf } from './records.js'
import type { Opening } from './store-opening.js'

/** What every store does with its log. */
export function describeLog({ begun }: Opening): void {
  describe('the log', () => {
    it('remembers what was done in a run, in order, and by which agon', async () => {
      const store = await begun()
      await store.addRun(runOf('two'))
      await store.exclude('one', { name: 'Cat', status: 'withdrawn', treatment: 'void', why: 'asked for it' })
      await store.note('one', 'void', { match: 'a' })
      const log = await store.log('one')
      expect(log.map(({ what, agon }) => [what, agon])).toEqual(
        ['began', 'withdrawn', 'void'].map((what) => [what, 'test']),
      )
      expect(log[1]?.detail).toEqual({ name: 'Cat', treatment: 'void', why: 'asked for it' })
      expect((await store.log('two')).map(({ what }) => what)).toEqual(['began'])
    })
  })
}
