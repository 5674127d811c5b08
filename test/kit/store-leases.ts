import { describe, expect, it } from 'vitest'
import { TOURNAMENT } from './records.js'
import type { Opening } from './store-opening.js'

/** What every store does with leases. */
export function describeLeases({ folder, opened, close }: Opening): void {
  describe('leases', () => {
    it('lets one at a time play a tournament of bots that remember it', async () => {
      const workspace = folder()
      const [one, two] = [await opened(workspace), await opened(workspace)]
      expect(await one.acquireLease(TOURNAMENT)).toBeUndefined()
      expect(await one.acquireLease(TOURNAMENT)).toBeUndefined()
      expect(await two.acquireLease(TOURNAMENT)).toBe(String(process.pid))
      expect(await two.acquireLease('cd'.repeat(16))).toBeUndefined()
      await close(one)
      expect(await two.acquireLease(TOURNAMENT)).toBeUndefined()
    })

    it('are released by their owner alone', async () => {
      const workspace = folder()
      const [one, two] = [await opened(workspace), await opened(workspace)]
      await one.acquireLease(TOURNAMENT)
      await two.acquireLease('cd'.repeat(16))
      await close(two)
      const three = await opened(workspace)
      expect(await three.acquireLease(TOURNAMENT)).toBe(String(process.pid))
      await close(one)
      expect(await three.acquireLease(TOURNAMENT)).toBeUndefined()
    })
  })
}
