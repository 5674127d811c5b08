import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type GameDefinition, type BotOutput, type Outcome, type Seat, isFault, newLuck } from '../core/index.js'
import { games } from '../games/index.js'
import { randomMoves } from '../kits/index.js'
import type { FullEvent, SeatEvent } from './events.js'
import { startMatch } from './live-steps.js'
import type { MatchState } from './match-state.js'

/*
 * That nothing leaks is shown by playing each match twice: once by the real game, and once by a game that knows nothing but what the
 * observed seat may see. There the others have other names, other luck and other moves, and are asked alone between the seat's
 * own steps. An observer of the seat must not be able to tell the two apart.
 */

/** A position as far as the observed seat has a part in it. */
interface Glimpse {
  readonly view: unknown
  readonly isDue: boolean
}

function startOf(definition: GameDefinition, seats: number, seed: string): MatchState {
  const { id, version, options } = definition.game
  const names = Array.from({ length: seats }, (_, i) => ({ entrant: `${seed} ${i}`, wire: 'module', id: i }))
  const fixture = { agon: 1, key: seed, game: id, version, options, luck: newLuck(seed), field: seats, seats: names }
  return startMatch({ definition, fixture: { ...fixture, agon: 1 } })
}

/** Plays a match to its end. Returns its events. */
function play(match: MatchState, seat: Seat, answer: (seat: Seat) => BotOutput) {
  const [own, all]: [SeatEvent[], FullEvent[]] = [[], []]
  match.observe(seat, (event) => void own.push(event))
  match.observe('all', (event) => void all.push(event))
  for (; !match.over; match.advance())
    for (const due of match.due()) match.answer(due.seat, { output: answer(due.seat), wallUs: 1 })
  return { own, all }
}

const outputOf = (move: ReturnType<typeof randomMoves>[number]): BotOutput =>
  isFault(move) ? { trouble: 'crash', why: 'because' } : { out: move ?? '' }

/** A game that knows of a match only what a seat saw of it, and how it ended. */
function masked(
  { game }: GameDefinition,
  seat: Seat,
  seats: number,
  glimpses: readonly Glimpse[],
  end: Outcome,
): GameDefinition {
  const others = Array.from({ length: seats }, (_, i) => i).filter((i) => i !== seat)
  // Before every step of the seat the others have one, and none beside it.
  const positions = glimpses.flatMap(({ view, isDue }, i) => {
    const last = i === glimpses.length - 1
    const theirs = { view, due: others }
    return last ? [{ view, due: [] }] : isDue ? [theirs, { view, due: [seat] }] : [theirs, theirs]
  })
  const at = (state: unknown) => {
    const position = positions[state as number]
    if (position === undefined) throw new RangeError('the match went on after its end')
    return position
  }
  return {
    title: '',
    summary: '',
    game: {
      ...game,
      setup: () => 0,
      toMove: (state) => at(state).due,
      view: (state, who) => (who === seat ? at(state).view : { secret: state }),
      legal: (view) => (typeof view === 'object' && view !== null && 'secret' in view ? ['x'] : game.legal(view)),
      play: (state) => (state as number) + 1,
      outcome: (state) => (state === positions.length - 1 ? end : undefined),
    },
  }
}

test.each(games.map((definition) => [definition.game.id, definition] as const))(
  '%s: a seat’s events hold nothing of the others',
  (_, definition) => {
    const { game } = definition
    const { min, max } = game.seats
    const cases = fc.record({
      seed: fc.string({ minLength: 1, maxLength: 8 }),
      seats: fc.integer({ min, max: Math.min(max, min + 2) }),
      seat: fc.nat({ max: min - 1 }),
      faults: fc.constantFrom(0, 5, 50),
    })
    fc.assert(
      fc.property(cases, ({ seed, seats, seat, faults }) => {
        const answers: BotOutput[] = []
        const glimpses: Glimpse[] = []
        let state: unknown = game.setup(seats, game.options, newLuck(seed))
        let moves = randomMoves(game, state, { seats, text: seed, how: faults })
        const match = startOf(definition, seats, seed)
        const look = (): void => void glimpses.push({ view: game.view(state, seat), isDue: moves[seat] !== undefined })
        look()
        match.observe('all', (event) => {
          if (event.kind !== 'moved') return
          if (moves[seat] !== undefined) answers.push(outputOf(moves[seat]))
          state = event.after
          moves = randomMoves(game, state, { seats, text: `${seed}/${event.number}`, how: faults })
          look()
        })
        const real = play(match, seat, (who) => outputOf(moves[who]))
        const { outcome } = match.record()

        const blind = startOf(masked(definition, seat, seats, glimpses, outcome), seats, `not ${seed}`)
        const seen = play(blind, seat, (who) => (who === seat ? (answers.shift() as BotOutput) : { out: 'x' }))
        expect(seen.own).toEqual(real.own)
        expect(seen.all).not.toEqual(real.all)
        expect(real.own.at(-1)).toEqual({ kind: 'ended', outcome })
      }),
      { numRuns: 25 },
    )
  },
)
