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

test('what was late at first is asked again, to see whether it is always late or only slow to start', async () => {
  const answers = [900, 1, 900].map((ms): Answer => ({ output: { out: 'B' }, wallUs: 1000 * ms, chargedUs: 1000 * ms }))
  const player = { ask: () => Promise.resolve(answers.shift()) } as unknown as Player
  const observed = new ObservedPlayer(player, { again: false, salvage: false, start: 0 })
  const question = { view: {}, input: {}, limit: LIMIT } as Question
  await observed.ask(question)
  await observed.ask(question)
  expect(observed.exchanges.map(({ answer, nextMs }) => [answer.output.trouble, nextMs])).toEqual([
    ['timeout', 1],
    [undefined, undefined],
  ])
})
