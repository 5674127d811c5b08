import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AnyWire } from '../core/index.js'
import { StderrTail } from '../sandbox/index.js'
import type { BotLife } from './life.js'
import { RemoteBot, type SeatEvents } from './remote.js'

const wire: AnyWire = { summary: 'lines', transport: 'lines', ask: () => ({}), read: () => '' }
const life = {
  name: 'Ada',
  wire,
  memory: 'series' as const,
  key: 'life',
  seed: () => 1,
  outputBytes: 20,
  updateLimit: 1000,
  stderr: new StderrTail(),
  note: () => undefined,
}
const PATIENCE_MS = 8000
const question = (number = 0, skips?: (line: string) => boolean) => ({
  input: { lines: [`question ${number}`] },
  view: {},
  number,
  limit: 1000,
  skips,
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A bot whose machine is this test: it has received all up to the number `reached`. */
async function seat(more: Partial<BotLife> = {}) {
  const machine = { sent: [] as string[], closed: [] as boolean[], reached: Infinity, broken: 0, there: true }
  const lost = new Set<string>()
  let events: SeatEvents | undefined
  const bot = new RemoteBot(
    { ...life, ...more },
    'ada',
    {
      isThere: () => machine.there,
      patience: () => PATIENCE_MS,
      lostFirst: (_, key) => !lost.has(key) && lost.add(key).size > 0,
      sit: async (_, __, seen) => {
        events = seen
        return machine.there
          ? {
              send: (line) => machine.sent.push(line),
              hasReached: (n) => n <= machine.reached,
              breakOff: () => {
                machine.broken++
                seen.broken()
              },
              close: (killed) => void machine.closed.push(killed),
            }
          : undefined
      },
    },
    200,
    () => Date.now(),
  )
  await bot.begin('m')
  return { bot, machine, at: () => events as SeatEvents }
}

it('a line answers if the question had come before it, and takes the way off its time', async () => {
  const { bot, machine, at } = await seat()
  bot.send({ lines: ['start'] })
  const answer = bot.ask(question())
  expect(machine.sent).toEqual(['start', 'question 0'])
  at().line('on its way', 1)
  vi.advanceTimersByTime(700)
  at().line('an answer', 2)
  expect(await answer).toEqual({ output: { out: 'an answer' }, wallUs: 700_000, chargedUs: 500_000 })
  at().line('another', 2)
  const next = bot.ask(question(1))
  at().line('a thought', 3)
  at().line('the next', 3)
  expect((await next).output).toEqual({ out: 'a thought' })
})

it('lines that are no answer are passed over', async () => {
  const { bot, at } = await seat()
  const answer = bot.ask(question(0, (line) => line === 'ready'))
  at().line('ready', 1)
  at().line('an answer', 1)
  expect((await answer).output).toEqual({ out: 'an answer' })
})

it('has its limit and the way’s; then it is late, and out of the match', async () => {
  const { bot, machine } = await seat()
  const answer = bot.ask(question())
  vi.advanceTimersByTime(1199)
  expect(machine.closed).toEqual([])
  vi.advanceTimersByTime(1)
  expect((await answer).output).toMatchObject({ trouble: 'timeout' })
  expect(machine.closed).toEqual([true])
  expect((await bot.ask(question(1))).output).toMatchObject({ trouble: 'killed' })
  expect(bot.disturbed()).toBeUndefined()
})

it('a question that has not come to its machine is no timeout: the connection is given up', async () => {
  const { bot, machine, at } = await seat()
  machine.reached = 0
  const answer = bot.ask(question())
  vi.advanceTimersByTime(1200)
  expect(machine.broken).toBe(1)
  vi.advanceTimersByTime(5000)
  at().back()
  machine.reached = 1
  at().line('an answer', 1)
  expect((await answer).output).toEqual({ out: 'an answer' })
})

it('while its connection is broken no clock runs, and it goes on where it was', async () => {
  const { bot, at } = await seat()
  const answer = bot.ask(question())
  vi.advanceTimersByTime(600)
  at().broken()
  vi.advanceTimersByTime(PATIENCE_MS - 1)
  at().back()
  vi.advanceTimersByTime(500)
  at().line('an answer', 1)
  expect(await answer).toEqual({ output: { out: 'an answer' }, wallUs: 1_100_000, chargedUs: 900_000 })
})

it('all breaks of a match together may last so long', async () => {
  const { bot, at } = await seat()
  const answer = bot.ask(question())
  for (let i = 0; i < 2; i++) {
    at().broken()
    vi.advanceTimersByTime(5000)
    if (i === 0) at().back()
  }
  expect((await answer).output).toMatchObject({ trouble: 'timeout' })
})

it('lost, it makes its match void the first time, and loses by a timeout the second', async () => {
  const { bot, at } = await seat()
  for (const isFirst of [true, false]) {
    await bot.begin('m')
    const answer = bot.ask(question())
    at().broken()
    vi.advanceTimersByTime(PATIENCE_MS)
    expect((await answer).output).toMatchObject({ trouble: 'timeout' })
    expect(bot.disturbed()?.certain).toBe(isFirst ? false : undefined)
  }
  await bot.begin('another match')
  at().lost('another connection took over')
  expect(bot.disturbed()?.why).toBe('Ada: another connection took over')
})

it('is late at once if it is not connected', async () => {
  const { bot, machine } = await seat()
  machine.there = false
  await bot.begin('m2')
  expect((await bot.ask(question())).output).toMatchObject({ trouble: 'timeout', why: 'it was not connected' })
  expect(bot.disturbed()).toBeDefined()
})

it('its program’s end is a crash, and too long a line a flood', async () => {
  const { bot, at } = await seat()
  const crash = bot.ask(question())
  at().ended('ended with exit code 3')
  expect((await crash).output).toEqual({ trouble: 'crash', why: 'ended with exit code 3', out: undefined })
  await bot.begin('m2')
  const flood = bot.ask(question())
  at().line('x'.repeat(21), 1)
  expect((await flood).output.trouble).toBe('flood')
})

it('what comes of a match that is over counts for nothing', async () => {
  const { bot, machine, at } = await seat()
  const before = at()
  bot.end()
  expect(machine.closed).toEqual([false])
  await bot.begin('m2')
  const answer = bot.ask(question())
  before.line('of the first', 9)
  before.lost('of the first')
  at().line('of the second', 2)
  expect((await answer).output).toEqual({ out: 'of the second' })
})

const LOADS: AnyWire = {
  ...wire,
  loads: { within: 'start', ok: (line) => line === 'ready' },
  numberOf: (line) => (/^\d/.test(line) ? Number.parseInt(line, 10) : undefined),
}

it('its first answer in a match may take the time to load, until it says that it has loaded', async () => {
  const { bot, at } = await seat({ wire: LOADS, startLimit: 5000 })
  const slow = bot.ask(question())
  vi.advanceTimersByTime(5000)
  at().line('an answer', 1)
  expect(await slow).toMatchObject({ output: { out: 'an answer' }, chargedUs: 4_800_000, thoughtUs: 0 })
  await bot.begin('m2')
  const ready = bot.ask(question())
  vi.advanceTimersByTime(3000)
  at().line('ready', 2)
  vi.advanceTimersByTime(1199)
  at().line('an answer', 2)
  expect(await ready).toMatchObject({ output: { out: 'an answer' }, chargedUs: 999_000, thoughtUs: undefined })
  const late = bot.ask(question(1))
  vi.advanceTimersByTime(1200)
  expect((await late).output.trouble).toBe('timeout')
})

it('a late answer that is forgiven is passed over when it comes', async () => {
  const { bot, machine, at } = await seat({ wire: LOADS, forgiven: 2 })
  for (const n of [0, 1]) {
    const late = bot.ask(question(n))
    vi.advanceTimersByTime(1200)
    expect((await late).output.trouble).toBe('timeout')
  }
  expect(machine.closed).toEqual([])
  at().line('the first', 2)
  const next = bot.ask(question(2))
  at().line('1 the second', 3)
  at().line('2 in time', 3)
  expect((await next).output).toEqual({ out: '2 in time' })
  const third = bot.ask(question(3))
  vi.advanceTimersByTime(1200)
  expect((await third).output.trouble).toBe('timeout')
  expect(machine.closed).toEqual([true])
})
