import { describe, expect, it } from 'vitest'
import type { AnyGame, GameDefinition, MatchRecord } from '../core/index.js'
import { rejudge } from './judge.js'

/** Both say a number each turn; the one that has said most when one has said `until` in all has won, at the latest after `turns`. */
const definitionOf = (version: number, until: number): GameDefinition => {
  interface State {
    readonly sums: readonly number[]
    readonly turn: number
  }
  const over = ({ sums, turn }: State): boolean => sums.some((sum) => sum >= until) || turn === 4
  const game = {
    id: 'adding',
    version,
    seats: { min: 2, max: 2 },
    options: {},
    setup: (): State => ({ sums: [0, 0], turn: 0 }),
    toMove: (state: State) => (over(state) ? [] : [0, 1]),
    view: (state: State) => state,
    legal: () => ['1', '2', '3'],
    play: ({ sums, turn }: State, moves: readonly unknown[]): State => ({
      sums: sums.map((sum, seat) => sum + (Number(moves[seat]) || 0)),
      turn: turn + 1,
    }),
    outcome: (state: State) => {
      const [a = 0, b = 0] = state.sums
      return over(state) ? { place: a === b ? [1, 1] : a > b ? [1, 2] : [2, 1], reason: 'summed' } : undefined
    },
  } as unknown as AnyGame
  return { game, title: 'Adding', summary: 'Adding.' }
}

const record = (...turns: readonly (readonly [string, string])[]): MatchRecord => ({
  agon: 1,
  game: 'adding',
  version: 1,
  options: {},
  luck: { seed: '', at: 0 },
  field: 2,
  seats: [0, 1].map((id) => ({ entrant: String(id), wire: 'module', id })),
  ready: [],
  steps: turns.map((answers) => answers.map((answer, seat) => [seat, answer] as const)),
  outcome: { place: [1, 2], reason: 'summed' },
})

describe('a match that was played under older rules', () => {
  const played = record(['3', '1'], ['1', '2'], ['1', '3'])

  it('has the outcome that the rules as they are now give, whatever their version', () => {
    expect(rejudge(definitionOf(1, 5), played)).toEqual({ outcome: { place: [2, 1], reason: 'summed' } })
    expect(rejudge(definitionOf(7, 5), played)).toEqual(rejudge(definitionOf(1, 5), played))
  })

  it('that ends before its last answer has the outcome of that end', () => {
    expect(rejudge(definitionOf(2, 3), played)).toEqual({ outcome: { place: [1, 2], reason: 'summed' } })
    expect(rejudge(definitionOf(2, 4), played)).toEqual({ outcome: { place: [1, 2], reason: 'summed' } })
  })

  it('whose answers lead to no end is open', () => {
    expect(rejudge(definitionOf(2, 9), played)).toEqual({ open: 'the match is not over after 3 steps' })
  })

  it('on a wire that is gone, or with answers of another number of seats, is open', () => {
    const gone = { ...played, seats: played.seats.map((seat) => ({ ...seat, wire: 'smoke' })) }
    expect(openOf(rejudge(definitionOf(2, 5), gone))).toContain("no wire 'smoke'")
    const alone = { ...played, steps: played.steps.map((step) => step.slice(0, 1)) }
    expect(openOf(rejudge(definitionOf(2, 5), alone))).toContain('were due')
  })
})

/** Why a record has no end any more; nothing where it has one. */
const openOf = (judged: ReturnType<typeof rejudge>): string => ('open' in judged && judged.open) || ''
