import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Answer, BotInput, Question } from '../core/index.js'
import { RestingBot } from './resting-bot.js'

let log: string[]
let lives: number
beforeEach(() => {
  ;[log, lives] = [[], 0]
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => void vi.useRealTimers())

/** A bot whose lives are numbered. */
function make(trouble?: 'crash') {
  const life = ++lives
  const answer = async (): Promise<Answer> => ({
    output: trouble === undefined ? { out: `${life}` } : { trouble },
    wallUs: 1,
  })
  return {
    begin: (key: string) => void log.push(`${life} begin ${key}`),
    ready: () => (log.push(`${life} ready`), answer()),
    send: ({ lines = [] }: BotInput) => void log.push(`${life} send ${lines.join()}`),
    ask: ({ number }: Question) => (log.push(`${life} ask ${number}`), answer()),
    dismiss: () => void log.push(`${life} dismiss`),
    close: async () => void log.push(`${life} close`),
    disturbed: () => undefined,
  }
}
const question = (number: number): Question => ({ input: {}, view: {}, number, limit: 1 })

it('is started once it is first asked, ended after a minute, and told again all that it was', async () => {
  const bot = new RestingBot(make, true, 60_000)
  await bot.begin('m')
  await bot.send({ lines: ['a'] })
  expect(log).toEqual([])
  await bot.ask(question(0))
  await vi.advanceTimersByTimeAsync(59_000)
  await bot.ask(question(1))
  await vi.advanceTimersByTimeAsync(59_000)
  expect(log.splice(0)).toEqual(['1 begin m', '1 send a', '1 ask 0', '1 ask 1'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(log.splice(0)).toEqual(['1 close'])
  await bot.send({ lines: ['b'] })
  expect((await bot.ask(question(2))).output).toEqual({ out: '2' })
  expect(log).toEqual(['2 begin m', '2 send a', '2 ask 0', '2 ask 1', '2 send b', '2 ask 2'])
})

it('stays where another one would have to be told very much', async () => {
  const bot = new RestingBot(make, true, 1000)
  await bot.begin('m')
  for (let n = 0; n < 1500; n++) await bot.send({ lines: ['a'] })
  await bot.ask(question(0))
  expect(log).toHaveLength(1502)
  await vi.advanceTimersByTimeAsync(60_000)
  await bot.ask(question(1))
  expect(log.slice(1502)).toEqual(['1 ask 1'])
})

it('is told nothing again where it remembers nothing', async () => {
  const bot = new RestingBot(make, false, 1000)
  await bot.begin('m')
  await bot.ask(question(0))
  await vi.advanceTimersByTimeAsync(1000)
  await bot.ask(question(1))
  expect(log).toEqual(['1 begin m', '1 ask 0', '1 close', '2 begin m', '2 ask 1'])
})

it('does not begin anew after trouble, nor once it was dismissed', async () => {
  const bot = new RestingBot(() => make('crash'), true, 1000)
  await bot.begin('m')
  await bot.ask(question(0))
  await vi.advanceTimersByTimeAsync(5000)
  await bot.ask(question(1))
  expect(lives).toBe(1)
  const other = new RestingBot(make, true, 1000)
  await other.begin('m')
  other.dismiss()
  expect((await other.ask(question(0))).output.trouble).toBe('killed')
  expect(lives).toBe(1)
})
