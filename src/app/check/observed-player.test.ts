import { expect, test } from 'vitest'
import type { Answer, Player, Question } from '../../core/index.js'
import { ObservedPlayer } from './observed-player.js'

const LIMIT = 200
const asked = (ask: () => Promise<Answer>): Promise<Answer> => {
  const player = new ObservedPlayer({ ask } as unknown as Player, { again: false, salvage: false, start: 0 })
  return player.ask({ view: {}, input: {}, limit: LIMIT } as Question)
}

test('a bot is not late where agon was at work and did not look', async () => {
  const answer = await asked(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    const began = performance.now()
    while (performance.now() - began < 1.5 * LIMIT);
    return { output: { out: 'B' }, wallUs: 1500 * LIMIT }
  })
  expect(answer.output).toEqual({ out: 'B' })
})

test.each<[what: string, Answer]>([
  ['by the clock', { output: { out: 'B' }, wallUs: 20_000 * LIMIT }],
  ['by what its sandbox measured', { output: { out: 'B' }, wallUs: 20_000 * LIMIT, chargedUs: 9000 * LIMIT }],
])('a bot is late %s', async (_, late) => {
  const { output } = await asked(() => Promise.resolve(late))
  expect(output).toMatchObject({ trouble: 'timeout', out: 'B' })
  expect(output.why).toMatch(/^took [\d,]+ ms of 200$/)
})
