import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Field, type FieldBot, type FieldMatch, agreements, fieldOf, playField } from '../../../test/kit/field.js'
import definition from './index.js'

let field: Field
/** Every bot against the third after it, once in each seat. */
let matches: readonly FieldMatch[]
const bot = (name: string): FieldBot => field.bots.find((one) => one.name === name) as FieldBot

beforeAll(async () => {
  field = await fieldOf(definition)
  const { bots } = field
  matches = bots.map((one, i) => playField(definition, [one, bots[(i + 3) % bots.length] ?? one], `ring ${i}`))
}, 300_000)
afterAll(() => field.close())

describe('the house bots of samurai', () => {
  it('are at least six that need only Node, sh and perl, and speak without a fault', () => {
    expect(field.bots.filter(({ needs }) => ['node', 'sh', 'perl'].includes(needs)).length).toBeGreaterThanOrEqual(6)
    expect(new Set(field.bots.map((one) => one.name)).size).toBe(field.bots.length)
  })

  it('end their matches long before the turn limit', () => {
    const steps = matches.map((match) => match.steps).sort((a, b) => a - b)
    expect(steps[steps.length >> 1]).toBeLessThan(120)
    expect(matches.filter((match) => match.outcome.reason === 'turn limit')).toEqual([])
  })

  it('agree on no more than nine in ten of each other’s views', () => {
    const asked = matches.map((match) => match.asked.filter(({ me }) => me.seat === 0))
    for (const { pair, share } of agreements(field.bots, asked, 6)) expect(share, pair).toBeLessThanOrEqual(0.9)
  }, 300_000)

  it('the best beats the random one in nine of ten matches or more', () => {
    const [best, random] = [bot('Abacus'), bot('Dice')]
    const won = Array.from({ length: 20 }, (_, n) => {
      const seats = n % 2 === 0 ? [best, random] : [random, best]
      return playField(definition, seats, `best ${n}`).outcome.place[n % 2] === 1 ? 1 : 0
    })
    expect(won.reduce<number>((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(18)
  }, 300_000)
})
