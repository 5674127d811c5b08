import type { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type AnyWire, type BotOutput, BusyError } from '../core/index.js'
import { FirstLook, type Running, StderrTail } from '../sandbox/index.js'
import { LineBuffer } from './line-buffer.js'
import { PendingAnswer } from './open-question.js'
import { LinesBot } from './lines.js'
import { loaded } from './loading.js'
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
 * A bot whose process is this test: `writes` is what it was sent, write by write; `pipe.printed` what it has printed and was not read yet;
 * `pipe.answer` what it prints when it is sent something.
 */
function seat(wireOf: AnyWire = wire) {
  const writes: string[] = []
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
    stdin: { writable: true, writableLength: 0, write } as unknown as Writable,
    input: undefined,
    drain: () => output(Buffer.from(read())),
    look: read,
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
      return { set: () => undefined, off: () => undefined, clear: () => undefined }
    },
    disturbances: { see: () => undefined, take: () => undefined } as unknown as ProcessHost['disturbances'],
    lost: () => undefined,
    snapshot: async () => undefined,
    amend: async () => undefined,
    close: async () => undefined,
  }
  const bot = new LinesBot({ ...life, wire: wireOf }, host)
  const ask = (line: string) => bot.ask({ input: { lines: [line] }, view: {}, number: 0, limit: 1000 })
  const timeOf = (busy: boolean, cpuUs?: number): void => timeIsUp(busy, cpuUs)
  return { bot, ask, writes, pipe, print: (text: string) => output(Buffer.from(text)), timeOf }
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
