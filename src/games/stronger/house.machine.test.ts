import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Field, type FieldBot, type FieldMatch, agreements, fieldOf, playField } from '../../../test/kit/field.js'
import definition from './index.js'

let field: Field
/** A game of everyone. */
let game: FieldMatch

beforeAll(async () => {
  field = await fieldOf(definition)
  game = playField(definition, field.bots, 'field')
}, 300_000)
afterAll(() => field.close())

describe('the house bots of stronger', () => {
  it('are at least six that need only Node, sh and perl, and speak without a fault', () => {
    expect(field.bots.filter(({ needs }) => ['node', 'sh', 'perl'].includes(needs)).length).toBeGreaterThanOrEqual(6)
    expect(new Set(field.bots.map((one) => one.name)).size).toBe(field.bots.length)
  })

  it('end a game of everyone long before the turn limit', () => {
    expect(game.steps).toBeLessThan(300)
    expect(game.outcome.reason).not.toBe('turn limit')
  })

  it('use what the contest gives them: one keeps a book in its state file', () => {
    expect(existsSync(`${field.folder}/state/grudge.txt`)).toBe(true)
  })

  it('agree on no more than nine in ten of each other’s views', () => {
    const asked = field.bots.map((_, seat) => game.asked.filter(({ me }) => me.seat === seat))
    for (const { pair, share } of agreements(field.bots, asked, 6)) expect(share, pair).toBeLessThanOrEqual(0.9)
  }, 300_000)

  it('the best beats the random one, one to one, in nine of ten games or more', () => {
    const bot = (name: string): FieldBot => field.bots.find((one) => one.name === name) as FieldBot
    const won = Array.from({ length: 10 }, (_, n) => {
      const seats = n % 2 === 0 ? [bot('Gadfly'), bot('Shrapnel')] : [bot('Shrapnel'), bot('Gadfly')]
      const { place } = playField(definition, seats, `best ${n}`).outcome
      return place[n % 2] === 1 && place[1 - (n % 2)] === 2
    })
    expect(won.filter(Boolean).length).toBeGreaterThanOrEqual(9)
  }, 300_000)
})
