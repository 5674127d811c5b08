import { expect, it } from 'vitest'
import type { Answer, Player } from '../core/index.js'
import { Semaphore, ThrottledPlayer } from './semaphore.js'

it('a semaphore lets so many through at once, in the order in which they came', async () => {
  const semaphore = new Semaphore(2)
  let inside = 0
  let most = 0
  const order: number[] = []
  const pass = (n: number) =>
    semaphore.run(async () => {
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

it('a player that answers at once is not made to wait where there is a place, and gives its place back', async () => {
  const semaphore = new Semaphore(1)
  const answer: Answer = { output: { out: 'x' }, wallUs: 1 }
  const order: string[] = []
  let finish: (answer: Answer) => void = () => undefined
  const player = (name: string, ask: () => Promise<Answer> | Answer): Player => {
    const nothing = () => undefined
    const answered = () => (order.push(name), ask())
    return new ThrottledPlayer(
      { begin: nothing, ready: async () => answer, send: nothing, ask: answered, dismiss: nothing, end: nothing },
      semaphore,
    )
  }
  const question = { input: {}, view: {}, number: 0, limit: 1 }
  const quick = player('quick', () => answer)
  const slow = player('slow', () => new Promise((done) => (finish = done)))
  const broken = player('broken', () => {
    throw new Error('ours')
  })
  expect([quick.ask(question), quick.ask(question)]).toEqual([answer, answer])
  expect(() => broken.ask(question)).toThrow('ours')
  const first = slow.ask(question)
  // The only place is taken: now it waits, as a bot that computes elsewhere does.
  const second = quick.ask(question)
  expect([second instanceof Promise, order]).toEqual([true, ['quick', 'quick', 'broken', 'slow']])
  finish(answer)
  expect([await first, await second, quick.ask(question)]).toEqual([answer, answer, answer])
  expect(order.slice(4)).toEqual(['quick', 'quick'])
})
