import { describe, expect, it } from 'vitest'
import { type AnyWire, type BotOutput, BusyError } from '../core/index.js'
import { FirstLook, type Running, StderrTail } from '../sandbox/index.js'
import type { BotLife } from './life.js'
import { LineBuffer } from './line-buffer.js'
import { PendingAnswer } from './open-question.js'
import { LinesBot } from './lines.js'
import { loaded } from './module-answers.js'
import type { ProcessHost } from './process-host.js'

const wire: AnyWire = { summary: 'lines', transport: 'lines', ask: () => ({}), read: () => '' }
const life = {
  name: 'Ant',
  wire,
  memory: 'tournament' as const,
  key: 'life',
  seed: () => 1,
  outputBytes: 100,
  updateLimit: 1000,
  stderr: new StderrTail(),
  note: () => undefined,
}

/**
 * A bot whose process is this test: `writes`: what it was sent, by writes; `pipe.printed`: what it printed, not read
 * yet; `pipe.answer` what it prints when it is sent something.
 */
function seat(wireOf: AnyWire = wire, more: Partial<BotLife> = {}) {
  const writes: string[] = []
  /** What its clock was told, in order. */
  const clock: string[] = []
  const pipe = { printed: '', answer: '' }
  const read = (): string => {
    const { printed } = pipe
    pipe.printed = ''
    return printed
  }
  let timeIsUp: (busy: boolean, cpuUs?: number) => void = () => undefined
  let output: (bytes: Buffer) => void = () => undefined
  const write = (bytes: Buffer): void => {
    writes.push(bytes.toString())
    pipe.printed += pipe.answer
    pipe.answer = ''
  }
  const running: Running = {
    send: write,
    endInput: () => undefined,
    drain: () => output(Buffer.from(read())),
    look: () => output(Buffer.from(read())),
    kill: () => undefined,
    exited: () => undefined,
    ended: new Promise<never>(() => undefined),
  }
  const host: ProcessHost = {
    ready: async () => undefined,
    start: (_seed, print) => {
      output = print
      return running
    },
    clock: (onTime) => {
      timeIsUp = onTime
      return {
        set: (limit) => void clock.push(`set ${limit}`),
        off: () => undefined,
        clear: () => undefined,
        load: (ms) => void clock.push(`load ${ms}`),
        rest: () => void clock.push('rest'),
      }
    },
    disturbances: { see: () => undefined, take: () => undefined } as unknown as ProcessHost['disturbances'],
    lost: () => undefined,
    snapshot: async () => undefined,
    amend: async () => undefined,
    close: async () => undefined,
  }
  const bot = new LinesBot({ ...life, wire: wireOf, ...more }, host)
  const ask = (line: string, number = 0, limit = 1000) =>
    bot.ask({ input: { lines: [line] }, view: {}, number, limit, skips: (text) => text === 'skipped' })
  const timeOf = (busy: boolean, cpuUs?: number): void => timeIsUp(busy, cpuUs)
  return { bot, ask, clock, writes, pipe, print: (text: string) => output(Buffer.from(text)), timeOf }
}

describe('a process that stays', () => {
  it('is sent its updates and the question behind them in one write', async () => {
    const { bot, ask, writes, pipe } = seat()
    await bot.begin('one')
    bot.send({ lines: ['start', 'more'] })
    bot.send({ lines: ['update'] })
    expect(writes).toEqual([])
    pipe.answer = 'A\n'
    await ask('question')
    expect(writes).toEqual(['start\nmore\nupdate\nquestion\n'])
  })

  it('is sent an update on its own where no question comes, and before what it keeps is looked at', async () => {
    const { bot, writes } = seat()
    await bot.begin('one')
    bot.send({ lines: ['update'] })
    await expect.poll(() => writes, { timeout: 60_000 }).toEqual(['update\n'])
    bot.send({ lines: ['end'] })
    await bot.snapshot()
    expect(writes).toEqual(['update\n', 'end\n'])
  })

  it('that has answered when it is looked at is not waited for', async () => {
    const { bot, ask, pipe } = seat()
    await bot.begin('one')
    pipe.answer = 'A\r\n'
    expect(ask('question')).toMatchObject({ output: { out: 'A' } })
  })

  it('that has not is read later, and what it printed before the question is no answer', async () => {
    const { bot, ask, print, pipe } = seat()
    await bot.begin('one')
    pipe.printed = 'early\n'
    const answer = ask('question')
    expect(answer).toBeInstanceOf(Promise)
    print('la')
    print('te\n')
    expect((await answer).output).toEqual({ out: 'late' })
  })

  it('floods at the first look, too', async () => {
    const { bot, ask, pipe } = seat()
    await bot.begin('one')
    pipe.answer = 'x'.repeat(101)
    expect(ask('question')).toMatchObject({ output: { trouble: 'flood' } })
    expect(ask('question')).toMatchObject({ output: { trouble: 'killed' } })
  })
})

describe('a process that may load', () => {
  const loading = () =>
    seat({ ...wire, loads: { within: 'start', ok: (line) => line === 'ready' } }, { startLimit: 5000 })

  it('has that time for its first answer, of which a bank pays for what is beyond it', async () => {
    const { bot, ask, clock, print } = loading()
    await bot.begin('one')
    const first = ask('question')
    print('A\n')
    expect(await first).toMatchObject({ output: { out: 'A' }, thoughtUs: 0 })
    const second = ask('question', 1)
    print('B\n')
    expect(await second).not.toHaveProperty('thoughtUs')
    expect(clock).toEqual(['load 5000', 'set 5000', 'load 0', 'set 1000'])
  })

  it('has its usual time from the moment when it says that it has loaded, asked or not', async () => {
    const { bot, ask, clock, print } = loading()
    await bot.begin('one')
    const first = ask('question')
    print('ready\nA\n')
    const answer = await first
    expect(answer.output).toEqual({ out: 'A' })
    expect(answer).not.toHaveProperty('thoughtUs')
    expect(clock).toEqual(['load 5000', 'set 5000', 'load 0', 'set 1000'])

    const early = loading()
    await early.bot.begin('one')
    early.print('banner\nready\n')
    const asked = early.ask('question')
    early.print('A\n')
    expect((await asked).output).toEqual({ out: 'A' })
    expect(early.clock).toEqual(['load 5000', 'load 0', 'set 1000'])
    expect(early.bot.surplusLines()).toBe(1)
  })

  it('has no less than its turn, and is late where it has neither answered nor loaded by then', async () => {
    const { bot, ask, clock, timeOf } = loading()
    await bot.begin('one')
    const first = ask('question', 0, 9000)
    expect(clock.at(-1)).toBe('set 9000')
    timeOf(false)
    expect((await first).output).toEqual({ trouble: 'timeout', why: 'no whole line within its first 9000 ms' })
  })
})

describe('a process whose late answers are forgiven', () => {
  const numbered: AnyWire = { ...wire, numberOf: (line) => Number(/\d+/.exec(line)?.[0] ?? NaN) || undefined }
  /** Late with questions 1 and 2 of a match, in which two may be late. */
  const late = async (wireOf: AnyWire) => {
    const seated = seat(wireOf, { forgiven: 2 })
    await seated.bot.begin('one')
    for (const number of [1, 2]) {
      const answer = seated.ask('question', number)
      seated.timeOf(false)
      expect((await answer).output).toEqual({ trouble: 'timeout', why: 'no whole line within 1000 ms' })
    }
    expect(seated.clock).toEqual(['set 1000', 'rest', 'set 1000', 'rest'])
    return seated
  }

  it('goes on, and a line without a number answers the oldest question that it owes', async () => {
    const { bot, ask, print, timeOf } = await late(wire)
    const third = ask('question', 3)
    print('A\nskipped\nB')
    print('B\nC\n')
    expect((await third).output).toEqual({ out: 'C' })
    // They were answers, though late ones.
    expect(bot.surplusLines()).toBe(0)
    const fourth = ask('question', 4)
    timeOf(false)
    expect((await fourth).output).toMatchObject({ trouble: 'timeout' })
    expect((await ask('question', 5)).output).toMatchObject({ trouble: 'killed' })
  })

  it('may be late as often in its next match, and still owes what it owed', async () => {
    const { bot, ask, print, timeOf } = await late(wire)
    await bot.begin('two')
    const first = ask('question', 0)
    timeOf(false)
    expect((await first).output).toMatchObject({ trouble: 'timeout' })
    const second = ask('question', 1)
    print('A\nB\nC\nD\n')
    expect((await second).output).toEqual({ out: 'D' })
  })

  it('is taken at its word where it says the number', async () => {
    const { ask, print } = await late(numbered)
    const third = ask('question', 3)
    print('a 1\na 3\n')
    expect((await third).output).toEqual({ out: 'a 3' })
    // It passed over question 2, and owes nothing more.
    const fourth = ask('question', 4)
    print('d\n')
    expect((await fourth).output).toEqual({ out: 'd' })
  })

  it('may be half through a late line, or through with it, when it is asked the next', async () => {
    const { ask, print } = await late(wire)
    print('A\nB')
    const third = ask('question', 3)
    print('B\nC\n')
    expect((await third).output).toEqual({ out: 'C' })
  })

  it('owes nothing on a wire that tells the end of what came before', async () => {
    const { ask, print } = await late({ ...wire, sync: { input: {}, ok: () => true } })
    const third = ask('question', 3)
    print('C\n')
    expect((await third).output).toEqual({ out: 'C' })
  })

  it('has lost a question for which no time is left, and is not sent it', async () => {
    const { bot, ask, writes } = seat(wire, { forgiven: 1 })
    await bot.begin('one')
    const why = 'had no time left'
    expect(ask('question', 0, 0)).toEqual({ output: { trouble: 'timeout', why }, wallUs: 0 })
    expect(ask('question', 1, 0)).toEqual({ output: { trouble: 'timeout', why }, wallUs: 0 })
    expect(ask('question', 2, 0)).toMatchObject({ output: { trouble: 'killed' } })
    expect(writes).toEqual([])
  })
})

describe('a process whose wire awaits a word before its first question', () => {
  const ready = {
    at: 'match',
    within: 'ready',
    expects: 'print READY',
    ok: ({ out }: BotOutput) => out === 'READY',
  } as const
  const begun = async (ok = ready.ok) => {
    const seated = seat({ ...wire, ready: { ...ready, ok } })
    await seated.bot.begin('one')
    return { ...seated, answer: seated.bot.ready(undefined, 5000) }
  }

  it('is ready once it has printed it, whatever it printed before', async () => {
    const { answer, print, ask, pipe } = await begun()
    print('hello\nREA')
    print('DY?\n\nREADY\n')
    expect((await answer).output).toEqual({ out: 'READY' })
    // A question is answered by any line.
    pipe.answer = 'hello\n'
    expect(ask('question')).toMatchObject({ output: { out: 'hello' } })
  })

  it('is late where it has not by then, and what it printed instead is kept', async () => {
    const { answer, print, timeOf } = await begun()
    print('hello\nyou\n')
    timeOf(false)
    expect((await answer).output).toEqual({
      trouble: 'timeout',
      why: 'did not print READY within 5000 ms',
      out: 'hello',
    })
  })

  it('floods where all that it prints instead is more than one answer may have', async () => {
    const { answer, print } = await begun()
    for (let i = 0; i < 10; i++) print('123456789\n')
    print('1\n')
    expect((await answer).output).toMatchObject({ trouble: 'flood' })
  })

  it("has its line judged with its match where the game's own test of it throws", async () => {
    const { answer, print } = await begun(() => {
      throw new Error("the game's mistake")
    })
    print('hello\n')
    expect((await answer).output).toEqual({ out: 'hello' })
  })
})

describe('what was printed', () => {
  it('is cut into lines, however it comes', () => {
    const buffer = new LineBuffer(100)
    for (const part of ['a', 'b\r', '\nc\n', '', 'd']) buffer.add(part)
    expect([buffer.takeLine(), buffer.takeLine(), buffer.takeLine(), buffer.start(9)]).toEqual([
      'ab',
      'c',
      undefined,
      'd',
    ])
  })
  it('is too much past a line of its length, and unasked past as much in a match', () => {
    const buffer = new LineBuffer(4)
    buffer.add('1234\n1234\n')
    expect(buffer.flood(true)).toBeUndefined()
    expect(buffer.flood(false)).toBe('printed more than 4 bytes without being asked')
    buffer.clear()
    buffer.add('12345')
    expect(buffer.flood(true)).toBe('printed more than 4 bytes for one answer')
    buffer.clear()
    buffer.add('12\n')
    expect(buffer.discard()).toBeUndefined()
    buffer.add('34')
    expect(buffer.discard()).toBe('printed more than 4 bytes without being asked')
    buffer.begin()
    buffer.add('34')
    expect(buffer.discard()).toBeUndefined()
  })
})

describe('the first look', () => {
  it('is taken ever more seldom in vain, and each time again once it found an answer', () => {
    const looks = new FirstLook()
    const due = (found: boolean): number => {
      let skipped = 0
      while (!looks.due()) skipped++
      looks.found(found)
      return skipped
    }
    expect([false, false, false, true, true].map(due)).toEqual([0, 1, 3, 7, 0])
  })
})

describe('who waits for an answer', () => {
  it('has it whether it comes before or after it is waited for', async () => {
    const answer = { output: { out: 'A' }, wallUs: 1 }
    const [early, late, failed] = [new PendingAnswer(), new PendingAnswer(), new PendingAnswer()]
    early.done(answer)
    expect(early.result()).toBe(answer)
    const waiting = late.result()
    late.done(answer)
    expect(await waiting).toBe(answer)
    failed.failed(new Error('ours'))
    await expect(failed.result()).rejects.toThrow('ours')
  })
})

describe('a module that is not loaded when the machine was too busy', () => {
  const load = async (cpuUs?: number) => {
    const { bot, timeOf } = seat()
    await bot.begin('one')
    const loading = loaded(bot, { lines: ['{}'] })
    await Promise.resolve()
    timeOf(true, cpuUs)
    return loading
  }

  it('is late where it has run for half of its time itself', async () => {
    expect(await load(10_000_000)).toMatchObject({
      output: { trouble: 'timeout', why: 'was not loaded after it had run for 10000 ms' },
    })
  })

  it.each([9_999_999, undefined])('is not judged where it ran for %s µs', async (cpuUs) => {
    await expect(load(cpuUs)).rejects.toThrow(BusyError)
  })
})
