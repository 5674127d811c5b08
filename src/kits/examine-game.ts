import {
  type Legal,
  type Move,
  type Moves,
  type Outcome,
  VIEW_LENGTH,
  below,
  drawAction,
  isList,
  newLuck,
} from '../core/index.js'
import { type Act, type ExaminedCase, deepFreeze, jsonOf, randomMoves } from './cases.js'
import { at, examinePosition, examineState, triedJson } from './position.js'
import { differenceOf } from './same.js'
import { examineWires } from './wires.js'

export interface PlayedCase {
  /** Absent: it did not come to its end. */
  readonly outcome?: Outcome
  /** Bytes of the largest view that was looked at, as JSON. */
  readonly viewBytes: number
  /** Somewhere a view told its seat what another's did not. */
  readonly secrets?: boolean
  /** It was given up before its steps were too many, or for too large a state. */
  readonly tookTooLong?: boolean
}

/** So many first steps are looked at thoroughly; later one of so many, and none of a program's. */
const THOROUGH = { first: 30, later: 20 }
/** One game of so many is played over all wires. */
const WIRES = 10
/** Legal actions of a seat to try at a position looked at thoroughly. */
const TRIED = 12

/** A game is endless after so many steps, or once `tooLong`, asked after each, says how long it has gone on. */
interface Bounds {
  readonly cap: number
  readonly tooLong?: (steps: number) => string | undefined
  /** Who acts where there are no faults; absent: chance. */
  readonly act?: Act
}

/** Plays a random game, all frozen, and holds it to the contract. */
export function examineGame(examined: ExaminedCase, bounds: Bounds): PlayedCase {
  // What throws now and then may throw where it answered before.
  return examined.called('a part that answered before', () => playThrough(examined, bounds)) ?? { viewBytes: 0 }
}

function playThrough(examined: ExaminedCase, { cap, tooLong, act }: Bounds): PlayedCase {
  const { definition, of, moves } = examined
  const { game, program } = definition
  const { seed, seats, options, faults } = of
  let viewBytes = 0
  let secrets = false
  const setup = (): unknown => game.setup(seats, deepFreeze(options), deepFreeze(newLuck(seed)))
  const done = (more: Partial<PlayedCase> = {}): PlayedCase => ({ viewBytes, secrets, ...more })
  let state = examined.given('setup()', () => deepFreeze(setup()), 'a state')
  if (state === undefined) return done()
  const unlike = differenceOf(setup(), state)
  if (unlike !== undefined)
    examined.report('pure', `setup() differs${at(unlike)} when it is called twice with the same luck`)
  const states: unknown[] = []
  for (let step = 0; ; step++) {
    states.push(state)
    const later = program === undefined && below(THOROUGH.later, `${seed}/${step}/thorough`) === 0
    const thorough = step < THOROUGH.first || later
    const position = examinePosition(examined, state, thorough)
    if (position === undefined) return done()
    viewBytes = Math.max(viewBytes, position.viewBytes)
    secrets ||= program?.hidden === true && hasSecrets(examined.seats.map((seat) => game.view(state, seat)))
    // Each look at it takes long, and says no more.
    if (viewBytes > VIEW_LENGTH) return done()
    if (thorough && !examineState(examined, state)) return done({ tookTooLong: true })
    const { outcome } = position
    if (outcome !== undefined) {
      examineEnd(examined, states, outcome)
      return done({ outcome })
    }
    const long = tooLong?.(step)
    if (step === cap || long !== undefined) {
      const time = long === undefined ? '' : ` and ${long}`
      examined.report(
        'turns',
        `it has no end: not over after ${step} steps${time}${faults === 0 ? ' without a fault' : ''}`,
      )
      return done({ tookTooLong: long !== undefined })
    }
    const how = faults === 0 ? (act ?? 0) : faults
    const next = deepFreeze(randomMoves(game, state, { seats, text: `${seed}/${step}`, how }))
    if (thorough) tryLegal(examined, state, position.due)
    const before = state
    // Where bots may speak, each says what it does.
    const said = game.say === true ? next.map((move) => (typeof move === 'string' ? move : undefined)) : undefined
    const after = examined.given('play()', () => deepFreeze(game.play(before, next, said)), 'the state behind it')
    moves.push(next)
    if (after === undefined) return done()
    // Two of a program play each step already; replaying one costs all before it.
    if (program === undefined || thorough) examinePlay(examined, { before, next, after, thorough })
    state = after
  }
}

/** Whether a view holds a value that is not in every other. */
function hasSecrets(views: readonly unknown[]): boolean {
  const values = views.map((view) => new Set(leavesOf(view)))
  const all = new Set(values.flatMap((own) => [...own]))
  return values.some((own) => own.size < all.size)
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value) ?? '']
  return Object.values(value).flatMap(leavesOf)
}

interface PlayedStep {
  readonly before: unknown
  readonly next: Moves<string>
  readonly after: unknown
  readonly thorough: boolean
}

function examinePlay(examined: ExaminedCase, { before, next, after, thorough }: PlayedStep): void {
  const { game } = examined.definition
  const again = examined.called('play()', () => ({ state: game.play(before, next) }))
  const unlike = again && differenceOf(again.state, after)
  if (unlike !== undefined)
    examined.report('pure', `play() differs${at(unlike)} when it is called twice with the same moves`)
  if (!thorough || unlike !== undefined || triedJson(before).json === undefined) return
  const back = examined.called('play()', () => ({ state: game.play(jsonOf(before), next) }))
  const lost = back && differenceOf(back.state, after)
  if (lost !== undefined)
    examined.report('data', `play() goes on otherwise${at(lost)} from a state that was JSON meanwhile`)
}

/** Every legal action is accepted: `play` throws at none. */
function tryLegal(examined: ExaminedCase, state: unknown, due: readonly number[]): void {
  const { game } = examined.definition
  const tried = due.map((seat) => {
    const legal = game.legal(game.view(state, seat))
    // Of a shape as many as would be tried of a list.
    return [seat, isList(legal) ? legal : drawn(legal)] as const
  })
  const first = new Map(tried.map(([seat, [action]]) => [seat, action]))
  for (const [seat, legal] of tried) {
    for (const action of legal.length <= TRIED ? legal : []) {
      const moves = examined.seats.map((each): Move<string> | undefined => (each === seat ? action : first.get(each)))
      examined.called(`play() of the legal ${JSON.stringify(action)}`, () => game.play(state, deepFreeze(moves)))
    }
  }
}

function drawn(legal: Legal): readonly string[] {
  const actions = Array.from({ length: TRIED }, (_, i) => drawAction(legal, (n) => below(n, `tried ${i}`)) ?? '')
  return [...new Set(actions)]
}

/** Judges the game again from its record, and adds what is wrong. */
function examineEnd(examined: ExaminedCase, states: readonly unknown[], outcome: Outcome): void {
  const { definition, of, moves } = examined
  const { game } = definition
  const back = triedJson(outcome).json !== undefined ? differenceOf(jsonOf(outcome), outcome) : ''
  if (back !== undefined) examined.report('data', `an outcome does not survive JSON${at(back)}`)
  const again = examined.called('play()', () =>
    moves.reduce((state, move) => game.play(state, move), game.setup(of.seats, of.options, newLuck(of.seed))),
  )
  const unlike = differenceOf(again, states.at(-1))
  if (unlike !== undefined)
    examined.report('pure', `the same moves, judged again from the start, end otherwise${at(unlike)}`)
  if (below(WIRES, `${of.seed}/wires`) === 0) examineWires(examined, states, outcome)
}
