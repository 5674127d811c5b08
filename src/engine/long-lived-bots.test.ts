import { expect, it } from 'vitest'
import { randomMatch } from '../../test/kit/archive.js'
import { CLOSED, type SeatedBot } from '../bots/index.js'
import type { BotOutput } from '../core/index.js'
import kuhn from '../games/kuhn/index.js'
import { replayHistory, wasStopped } from './long-lived-bots.js'

const seats = ['Ann', 'Bob'].map((entrant, id) => ({ entrant, id }))
const record = randomMatch(kuhn, '1/Ann-Bob/1', seats, { options: {} })

const of = { definition: kuhn, contest: { limits: {} } }

/** A bot that gives the same output to each question. */
const botOf = (output: BotOutput): SeatedBot => ({
  begin: () => undefined,
  ready: () => Promise.resolve({ output, wallUs: 0 }),
  send: () => undefined,
  ask: () => ({ output, wallUs: 0 }),
  dismiss: () => undefined,
  end: () => undefined,
  disturbed: () => undefined,
  close: () => Promise.resolve(),
  snapshot: () => undefined,
  restore: () => undefined,
  amend: () => undefined,
})

it('a bot that answers otherwise in its life again is found, and one that was ended meanwhile is not blamed', async () => {
  expect(await replayHistory(botOf({ out: 'something else' }), 'Ann', of, [record])).toBe('1/Ann-Bob/1')
  expect(await replayHistory(botOf(CLOSED), 'Ann', of, [record])).toBeUndefined()
})

it('a bot lives on while its late answers are forgiven', () => {
  const lateIn = (steps: number) => ({
    ...record,
    seats: record.seats.map((seat) => ({ ...seat, wire: 'jsonl' })),
    steps: Array.from({ length: steps }, () => [[0, { trouble: 'timeout' }]] as const),
  })
  const forgiving = { definition: kuhn, contest: { limits: { late: 2 } } }
  expect([1, 2, 3].map((n) => wasStopped(forgiving, lateIn(n), 'Ann'))).toEqual([false, false, true])
  expect([0, 1].map((n) => wasStopped(of, lateIn(n), 'Ann'))).toEqual([false, true])
})
