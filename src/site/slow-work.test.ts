import { describe, expect, it } from 'vitest'
import { SlowWork } from './http/limits.js'

/** Work that lasts until it is let go. */
function held() {
  const waiting: (() => void)[] = []
  return {
    begun: waiting,
    work: () => new Promise<void>((done) => void waiting.push(done)),
  }
}

describe('slow work', () => {
  it('is done one piece at a time, with room for others in between', async () => {
    const slow = new SlowWork()
    let under = 0
    let most = 0
    let others = 0
    const tick = setInterval(() => others++, 0)
    const piece = async (): Promise<void> => {
      most = Math.max(most, ++under)
      const end = performance.now() + 5
      while (performance.now() < end);
      await Promise.resolve()
      under--
    }
    await Promise.all(['a', 'b', 'c', 'a', 'b', 'c'].map((from) => slow.run(from, piece)))
    clearInterval(tick)
    expect(most).toBe(1)
    expect(others).toBeGreaterThanOrEqual(5)
  })

  it('waits for so many pieces of an address, and in all', async () => {
    const slow = new SlowWork({ each: 2, all: 3 })
    const { begun, work } = held()
    const all = [slow.run('a', work), slow.run('a', work)]
    await expect(slow.run('a', work)).rejects.toThrow('too much is being looked up')
    all.push(slow.run('b', work))
    await expect(slow.run('c', work)).rejects.toMatchObject({ status: 429, detail: { wait: 2 } })
    for (const [n, one] of all.entries()) {
      await expect.poll(() => begun.length).toBe(n + 1)
      begun[n]?.()
      await one
    }
    await expect(slow.run('a', async () => 'done')).resolves.toBe('done')
  })

  it('goes on after a piece that fails', async () => {
    const slow = new SlowWork({ each: 1, all: 1 })
    await expect(slow.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(slow.run('a', async () => 'yes')).resolves.toBe('yes')
  })
})
