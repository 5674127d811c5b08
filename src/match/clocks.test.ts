import { describe, expect, test } from 'vitest'
import { type Answer, type MatchRecord, type Question, allActions, newLuck } from '../core/index.js'
import samurai from '../games/samurai/index.js'
import { Clocks, leftOf } from './clocks.js'
import { digestOf } from './digest.js'
import { judge } from './judge.js'
import { playMatch } from './play.js'
import { replayAsSeat } from './replay-as-seat.js'
import { formatRecord, parseRecord } from './text.js'

const { game } = samurai
const limits = { turn: 60, bank: 100, increment: 10, late: 3 }

/** What a bot was sent of its time; each answer is legal and takes as many milliseconds as `times` says, in turn. */
function player(times: readonly Partial<Answer>[]) {
  const told: unknown[] = []
  const parsed = (lines: readonly string[] = []): Record<string, unknown>[] =>
    lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return {
    told,
    begin: () => undefined,
    ready: async () => ({ output: {}, wallUs: 0 }),
    send: ({ lines }: { lines?: readonly string[] }) =>
      void told.push(...parsed(lines).flatMap((one) => one['limits'] ?? [])),
    ask: ({ input, view, number, limit }: Question): Answer => {
      told.push(...parsed(input.lines).map(({ n, clock }) => ({ n, clock, limit })))
      const [out = ''] = allActions(game.legal(view))
      return { output: { out: JSON.stringify({ action: out }) }, wallUs: 1000, ...times[number] }
    },
    dismiss: () => undefined,
    end: () => undefined,
  }
}

const late = { trouble: 'timeout' } as const
async function played(times: readonly Partial<Answer>[], of: Readonly<Record<string, number>> = limits) {
  const seats = ['Ant', 'Bee'].map((entrant, id) => ({ entrant, wire: 'jsonl', id }))
  const { id, version } = game
  const fixture = {
    agon: 1,
    game: id,
    version,
    options: { ...game.options, turns: 5 },
    luck: newLuck(''),
    field: 2,
    seats,
  } as const
  const players = [player(times), player([])]
  return { record: await playMatch({ definition: samurai, fixture, players, limits: of }), told: players[0]?.told }
}

const TIMES: readonly Partial<Answer>[] = [
  { wallUs: 30_000.4 },
  { wallUs: 50_000, chargedUs: 40_000 },
  { wallUs: 70_000, chargedUs: 70_000, thoughtUs: 0 },
  { output: late, wallUs: 0 },
  { wallUs: 1000 },
]

describe('the clocks of a match', () => {
  test('pay for what answers took of their time, and the bots are told what is left', async () => {
    const { record, told } = await played(TIMES)
    expect(record.limits).toEqual({ turn: 60, bank: 100, increment: 10 })
    const steps = record.clock?.map(([first]) => first)
    // 100 − 30 + 10 = 80, − 40 + 10 = 50, + 10 = 60, all of it, and the increment.
    expect(steps).toEqual([30_000, 40_000, 0, 60_000, 1000])
    expect(leftOf(record)?.map(([first]) => first)).toEqual([100, 80, 50, 60, 10, 19])
    const clocks = [100, 80, 50, 60, 10].map((left, n) => ({ n, clock: { turn: 60, left }, limit: Math.min(60, left) }))
    expect(told).toEqual([{ turn: 60, start: 5000, bank: 100, increment: 10, late: 'forgive:3' }, ...clocks])
  })

  test('are not there without a bank', async () => {
    const { record, told } = await played(TIMES, { turn: 60 })
    expect([record.limits, record.clock, leftOf(record)]).toEqual([undefined, undefined, undefined])
    expect(told?.slice(0, 2)).toEqual([
      { turn: 60, start: 5000 },
      { n: 0, clock: { turn: 60 }, limit: 60 },
    ])
    expect(formatRecord(record)).not.toMatch(/"(?:limits|clock)"/)
  })

  test('are judged: no answer takes more than was left, and none is late before', async () => {
    const { record } = await played(TIMES)
    const again = parseRecord(formatRecord(record))
    expect(digestOf(again, judge(samurai, again))).toBe(digestOf(record, judge(samurai, record)))
    const bent = (step: number, us: number): MatchRecord => ({
      ...record,
      clock: record.clock?.map((row, t) => (t === step ? row.map((one, k) => (k === 0 ? us : one)) : row)),
    })
    const wrong = (one: MatchRecord) => () => judge(samurai, one)
    expect(wrong(bent(1, 80_001))).toThrow('step 2: seat 0: an answer that took 80.001 ms of the 80 ms that were left')
    expect(wrong(bent(3, 59_999))).toThrow('step 4: seat 0: late after 59.999 ms of the 60 ms that it had')
    expect(() => judge(samurai, bent(3, 99_999))).not.toThrow()
    expect(wrong({ ...record, clock: record.clock?.slice(0, -1) })).toThrow(
      'step 5: 2 answers, and 0 times of the clock',
    )
    expect(wrong({ ...record, clock: undefined })).toThrow('without')
    expect(wrong({ ...record, limits: undefined })).toThrow('without')
  })

  test('are told the same to a bot that is led through the match again', async () => {
    const { record, told } = await played(TIMES)
    const again = player([])
    for await (const _ of replayAsSeat(again, { definition: samurai, record, seat: 0, limits, limit: 7 }));
    expect(again.told).toEqual(
      told?.map((one) => (Object.hasOwn(one as object, 'limit') ? { ...(one as object), limit: 7 } : one)),
    )
  })

  test('take no more than was left, and of a late answer all that it had', () => {
    const clocks = new Clocks({ bank: 100 }, [undefined, undefined])
    expect(clocks.take(0, { out: '' }, { wallUs: 100_500 })).toBe(100_000)
    expect(clocks.of(0)).toBe(0)
    expect(clocks.take(0, late, { wallUs: 5 })).toBe(0)
    expect(clocks.take(1, late, { wallUs: 5 })).toBe(100_000)
  })
})
