import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnyGame, GameDefinition, BotOutput, Me, Moves, Options, Outcome, BotInput } from '../../src/core/index.js'
import { FAULT_KINDS, below, isFault, newLuck, outcomeOf, wiresOf } from '../../src/core/index.js'
import { deepFreeze, jsonOf, randomMoves } from '../../src/contract/index.js'

/** What a game's own tests may tell the contract. */
export interface Hints {
  /** Random games a property; 25 unless told. Fewer where a game is slow. */
  readonly runs?: number
  /** Steps after which a game counts as endless; 20,000 unless told. */
  readonly cap?: number
  /** Options to be tried beside the defaults. */
  readonly options?: readonly Options[]
}

interface Case {
  readonly seed: string
  readonly seats: number
  readonly options: Options
  /** How many of 100 moves are faults. */
  readonly faults: number
}

interface Walked {
  readonly states: readonly unknown[]
  /** `moves[i]` leads from `states[i]` to `states[i + 1]`. */
  readonly moves: readonly Moves<string>[]
  readonly outcome: Outcome
}

/** Plays one random game with everything frozen. Throws where it does not end within `cap` steps. */
function walk(game: AnyGame, { seed, seats, options, faults }: Case, cap: number): Walked {
  const states: unknown[] = [deepFreeze(game.setup(seats, deepFreeze(options), deepFreeze(newLuck(seed))))]
  const moves: Moves<string>[] = []
  for (let step = 0; step < cap; step++) {
    const state = states[step]
    const outcome = outcomeOf({ game }, state, seats)
    if (outcome) return { states, moves, outcome }
    const next = deepFreeze(randomMoves(game, state, seats, `${seed}/${step}`, faults))
    moves.push(next)
    states.push(deepFreeze(game.play(state, next)))
  }
  throw new Error(`no outcome after ${cap} steps`)
}

/** The contract every game keeps, as tests over random games with all kinds of faults. Call it in a test file. */
export function describeGame(definition: GameDefinition, hints: Hints = {}): void {
  const game = definition.game
  const cap = hints.cap ?? 20_000
  const least = game.seats.min
  const most = Math.max(least, Math.min(game.seats.max, 6))
  const cases = fc
    .record({
      seed: fc.string({ minLength: 1, maxLength: 8 }),
      seats: fc.integer({ min: least, max: most }),
      options: fc.constantFrom<Options>(game.options, ...(hints.options ?? [])),
      faults: fc.constantFrom(0, 0, 2, 20, 100),
    })
    .filter(({ options, seats }) => game.refuse?.(options, seats) === undefined)
  const everyGame = (check: (walked: Walked, of: Case) => void): void =>
    fc.assert(
      fc.property(cases, (of) => {
        check(walk(game, of, cap), of)
      }),
      { numRuns: hints.runs ?? 25 },
    )
  describe(`the contract of ${game.id}`, () => {
    it('introduces itself', () => {
      expect(game.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(Number.isInteger(game.version) && game.version > 0).toBe(true)
      expect(least).toBeGreaterThan(0)
      expect(game.seats.max).toBeGreaterThanOrEqual(least)
      expect(definition.title).not.toBe('')
      expect(definition.summary).toMatch(/^[^\n]+$/)
    })

    it('has flat options that survive JSON and are not refused for the fewest seats', () => {
      for (const value of Object.values(game.options).flat())
        expect(['number', 'string', 'boolean']).toContain(typeof value)
      expect(isDeepStrictEqual(jsonOf(game.options), game.options)).toBe(true)
      expect(game.refuse?.(game.options, least)).toBeUndefined()
    })

    it('asks someone exactly until there is an outcome, and gives each of them a legal action', () => {
      everyGame(({ states }, { seats }) => {
        states.forEach((state, step) => {
          const due = game.toMove(state)
          expect(due.length === 0).toBe(game.outcome(state) !== undefined)
          expect(due.length === 0).toBe(step === states.length - 1)
          expect(new Set(due).size).toBe(due.length)
          for (const seat of due) {
            expect(everyone(seats)).toContain(seat)
            const legal = game.legal(game.view(state, seat))
            expect(legal.length).toBeGreaterThan(0)
            expect(new Set(legal).size).toBe(legal.length)
            expect(legal.every((action) => typeof action === 'string')).toBe(true)
          }
        })
      })
    })

    it('places every seat, the best first, and tallies in whole numbers', () => {
      everyGame(({ outcome: { place, reason, tally } }, { seats }) => {
        expect(place.length).toBe(seats)
        // 1, 1, 3: one more than there are better ones, so the best has 1 and equals share.
        for (const mine of place) expect(mine).toBe(1 + place.filter((other) => other < mine).length)
        expect(reason).toMatch(/^[^\n]+$/)
        for (const numbers of Object.values(tally ?? {})) {
          expect(numbers.length).toBe(seats)
          expect(numbers.every(Number.isSafeInteger)).toBe(true)
        }
      })
    })

    it('is pure: the same input gives the same output, and the input stays', () => {
      everyGame(({ states, moves }, { seed, seats, options }) => {
        // Everything is frozen: to write into an input throws.
        expect(isDeepStrictEqual(game.setup(seats, options, newLuck(seed)), states[0])).toBe(true)
        moves.forEach((move, i) => {
          expect(isDeepStrictEqual(game.play(states[i], move), states[i + 1])).toBe(true)
          for (const seat of everyone(seats)) {
            const view = deepFreeze(game.view(states[i], seat))
            expect(isDeepStrictEqual(game.view(states[i], seat), view)).toBe(true)
          }
          for (const seat of game.toMove(states[i])) {
            const view = deepFreeze(game.view(states[i], seat))
            expect(isDeepStrictEqual(game.legal(view), game.legal(view))).toBe(true)
          }
        })
      })
    })

    it('survives JSON: states, views and outcomes come back equal, and the play goes on alike', () => {
      everyGame(({ states, moves, outcome }, { seats }) => {
        expect(isDeepStrictEqual(jsonOf(outcome), outcome)).toBe(true)
        states.forEach((state, i) => {
          const back = jsonOf(state)
          expect(isDeepStrictEqual(back, state)).toBe(true)
          for (const seat of everyone(seats)) {
            const view = game.view(state, seat)
            expect(isDeepStrictEqual(jsonOf(view), view)).toBe(true)
            expect(isDeepStrictEqual(game.view(back, seat), view)).toBe(true)
          }
          const move = moves[i]
          if (move) expect(isDeepStrictEqual(game.play(back, move), states[i + 1])).toBe(true)
        })
      })
    })

    it('plays the same game again from the same seed', () => {
      everyGame((walked, of) => expect(isDeepStrictEqual(walk(game, of, cap), walked)).toBe(true))
    })

    it('shows itself as text without control characters', () => {
      const plain = (text: string): void => expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
      everyGame(({ states }, { seats }) => {
        for (const state of states) {
          if (definition.board) plain(definition.board(state))
          for (const seat of everyone(seats)) if (definition.text) plain(definition.text(game.view(state, seat), seat))
        }
      })
    })

    describeWires(definition, everyGame)
  })
}

function describeWires(
  definition: GameDefinition,
  everyGame: (check: (walked: Walked, of: Case) => void) => void,
): void {
  const game = definition.game
  const wires = Object.entries(wiresOf(definition, game.options))

  it('has wires that introduce themselves', () => {
    for (const [name, wire] of wires) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(wire.summary).toMatch(/^[^\n]+$/)
      if (wire.ready) expect(wire.limits?.[wire.ready.within]).toBeGreaterThan(0)
    }
    if (definition.wire !== undefined) expect(wires.map(([name]) => name)).toContain(definition.wire)
  })

  it('can say every question, and whatever it tells beside them, on every wire', () => {
    everyGame(({ states, outcome }, { seats, seed }) => {
      for (const [, wire] of wires) {
        for (let seat = 0; seat < seats; seat++) {
          const me = meAt(seat, seats, seed)
          if (wire.start) sendable(wire.start(game.view(states[0], seat), me))
          for (const state of states.slice(1)) sendable(wire.update?.(game.view(state, seat), me))
          if (wire.end) sendable(wire.end(game.view(states[states.length - 1], seat), outcome, me))
        }
        for (const state of states) {
          for (const seat of game.toMove(state)) sendable(wire.ask(game.view(state, seat), meAt(seat, seats, seed)))
        }
      }
    })
  })

  it('says the same on a wire that is anonymous, whoever sits there and however many enter', () => {
    const anonymous = wires.flatMap(([, wire]) => (wire.anonymous ? [wire] : []))
    everyGame(({ states, outcome }, { seats, seed }) => {
      for (const wire of anonymous) {
        for (let seat = 0; seat < seats; seat++) {
          const views = states.map((state) => game.view(state, seat))
          const inputs = (me: Me): unknown => [
            wire.start?.(views[0], me),
            states.map((state, i) => game.toMove(state).includes(seat) && wire.ask(views[i], me)),
            views.slice(1).map((view) => wire.update?.(view, me)),
            wire.end?.(views[views.length - 1], outcome, me),
          ]
          const plain = { seat, ids: everyone(seats), field: seats }
          expect(isDeepStrictEqual(inputs(meAt(seat, seats, seed)), inputs(plain))).toBe(true)
        }
      }
    })
  })

  it('reads any answer as an action or a fault on every wire', () => {
    const bytes = fc.string({
      unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
      maxLength: 30,
    })
    const outputs: fc.Arbitrary<BotOutput> = fc.record(
      { out: bytes, exit: fc.integer({ min: 0, max: 255 }), file: bytes },
      { requiredKeys: [] },
    )
    const garbage = fc.sample(outputs, { numRuns: 20, seed: 1 })
    everyGame(({ states }, { seats, seed }) => {
      // A few moments of the game are enough: what is read depends little on them.
      for (let i = 0; i < states.length - 1; i += Math.ceil(states.length / 5)) {
        for (const seat of game.toMove(states[i])) {
          const view = game.view(states[i], seat)
          for (const [, wire] of wires) {
            for (const output of garbage) {
              const move = wire.read(output, view, meAt(seat, seats, seed))
              if (isFault(move)) expect(FAULT_KINDS).toContain(move.fault)
              else expect(typeof move).toBe('string')
            }
          }
        }
      }
    })
  })
}

const everyone = (seats: number): number[] => Array.from({ length: seats }, (_, seat) => seat)

/** Numbers such as a tournament gives: distinct, in [0, field), not in the order of the seats. */
function meAt(seat: number, seats: number, seed: string): Me {
  const field = seats + 3
  const shift = below(field, seed)
  return { seat, ids: Array.from({ length: seats }, (_, i) => (field - 1 - i + shift) % field), field }
}

/** A line is one line, and no argument holds the byte that ends it. */
function sendable(input: BotInput | undefined): void {
  for (const line of input?.lines ?? []) expect(line).not.toMatch(/[\r\n]/)
  for (const argument of input?.argv ?? []) expect(argument).not.toContain('\0')
}

export { transcript } from './walk.js'
