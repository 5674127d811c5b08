import { pick, shuffle } from '../../core/index.js'
import type { Game, Luck, Move, Moves, Outcome, Seat } from '../../core/index.js'
import { OPTIONS, refuse } from './options.js'
import type { NegotiateOptions } from './options.js'
import { places, settle } from './settle.js'
import { isTermination, legal, lordsOf } from './view.js'
import type { Action, View } from './view.js'

/** The whole position. Rows are by lord, columns by seat. */
export interface State {
  readonly options: NegotiateOptions
  readonly luck: Luck
  /** The turn to be played, from 1. */
  readonly turn: number
  readonly forces: readonly number[]
  /** Intimacy without the concealed nights. */
  readonly open: Table
  /** Intimacy with all nights. */
  readonly real: Table
  /** Each lord's visits on the last turn, if a night; zeros after a day. */
  readonly visits: readonly number[]
  /** Settled strength by seat, in 24ths. */
  readonly strength24: readonly number[]
  /** By seat: was late or ended, and names lord 0 from then on. */
  readonly terminated: readonly boolean[]
}
type Table = readonly (readonly number[])[]

/** Negotiate and Conquer for four daimyo, after RULES.md. */
export const negotiate: Game<State, Action, View, NegotiateOptions> = {
  id: 'negotiate',
  version: 2,
  seats: { min: 4, max: 4 },
  options: OPTIONS,
  refuse,
  setup,
  toMove,
  view,
  legal,
  play,
  outcome,
  resample,
}

/**
 * A turn, in order: time and ends terminate (4.3); all negotiate at once (2.2, 2.3); on a settling turn nights become
 * open (2.6) and lords settle (3.1). With nobody left to ask, remaining turns follow (4.5).
 */
function play(state: State, moves: Moves<Action>): State {
  if (over(state)) return state
  let next = advance(terminate(state, moves), moves)
  while (!over(next) && next.terminated.every(Boolean)) next = advance(next, [])
  return next
}

function advance(state: State, moves: Moves<Action>): State {
  return settled(
    negotiated(
      state,
      state.terminated.map((out, seat) => visitsOf(state, out ? undefined : moves[seat])),
    ),
  )
}

function toMove({ turn, options, terminated }: State): readonly Seat[] {
  const due: Seat[] = []
  if (turn <= options.turns) for (const [seat, out] of terminated.entries()) if (!out) due.push(seat)
  return due
}

function setup(seats: number, options: NegotiateOptions, luck: Luck): State {
  const strengths = Array.from({ length: options.strongest - options.weakest + 1 }, (_, k) => options.weakest + k)
  const forces: number[] = []
  let left = luck
  while (forces.length < options.lords) {
    const [force, rest] = pick(left, strengths)
    forces.push(force)
    left = rest
  }
  const none: Table = forces.map(() => zeros(seats))
  return {
    options,
    luck: left,
    turn: 1,
    forces,
    open: none,
    real: none,
    visits: zeros(options.lords),
    strength24: zeros(seats),
    terminated: Array.from({ length: seats }, () => false),
  }
}

function view(state: State, seat: Seat): View {
  const { turn, options } = state
  const day = isDay(turn)
  const ownFirst = (row: readonly number[]): readonly number[] => [row[seat] ?? 0, ...row.filter((_, k) => k !== seat)]
  return {
    seat,
    due: !over(state) && state.terminated[seat] === false,
    turn,
    turns: options.turns,
    day,
    negotiations: negotiations(state),
    nightWorth: options.nightWorth,
    settling: settlingTurns(options),
    forces: state.forces,
    intimacy: state.open.map(ownFirst),
    real: state.real.map((row) => row[seat] ?? 0),
    visits: day ? state.visits : [],
    strength24: ownFirst(state.strength24),
  }
}

/** Each once, in order, and the last turn. */
function settlingTurns({ settling, turns }: NegotiateOptions): readonly number[] {
  const all = settling.filter((each, at) => each < turns && settling.indexOf(each) === at).sort((a, b) => a - b)
  all.push(turns)
  return all
}

function outcome(state: State): Outcome | undefined {
  if (!over(state)) return undefined
  const place = places(state.strength24)
  const reason = place.filter((each) => each === 1).length > 1 ? 'equal strength' : 'greatest strength'
  return { place, reason, tally: { strength24: state.strength24 } }
}

/** Whoever was late, or whose program ended, is out from now on (4.3). */
function terminate(state: State, moves: Moves<Action>): State {
  return { ...state, terminated: state.terminated.map((out, seat) => out || isTermination(moves[seat])) }
}

/** A move's visits by lord; without a legal one lord 0 gets all. */
function visitsOf(state: State, move: Move<Action> | undefined): readonly number[] {
  const visits = state.forces.map(() => 0)
  const { forces } = state
  const choices = legal({ forces, negotiations: negotiations(state), due: true })
  const named = typeof move === 'string' && choices.includes(move) ? lordsOf(move) : zeros(negotiations(state))
  for (const lord of named) visits[lord] = (visits[lord] ?? 0) + 1
  return visits
}

/** `visits` by seat and lord. */
function negotiated(state: State, visits: Table): State {
  const day = isDay(state.turn)
  const add = (table: Table, worth: number): Table =>
    table.map((row, lord) => row.map((degree, seat) => degree + worth * (visits[seat]?.[lord] ?? 0)))
  return {
    ...state,
    open: day ? add(state.open, 1) : state.open,
    real: add(state.real, day ? 1 : state.options.nightWorth),
    visits: state.forces.map((_, lord) => (day ? 0 : visits.reduce((sum, own) => sum + (own[lord] ?? 0), 0))),
  }
}

function settled(state: State): State {
  const { turn, options } = state
  if (turn !== options.turns && !options.settling.includes(turn)) return { ...state, turn: turn + 1 }
  const gains = settle(state.forces, state.real)
  return {
    ...state,
    turn: turn + 1,
    open: state.real,
    strength24: state.strength24.map((strength, seat) => strength + (gains[seat] ?? 0)),
  }
}

function over(state: State): boolean {
  return state.turn > state.options.turns
}

/** Odd turns are days (2.1). */
function isDay(turn: number): boolean {
  return turn % 2 === 1
}

function negotiations(state: State): number {
  return isDay(state.turn) ? state.options.day : state.options.night
}

function zeros(length: number): readonly number[] {
  return Array.from({ length }, () => 0)
}

/**
 * Deals the others' concealed nights and terminations anew among them: only visits by lord are open (rules 2.4, 5.3).
 */
function resample(state: State, seat: Seat, luck: Luck): State {
  const others = state.terminated.flatMap((_, each) => (each === seat ? [] : [each]))
  const [order, rest] = shuffle(luck, others)
  const taker = (each: Seat): Seat => order[others.indexOf(each)] ?? each
  const real = state.real.map((row, lord) => {
    const concealed = (of: Seat): number => (row[of] ?? 0) - (state.open[lord]?.[of] ?? 0)
    return row.map((degree, each) => degree - concealed(each) + concealed(taker(each)))
  })
  return {
    ...state,
    luck: rest,
    real,
    terminated: state.terminated.map((_, each) => state.terminated[taker(each)] === true),
  }
}
