import {
  type AnyGame,
  FAULT_KINDS,
  type Fault,
  type GameDefinition,
  GameMistake,
  type Legal,
  type Move,
  type Moves,
  type Options,
  OutcomeError,
  type Seat,
  below,
  drawAction,
  isFault,
  messageOf,
} from '../core/index.js'

/** What one random game is: all of it follows from its seed. */
export interface Case {
  readonly seed: string
  readonly seats: number
  readonly options: Options
  /** How many of 100 moves are faults. */
  readonly faults: number
}

/** More seats bring little new; the most there may be are tried beside them. */
const MOST_SEATS = 6
const FAULTS = [0, 0, 0, 2, 20, 100]

/** A seed's random game; `options`: to choose from; `wished`: seats, where not drawn. */
export function caseOf({ game }: GameDefinition, seed: string, options: readonly Options[], wished?: number): Case {
  const { min, max } = game.seats
  const draw = <T>(items: readonly T[], what: string): T => items[below(items.length, `${seed}/${what}`)] as T
  const counts = Array.from({ length: Math.max(1, Math.min(max, MOST_SEATS) - min + 1) }, (_, i) => min + i)
  const seats = wished ?? draw(max > MOST_SEATS && max > min ? [...counts, max] : counts, 'seats')
  const fit = options.filter((one) => game.refuse?.(one, seats) === undefined)
  return { seed, seats, options: draw(fit.length > 0 ? fit : options, 'options'), faults: draw(FAULTS, 'faults') }
}

/** What a game of a file is held to, by name. */
export const CHECKS = {
  introduction: 'introduces itself, with options that survive JSON',
  throws: 'throws nowhere',
  turns: 'asks seats that are there exactly until there is an outcome, and comes to an end',
  legal: 'gives each seat that is due legal actions, which it accepts',
  outcome: 'places every seat, with scores and tallies that are numbers',
  pure: 'is pure: the same input gives the same output, and the input stays',
  data: 'survives JSON: states, views and outcomes come back equal, and the play goes on alike',
  leaks: 'shows no seat what it cannot know',
  text: 'shows itself as text without control characters',
  wires: 'sends and reads everything on each of its wires',
} as const
export type Check = keyof typeof CHECKS

/** What a game does not keep, and the smallest game that shows it. */
export interface Finding {
  readonly check: Check
  /** A line for the game's author: 'legal() gives seat 0 nothing, and it is due'. */
  readonly what: string
  /** The random game; absent: no game is needed to see it. */
  readonly of?: Case
  /** Steps before it shows, and what they were, in a few words. */
  readonly step: number
  readonly moves: string
}

/** A random game under examination: what was played, and what it does not keep. */
export class ExaminedCase {
  readonly findings: Finding[] = []
  readonly moves: Moves<string>[] = []

  constructor(
    readonly definition: GameDefinition,
    readonly of: Case,
  ) {}

  get seats(): Seat[] {
    return Array.from({ length: this.of.seats }, (_, seat) => seat)
  }

  /** Takes down what is not kept, once. */
  report(check: Check, what: string): void {
    const { findings, of, moves } = this
    if (!findings.some((one) => one.check === check && one.what === what))
      findings.push({ check, what, of, step: moves.length, moves: movesText(moves) })
  }

  /** Calls a part of the game. Reports what it throws, and returns undefined. */
  called<T>(part: string, call: () => T): T | undefined {
    try {
      return call()
    } catch (error) {
      const why = messageOf(error)
      // Without file and part, which a loaded game puts before its throws.
      const bare = why.replace(/^.*?(:\d+)?: \w+\(\) threw (\w+: )?/, '')
      if (error instanceof GameMistake && error.bare !== undefined) this.report('throws', error.bare)
      else if (error instanceof OutcomeError) this.report('outcome', `outcome() ends wrongly: ${why}`)
      else if (/read.only property|not extensible|Cannot (delete|define|assign)/.test(why))
        this.report('pure', `${part} writes into what it is given: ${bare}`)
      else this.report('throws', `${part} threw: ${bare}`)
      return undefined
    }
  }

  /** Calls a part that has to give something. */
  given<T>(part: string, call: () => T, what: string): T | undefined {
    const result = this.called(part, () => ({ value: call() }))
    if (result === undefined) return undefined
    const { value } = result
    if (value instanceof Promise) {
      value.catch(() => undefined)
      this.report('data', `${part} gives a promise, and has to give ${what} at once`)
      return undefined
    }
    if (value === undefined) this.report('data', `${part} gives nothing, and has to give ${what}`)
    return value
  }
}

const SHOWN = 60

function movesText(moves: readonly Moves<string>[]): string {
  const textOf = (move: Move<string> | undefined): string =>
    move === undefined ? '–' : isFault(move) ? `(${move.fault})` : move
  const text = moves.map((step) => step.map(textOf).join(' ')).join(', ')
  return text.length > SHOWN ? `… ${text.slice(-SHOWN)}` : text
}

/** The value, frozen throughout: writing into it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !frozen.has(value)) {
    frozen.add(value)
    // Listing a long list's entries takes many times longer than going through it.
    if (Array.isArray(value)) for (const part of value) deepFreeze(part)
    else Object.values(value).forEach(deepFreeze)
    Object.freeze(value)
  }
  return value
}
const frozen = new WeakSet()

export function jsonOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** The action of a seat that sees this; draws follow the text. */
export type Act = (view: unknown, legal: Legal, text: string) => string

/**
 * A move for each due seat, drawn by the text: a legal action, or (`how` of 100) a fault of any kind, or what `how`
 * does.
 */
export function randomMoves(
  game: AnyGame,
  state: unknown,
  { seats, text, how = 0 }: { readonly seats: number; readonly text: string; readonly how?: number | Act },
): Moves<string> {
  const due: readonly Seat[] = game.toMove(state)
  return Array.from({ length: seats }, (_, seat): Move<string> | undefined => {
    if (!due.includes(seat)) return undefined
    const own = `${text}/${seat}`
    const view = game.view(state, seat)
    if (typeof how === 'function') return how(view, game.legal(view), own)
    if (how > 0 && below(100, `${own}/fault`) < how) return randomFault(`${own}/kind`)
    let draws = 0
    return drawAction(game.legal(view), (n) => below(n, draws++ === 0 ? own : `${own}/${draws}`))
  })
}

function randomFault(text: string): Fault {
  const fault = FAULT_KINDS[below(FAULT_KINDS.length, text)] ?? 'silent'
  return below(2, `${text}/why`) === 0 ? { fault } : { fault, why: 'because', said: 'what?' }
}
