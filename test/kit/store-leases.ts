import { describe, expect, it } from 'vitest'
import { TOURNAMENT } from './records.js'
import type { Opening } from './store-opening.js'

/** What every store does with leases. */
export function describeLeases({ folder, opened, close }: Opening): void {
  describe('leases', () => {
    it('lets one at a time play a tournament of bots that remember it', async () => {
      const workspace = folder()
      const [one, two] = [await opened(workspace), await opened(workspace)]
      expect(await one.claim(TOURNAMENT)).toBeUndefined()
      expect(await one.claim(TOURNAMENT)).toBeUndefined()
      expect(await two.claim(TOURNAMENT)).toBe(String(process.pid))
      expect(await two.claim('cd'.repeat(16))).toBeUndefined()
      await close(one)
      expect(await two.claim(TOURNAMENT)).toBeUndefined()
    })
  })
}
