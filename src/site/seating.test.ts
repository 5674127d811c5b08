import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MatchRecord } from '../core/index.js'
import type { Entry } from '../contest/index.js'
import { gamesWith } from './context.js'
import { Refusal } from './http/answers.js'
import { positionsFor, textOf } from './matches.js'
import { botsNamed } from './sittings.js'
import { SlowWork } from './http/limits.js'

const dilemma = join(import.meta.dirname, '../../test/games/dilemma.ts')
const own = await gamesWith([dilemma])

const seats = { isThere: () => false } as never
const entry = (name: string) => ({ spec: { name } }) as Entry
const named = (...names: string[]) => botsNamed({ seats }, names, names.map(entry)).map(({ spec }) => spec.name)

describe('the name of a bot that is none', () => {
  const refusalOf = (names: readonly string[], name = 'Abacos'): unknown => {
    try {
      return botsNamed({ seats }, [name], names.map(entry))
    } catch (error) {
      return error
    }
  }

  it('is refused with the name that was meant, and those that there are', () => {
    const refusal = refusalOf(['Abacus', 'Hedgehog'])
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({
      status: 400,
      message: 'no bot "Abacos" (did you mean "Abacus"?); there are Abacus, Hedgehog',
    })
  })

  it('is refused in a few words, however many bots there are', () => {
    const names = Array.from({ length: 5000 }, (_, n) => `B${n}`)
    const { message } = refusalOf(names, 'x') as Refusal
    expect(message).toMatch(/there are B0, .*B19, 4980 more$/)
    // The last of twenty is named; of twenty-one the last is "1 more".
    expect((refusalOf(names.slice(0, 20), 'x') as Refusal).message).toMatch(/B19$/)
  })
})

describe('bots that sit down together', () => {
  it('keep their names, and the same bot again has a number that no other bot has', () => {
    expect(named('Ant', 'Bee')).toEqual(['Ant', 'Bee'])
    expect(named('Ant', 'Bee', 'Ant', 'Bee', 'Ant')).toEqual(['Ant', 'Bee', 'Ant (2)', 'Bee (2)', 'Ant (3)'])
    expect(named('Ant', 'Ant', 'Ant (2)', 'Ant')).toEqual(['Ant', 'Ant (3)', 'Ant (2)', 'Ant (4)'])
  })

  it('are all there', () => {
    const away = { ...entry('Far'), remote: 'far' }
    expect(() => botsNamed({ seats }, ['Far'], [away])).toThrow('Far is not connected now')
  })
})

describe('what the page cannot draw', () => {
  const record = (game: string, options: MatchRecord['options']): MatchRecord => ({
    agon: 1,
    game,
    version: 1,
    options,
    luck: { seed: '0'.repeat(64), at: 0 },
    field: 2,
    seats: ['you', 'Bot'].map((entrant, id) => ({ entrant, wire: 'module', id })),
    ready: [],
    steps: [],
    outcome: { place: [1, 1], reason: 'end' },
  })
  const context = { games: own, slow: new SlowWork() }

  it('is sent as text, of a game of the host’s own alone', () => {
    const strange = own.map((one) => (one.game.id === 'dilemma' ? { ...one, text: () => 'as text' } : one))
    const shown = { games: strange }
    expect(textOf(shown, 'dilemma', {}, 0)).toBe('as text')
    expect(textOf(shown, 'dilemma', undefined, 0)).toBeUndefined()
    expect(textOf({ games: own }, 'dilemma', {}, 0)).toBeUndefined()
    // A game of this name comes with agon: the page draws it.
    const samurai = strange.map((one) => ({ ...one, game: { ...one.game, id: 'samurai' } }))
    expect(textOf({ games: samurai }, 'samurai', {}, 0)).toBeUndefined()
    expect(textOf(shown, 'gone', {}, 0)).toBeUndefined()
  })

  it('has positions as texts, where the game is the host’s own', async () => {
    const first = await positionsFor(context, record('dilemma', { turns: 2 }), 'here')
    expect(first?.boards).toHaveLength(1)
    expect(await positionsFor(context, record('samurai', {}), 'here')).toBeUndefined()
  })

  it('is refused where too much waits to be computed', async () => {
    const busy = { games: own, slow: new SlowWork({ each: 1, all: 1 }) }
    const [first, second] = await Promise.allSettled([
      positionsFor(busy, record('dilemma', { turns: 2 }), 'here'),
      positionsFor(busy, record('dilemma', { turns: 2 }), 'here'),
    ])
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected'])
    expect(second).toMatchObject({ reason: { status: 429 } })
  })
})
