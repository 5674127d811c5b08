import { expect, it } from 'vitest'
import type { AnyWire, MatchRecord } from '../core/index.js'
import { StallWatch, isAnyLate, mayBeStalled } from './stalls.js'

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
    mayBeStalled(record(parts), wires, limits, slip)
  expect(stalled({ steps: [[[0, late]]] }, 30)).toBe(true)
  expect(stalled({ steps: [[[0, late]]] }, 10)).toBe(false)
  expect(stalled({ steps: [[[0, late]]] }, 30, { turn: 1000 })).toBe(false)
  expect(stalled({ steps: [[[1, late]]] }, 30)).toBe(false)
  expect(stalled({ steps: [[[0, late]]], limits: { bank: 40 }, clock: [[40_000]] }, 10), 'a bank').toBe(true)
  expect(stalled({ ready: [[1, late]] }, 30)).toBe(true)
  expect(stalled({ steps: [[[2, late]]] }, 99_000), 'a module stops this process itself').toBe(false)
  expect(stalled({ steps: [[[0, { trouble: 'crash' }]], [[0, 'x']]] }, 99_000)).toBe(false)
})

it('what this process did itself is no slip, and what others had the core for is none', async () => {
  const busy = new StallWatch()
  const began = performance.now()
  while (performance.now() - began < 300);
  expect(busy.worst(began)).toBeLessThan(200)
  busy.close()
  let times = { idle: 0, waited: 0 }
  const watch = new StallWatch(() => times)
  const slip = (idle: number, waited: number): number => {
    const since = performance.now()
    times = { idle: times.idle + idle, waited: times.waited + waited }
    return watch.worst(since)
  }
  // It may be idle for the 20 ms between two looks.
  expect([slip(20, 0), slip(320, 0), slip(320, 300), slip(320, 200)]).toEqual([0, 300, 0, 100])
  watch.close()
})

it('a bot was late where a step or its readiness says so', () => {
  expect(isAnyLate(record({ steps: [[[0, '1']], [[0, { trouble: 'crash' }]]] }))).toBe(false)
  expect(
    isAnyLate(
      record({
        steps: [
          [[0, '1']],
          [
            [0, '1'],
            [1, late],
          ],
        ],
      }),
    ),
  ).toBe(true)
  expect(isAnyLate(record({ ready: [[1, late]], steps: [] }))).toBe(true)
})
