import { expect, it } from 'vitest'
import type { AnyWire, MatchRecord } from '../core/index.js'
import { StallWatch, mayBeStalled } from './stalls.js'
import { semaphore } from './semaphore.js'

const wires = {
  turn: { transport: 'turn', limits: { turn: 100 } },
  slow: { transport: 'lines', limits: { turn: 1000, ready: 50 }, ready: { within: 'ready' } },
  module: { transport: 'module', limits: { turn: 100 } },
} as unknown as Record<string, AnyWire>
const late = { trouble: 'timeout' } as const
const record = (parts: Partial<MatchRecord>): MatchRecord =>
  ({
    ready: [],
    steps: [],
    seats: ['turn', 'slow', 'module'].map((wire) => ({ wire })),
    ...parts,
  }) as unknown as MatchRecord

it('a slip counts where someone was late whose limit it is a good part of', () => {
  const stalled = (parts: Partial<MatchRecord>, slip: number, limits = {}) =>
    mayBeStalled(record(parts), wires, limits, () => slip)
  expect(stalled({ steps: [[[0, late]]] }, 30)).toBe(true)
  expect(stalled({ steps: [[[0, late]]] }, 10)).toBe(false)
  expect(stalled({ steps: [[[0, late]]] }, 30, { turn: 1000 })).toBe(false)
  expect(stalled({ steps: [[[1, late]]] }, 30)).toBe(false)
  expect(stalled({ ready: [[1, late]] }, 30)).toBe(true)
  expect(stalled({ steps: [[[2, late]]] }, 99_000), 'a module stops this process itself').toBe(false)
  expect(stalled({ steps: [[[0, { trouble: 'crash' }]], [[0, 'x']]] }, 99_000)).toBe(false)
})

it('the watch sees its own clock slip, and forgets what was before', async () => {
  const watch = new StallWatch()
  const began = performance.now()
  while (performance.now() - began < 150);
  expect(watch.worst(began)).toBeGreaterThan(100)
  await new Promise((done) => setTimeout(done, 60))
  const later = performance.now()
  expect(watch.worst(later)).toBeLessThan(100)
  watch.close()
})

it('what others had the core for explains a slip, and what this process did itself does not', () => {
  let waited = 0
  const watch = new StallWatch(() => waited)
  const began = performance.now()
  while (performance.now() - began < 150);
  expect(watch.worstUnexplained(began)).toBeGreaterThan(100)
  const then = performance.now()
  while (performance.now() - then < 150);
  waited = performance.now() - then
  expect(watch.worstUnexplained(then)).toBeLessThan(watch.worst(then) - 100)
  watch.close()
})

it('a semaphore lets so many through at once, in the order in which they came', async () => {
  const limit = semaphore(2)
  let inside = 0
  let most = 0
  const order: number[] = []
  const pass = (n: number) =>
    limit(async () => {
      most = Math.max(most, ++inside)
      order.push(n)
      await new Promise((done) => setTimeout(done, 2))
      inside--
      if (n === 3) throw new Error('three')
    })
  const ended = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map(pass))
  expect(ended.map(({ status }) => status)).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((n) => (n === 3 ? 'rejected' : 'fulfilled')),
  )
  expect([most, order]).toEqual([2, [0, 1, 2, 3, 4, 5, 6]])
})
