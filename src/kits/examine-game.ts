import {
  type AnyGame,
  type GameDefinition,
  type Move,
  type Moves,
  type Outcome,
  VIEW_LENGTH,
  below,
  isFault,
  newLuck,
  isList,
  type Legal,
  drawAction,
} from '../core/index.js'
import { type Case, type Check, type Finding, everyone, type Act, deepFreeze, jsonOf, randomMoves } from './cases.js'
import { type ReportFinding, at, called, examinePosition, examineState, given } from './position.js'
import { differenceOf } from './same.js'
import { examineWires } from './wires.js'

export interface ExaminedGame {
  readonly findings: readonly Finding[]
  readonly steps: number
  /** Absent: it did not come to its end. */
  readonly outcome?: Outcome
  /** Bytes of the largest view that was looked at, as JSON. */
  readonly viewBytes: number
  /** Somewhere a view told its seat what another's did not. */
  readonly secrets?: boolean
  /** It was given up before its steps were too many, or for a state that is too large. */
  readonly tookTooLong?: boolean
}

/** Steps that are all looked at thoroughly; of those behind them one of so many is, and none of a program's. */
const THOROUGH = { first: 30, later: 20 }
/** One game of so many is played over all wires. */
const WIRES = 10
/** Legal actions of a seat that are all tried, at a position that is looked at thoroughly. */
const TRIED = 12

/** When a game counts as endless: after so many steps, or once `tooLong` says for how long it has gone on. */
interface Bounds {
  readonly cap: number
  readonly tooLong?: ((steps: number) => string | undefined) | undefined
  /** Who acts where there are no faults; absent: chance. */
  readonly act?: Act | undefined
}

type Played = Pick<ExaminedGame, 'viewBytes' | 'outcome' | 'tookTooLong' | 'secrets'>

/**
 * Plays one random game, everything frozen, and holds it to the contract. `bounds.cap`: steps after which it counts as endless; `tooLong`: asked
 * after each step, gives the time after which it does so before, in words.
 */
export function examineGame(definition: GameDefinition, of: Case, bounds: Bounds): ExaminedGame {
  const findings: Finding[] = []
  const moves: Moves<string>[] = []
  const report: ReportFinding = (check, what) => {
    if (!findings.some((one) => one.check === check && one.what === what))
      findings.push({ check, what, of, step: moves.length, moves: movesText(moves) })
  }
  // What throws now and then may throw where it has answered a moment before.
  const played = called(report, 'a part that answered before', () => playThrough(definition, of, bounds, moves, report))
  return { findings, steps: moves.length, viewBytes: 0, ...played }
}

function playThrough(
  definition: GameDefinition,
  of: Case,
  bounds: Bounds,
  moves: Moves<string>[],
  report: ReportFinding,
): Played {
  const { game } = definition
  const { seed, seats, options, faults } = of
  const states: unknown[] = []
  let viewBytes = 0
  let secrets = false
  const setup = (): unknown => game.setup(seats, deepFreeze(options), deepFreeze(newLuck(seed)))
  const done = (more: Pick<Played, 'outcome' | 'tookTooLong'> = {}): Played => ({ viewBytes, secrets, ...more })
  let state = given(report, 'setup()', () => deepFreeze(setup()), 'a state')
  if (state === undefined) return done()
  const unlike = differenceOf(setup(), state)
  if (unlike !== undefined) report('pure', `setup() differs${at(unlike)} when it is called twice with the same luck`)
  for (let step = 0; ; step++) {
    states.push(state)
    const later = definition.program === undefined && below(THOROUGH.later, `${seed}/${step}/thorough`) === 0
    const thorough = step < THOROUGH.first || later
    const position = examinePosition(definition, state, of, step, thorough, report)
    if (position === undefined) return done()
    viewBytes = Math.max(viewBytes, position.viewBytes)
    secrets ||= definition.program?.hidden === true && hasSecrets(everyone(seats).map((seat) => game.view(state, seat)))
    // Each look at it takes long, and says no more.
    if (viewBytes > VIEW_LENGTH) return done()
    if (thorough && !examineState(state, report)) return done({ tookTooLong: true })
    if (position.outcome !== undefined) {
      finish(definition, of, states, moves, position.outcome, report)
      return done({ outcome: position.outcome })
    }
    const long = bounds.tooLong?.(step)
    if (step === bounds.cap || long !== undefined) {
      const time = long === undefined ? '' : ` and ${long}`
      report('turns', `it has no end: not over after ${step} steps${time}${faults === 0 ? ' without a fault' : ''}`)
      return done({ tookTooLong: long !== undefined })
    }
    const before = state
    const next = deepFreeze(
      randomMoves(game, before, seats, `${seed}/${step}`, faults === 0 ? (bounds.act ?? 0) : faults),
    )
    if (thorough) tryLegal(definition, before, position.due, seats, report)
    const after = given(report, 'play()', () => deepFreeze(playOn(game, before, next)), 'the state behind it')
    moves.push(next)
    if (after === undefined) return done()
    examinePlay(definition, before, next, after, thorough, report)
    state = after
  }
}

/** The state behind these moves; in a game in which bots say something, each of them says what it does. */
const playOn = (game: AnyGame, state: unknown, moves: Moves<string>): unknown =>
  game.say === true
    ? game.play(
        state,
        moves,
        moves.map((move) => (typeof move === 'string' ? move : undefined)),
      )
    : game.play(state, moves)

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

function examinePlay(
  { game, program }: GameDefinition,
  before: unknown,
  moves: Moves<string>,
  after: unknown,
  thorough: boolean,
  report: ReportFinding,
): void {
  // Two of a program play each step already, and to play one again costs all before it.
  if (program !== undefined && !thorough) return
  const again = called(report, 'play()', () => ({ state: game.play(before, moves) }))
  const unlike = again && differenceOf(again.state, after)
  if (unlike !== undefined) report('pure', `play() differs${at(unlike)} when it is called twice with the same moves`)
  if (!thorough || unlike !== undefined || !isPlain(before)) return
  const back = called(report, 'play()', () => ({ state: game.play(jsonOf(before), moves) }))
  const lost = back && differenceOf(back.state, after)
  if (lost !== undefined) report('data', `play() goes on otherwise${at(lost)} from a state that was JSON meanwhile`)
}

function isPlain(state: unknown): boolean {
  try {
    return jsonOf(state) !== undefined
  } catch {
    return false
  }
}

/** Every legal action is accepted: `play` throws at none. */
function tryLegal(
  { game }: GameDefinition,
  state: unknown,
  due: readonly number[],
  seats: number,
  report: ReportFinding,
): void {
  const first = due.map((seat) => {
    const legal = game.legal(game.view(state, seat))
    // Of a shape as many as would be tried of a list.
    return [seat, isList(legal) ? legal : drawn(legal)] as const
  })
  for (const [seat, legal] of first) {
    for (const action of legal.length <= TRIED ? legal : []) {
      const moves = everyone(seats).map((each): Move<string> | undefined =>
        each === seat ? action : first.find(([other]) => other === each)?.[1][0],
      )
      called(report, `play() of the legal ${JSON.stringify(action)}`, () => game.play(state, deepFreeze(moves)))
    }
  }
}

function drawn(legal: Legal): readonly string[] {
  const actions = Array.from({ length: TRIED }, (_, i) => drawAction(legal, (n) => below(n, `tried ${i}`)) ?? '')
  return [...new Set(actions)]
}

/** Judges the game again from its record, and adds what is wrong with it. */
function finish(
  definition: GameDefinition,
  of: Case,
  states: readonly unknown[],
  moves: readonly Moves<string>[],
  outcome: Outcome,
  report: ReportFinding,
): void {
  const { game } = definition
  const back = isPlain(outcome) ? differenceOf(jsonOf(outcome), outcome) : ''
  if (back !== undefined) report('data', `an outcome does not survive JSON${at(back)}`)
  const again = called(report, 'play()', () =>
    moves.reduce((state, move) => game.play(state, move), game.setup(of.seats, of.options, newLuck(of.seed))),
  )
  const unlike = differenceOf(again, states.at(-1))
  if (unlike !== undefined) report('pure', `the same moves, judged again from the start, end otherwise${at(unlike)}`)
  if (below(WIRES, `${of.seed}/wires`) === 0) examineWires(definition, of, states, outcome, report)
}

/** Characters of a game that are shown. */
const SHOWN = 60

function movesText(moves: readonly Moves<string>[]): string {
  const textOf = (move: Move<string> | undefined): string =>
    move === undefined ? '–' : isFault(move) ? `(${move.fault})` : move
  const text = moves.map((step) => step.map(textOf).join(' ')).join(', ')
  return text.length > SHOWN ? `… ${text.slice(-SHOWN)}` : text
}

/** The smallest of the findings that say the same. */
export function smallest(findings: Iterable<Finding>): Finding[] {
  const found = new Map<string, Finding>()
  for (const finding of findings) {
    const key = keyOf(finding)
    const known = found.get(key)
    if (known === undefined || finding.step < known.step) found.set(key, finding)
  }
  return [...found.values()]
}

/** What it is about: seats and numbers set aside. */
const keyOf = ({ check, what }: { readonly check: Check; readonly what: string }): string =>
  `${check}: ${what
    .replace(/(["'])(?:\\.|(?!\1).)*\1/g, 'text')
    .replace(/\d+/g, 'n')
    .replace(/\(at [^)]*\)/, '')}`
