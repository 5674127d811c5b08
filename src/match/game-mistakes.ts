import {
  type GameDefinition,
  GameMistake,
  LEGAL_ACTIONS,
  type MatchRecord,
  STATE_LENGTH,
  type Seat,
  VIEW_LENGTH,
  mistakeIn,
} from '../core/index.js'
import { type Judged, RecordError, judge, walk } from './judge.js'

/*
 * A game designer's mistake shows as something else: a fault of a bot without a legal move, a record that cannot be rejudged. It is found
 * where it happens, and reported with the game's file. Legal actions are computed only for a move that may be none of them.
 */

/** A game, and its file unless it ships with agon. */
export interface GameInPlay {
  readonly definition: GameDefinition
  readonly file?: string | undefined
  readonly fixture?: Pick<MatchRecord, 'luck'>
}

/** A game for people: its id, and its file unless it ships with agon. */
export const nameOfGame = ({ definition, file }: Pick<GameInPlay, 'definition' | 'file'>): string =>
  file === undefined ? definition.game.id : `${definition.game.id} (${file})`

export const brokenRule = (game: GameInPlay, why: string): GameMistake =>
  new GameMistake(`the game ${nameOfGame(game)} breaks its own rules: ${why}`)

/** Throws for a promised state; `from`: the part that gave it. */
export function refusePromise(game: GameInPlay, from: 'setup' | 'play', state: unknown): void {
  if (!(state instanceof Promise)) return
  state.catch(() => undefined)
  throw brokenRule(game, `${from}() gives a promise, and has to give a state at once: let it be no async function`)
}

/** Throws where the seats due do not exist, or there is an outcome already. */
export function refuseDue(game: GameInPlay, state: unknown, due: readonly Seat[], seats: number): void {
  if (!Array.isArray(due)) throw brokenRule(game, 'toMove() gives no list of seats')
  for (const [i, seat] of due.entries()) {
    if (!Number.isInteger(seat) || seat < 0 || seat >= seats)
      throw brokenRule(game, `toMove() names seat ${JSON.stringify(seat)}, and the seats are 0 to ${seats - 1}`)
    if (due.indexOf(seat) < i) throw brokenRule(game, `toMove() names seat ${seat} twice`)
  }
  // What ships with agon is tested: only a stranger's game is asked.
  if (game.file !== undefined && due.length > 0 && game.definition.game.outcome(state) !== undefined) {
    const owing = due.length === 1 ? `seat ${due[0]} owes` : `seats ${due.join(' and ')} owe`
    throw brokenRule(game, `there is an outcome although ${owing} a move: toMove() has to be empty then`)
  }
}

/** Throws where a seat that owes a move has no legal action, or one that is none. */
export function refuseLegal(game: GameInPlay, legal: unknown, seat: Seat): void {
  if (!Array.isArray(legal)) {
    const mistake = mistakeIn(legal)
    if (mistake === undefined) return
    throw brokenRule(game, `legal() gives ${mistake}`)
  }
  if (legal.length === 0) throw brokenRule(game, `legal() is empty for seat ${seat}, which owes a move`)
  const odd: unknown = legal.find((action) => typeof action !== 'string' || action === '')
  if (odd !== undefined)
    throw brokenRule(game, `legal() gives ${JSON.stringify(odd)}, and an action is a text that is not empty`)
}

/**
 * Judges a match just played again. Throws if it goes otherwise: a GameMistake unless the game ships with agon, as its
 * functions are not pure.
 */
export function judgeAgain(game: GameInPlay, record: MatchRecord): Judged {
  const impure = (why: string): Error =>
    game.file === undefined
      ? new Error(`a match that was judged again went otherwise: ${why}`)
      : brokenRule(
          game,
          `it is not pure: a match that was judged again, with the same luck and answers, went otherwise: ${why}`,
        )
  if (game.file !== undefined && isLookedAt(game) && differsFromItself(game, record))
    throw impure('a position differs when it is reached twice with the same luck')
  let judged: Judged
  try {
    judged = judge(game.definition, record)
  } catch (error) {
    throw error instanceof RecordError ? impure(error.message) : error
  }
  const [then, now] = [record.outcome, judged.outcome].map((outcome) => JSON.stringify(outcome))
  if (then !== now) throw impure(`its outcome was ${then}, and is ${now} now`)
  return judged
}

/** Matches of a game walked twice more: each costs as much as playing it. */
const CLOSELY = 10
const looked = new WeakMap<GameDefinition, number>()

function isLookedAt({ definition }: GameInPlay): boolean {
  const before = looked.get(definition) ?? 0
  looked.set(definition, before + 1)
  return before < CLOSELY
}

/**
 * Whether two walks of a match differ: a game may have a clock or chance of its own, count its calls, or draw what only a view shows. Where it
 * cannot follow the match, or its states are no text, that is found elsewhere.
 */
function differsFromItself({ definition }: GameInPlay, record: MatchRecord): boolean {
  const [one, other] = [walk(definition, record), walk(definition, record)]
  try {
    for (;;) {
      const [step, again] = [one.next(), other.next()]
      if (step.done || again.done) return step.done !== again.done
      const { before, after } = step.value
      if (JSON.stringify([before, after]) !== JSON.stringify([again.value.before, again.value.after])) return true
    }
  } catch (error) {
    if (error instanceof RecordError || error instanceof TypeError) return false
    throw error
  }
}

/** Throws where a view cannot be sent as it is. */
export function refuseView(game: GameInPlay, view: unknown, seat: number): void {
  const lost = lossOf(view, 'view')
  if (lost !== undefined) throw brokenRule(game, `view() of seat ${seat} does not survive JSON: ${lost}`)
}

/**
 * Throws where a view is too large for a question: bots would be late or silent without fault. What cannot be JSON is another mistake
 * (`refuseView`). `turn`: from 1.
 */
export function refuseLargeView(game: GameInPlay, view: unknown, seat: Seat, turn: number): void {
  refuseMore(game, turn, [lengthOf(view), VIEW_LENGTH], (length, most) => {
    return `view() of seat ${seat} is ${length} characters as JSON, and may be ${most}: give a seat less to read`
  })
}

/** Throws where too many actions are legal to be sent and searched at once. `turn`: from 1. */
export function refuseMany(game: GameInPlay, legal: unknown, seat: Seat, turn: number): void {
  refuseMore(game, turn, [Array.isArray(legal) ? legal.length : 0, LEGAL_ACTIONS], (length, most) => {
    return `legal() gives seat ${seat} ${length} actions, and may give ${most}: cut what is decided at once into several moves`
  })
}

/** Throws where a state is too large; `from`: the part that gave it; `turn`: from 1, 0 for `setup`. */
export function refuseLargeState(game: GameInPlay, from: 'setup' | 'play', state: unknown, turn: number): void {
  refuseMore(game, turn, [lengthOf(state), STATE_LENGTH], (length, most) => {
    return `${from}() gives a state of ${length} characters as JSON, and may give ${most}: keep less in it`
  })
}

/** Throws where there is more than allowed. `why`: of both numbers, for a person. */
function refuseMore(
  game: GameInPlay,
  turn: number,
  [length, most]: readonly [length: number, most: number],
  why: (length: string, most: string) => string,
): void {
  if (length <= most) return
  const luck = game.fixture === undefined ? '' : `; luck ${JSON.stringify(game.fixture.luck.seed)}`
  const when = turn === 0 ? 'at its beginning' : `in turn ${turn}`
  throw brokenRule(game, `${why(length.toLocaleString('en-US'), most.toLocaleString('en-US'))} (${when}${luck})`)
}

function lengthOf(view: unknown): number {
  try {
    return (JSON.stringify(view) as string | undefined)?.length ?? 0
  } catch {
    return 0
  }
}

/** What of a value JSON cannot say: 'view.left is NaN'; undefined: nothing. Keys without a value are left out. */
function lossOf(value: unknown, at: string, within: readonly unknown[] = []): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${at} is ${value}`
  if (typeof value !== 'object' || value === null)
    return ['string', 'boolean', 'object'].includes(typeof value) ? undefined : `${at} is ${nameOf(value)}`
  if (within.includes(value)) return `${at} holds itself`
  if (!Array.isArray(value) && ![Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null))
    return `${at} is ${nameOf(value)}`
  for (const [key, inner] of Object.entries(value)) {
    const lost = inner === undefined ? undefined : lossOf(inner, `${at}.${key}`, [...within, value])
    if (lost !== undefined) return lost
  }
  return undefined
}

const nameOf = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : `a ${typeof value === 'object' ? (value?.constructor?.name ?? 'object') : typeof value}`
