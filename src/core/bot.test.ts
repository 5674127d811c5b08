import { expect, it } from 'vitest'
import { type Bot, botOf, takesLegal } from './bot.js'

const parameters = { p: 0.1, word: 'x', quick: true }
const bot: Bot<unknown, string, typeof parameters> = (_view, _chance, _legal, { p, word, quick }) =>
  `${p} ${word} ${quick}`
const chance = { seed: 0, random: () => 0, below: () => 0 }

it('gives a module its parameters, those that the contest names over its own', () => {
  expect(botOf({ default: bot, parameters })({}, chance, [])).toBe('0.1 x true')
  const given = botOf({ default: bot, parameters }, { p: 0.3, quick: false })
  expect(given({}, chance, [])).toBe('0.3 x false')
  expect(takesLegal(given)).toBe(true)
  expect(parameters).toEqual({ p: 0.1, word: 'x', quick: true })
})

it('hands on a bot without parameters as it is', () => {
  const plain = (): string => 'a'
  expect(botOf({ default: plain })).toBe(plain)
  expect(takesLegal(botOf({ default: plain }))).toBe(false)
})

it.each([
  [{ default: 5 }, {}, 'its default export is number'],
  [{ default: bot, parameters }, { q: 1 }, 'it has no parameter "q"; it has p, word, quick'],
  [{ default: bot, parameters }, { qick: true }, '(did you mean "quick"?)'],
  [{ default: bot, parameters }, { constructor: 1 }, 'it has no parameter "constructor"'],
  [{ default: bot, parameters }, { p: 'much' }, 'its parameter p = "much" must be a number, such as 0.1'],
  [{ default: bot }, { p: 1 }, 'it has no parameters: leave with out'],
  [{ default: bot, parameters: { p: [1] } }, {}, 'its parameters are no numbers'],
  [{ default: bot, parameters: 7 }, {}, 'its parameters are no numbers'],
])('refuses %j with %j', (module, given, why) => {
  expect(() => botOf(module, given as Record<string, number>)).toThrow(why)
})
