import {
  type AnyWire,
  type Fault,
  type FaultAt,
  type GameDefinition,
  type Legal,
  type BotOutput,
  type MatchFixture,
  type MatchRecord,
  type Me,
  type Move,
  type Outcome,
  type Said,
  type Seat,
  type Step,
  isFault,
  messageOf,
  outcomeOf,
  OutcomeError,
  readMove,
  saidBeside,
  unpackOutput,
  wiresOf,
} from '../core/index.js'
import { type Clocks, clocksOf } from './clocks.js'

/** A match before its first answer. */
export type Fixture = MatchFixture

/** A match so far: its record without an end. */
export type PlayedSoFar = Fixture & Pick<MatchRecord, 'ready' | 'steps' | 'times'>

/** Seats that were not ready owe every move from their first on; each is this fault. */
export type Unready = ReadonlyMap<Seat, Fault>

/** This agon, with this game, cannot follow the record; for a person. */
export class RecordError extends Error {
  override readonly name = 'RecordError'
}

/** What a match is judged by, live or again. */
export interface JudgeContext {
  readonly definition: GameDefinition
  readonly wires: readonly AnyWire[]
  readonly me: readonly Me[]
}

/** Prepares to judge a match. Throws RecordError for a wire that the game lacks, or a wrong number of seats. */
export function judgeContext(definition: GameDefinition, fixture: Fixture): JudgeContext {
  const { min, max } = definition.game.seats
  const n = fixture.seats.length
  if (n < min || n > max)
    throw new RecordError(`${definition.game.id} has ${min === max ? min : `${min} to ${max}`} seats, not ${n}`)
  const wires = wiresOf(definition, fixture.options)
  const ids = fixture.seats.map((seat) => seat.id)
  return {
    definition,
    wires: fixture.seats.map((seat) => {
      const wire = Object.hasOwn(wires, seat.wire) ? wires[seat.wire] : undefined
      if (wire === undefined)
        throw new RecordError(
          `${definition.game.id} has no wire '${seat.wire}'; it has ${Object.keys(wires).join(', ')}`,
        )
      return wire
    }),
    me: ids.map((_, seat) => ({ seat, ids, field: fixture.field })),
  }
}

/** Which seats did not get ready, and what that counts as. */
export function unreadyOf(context: JudgeContext, ready: MatchRecord['ready']): Unready {
  if (ready.length === 0) return ALL_READY
  const unready = new Map<Seat, Fault>()
  for (const [seat, output] of ready) {
    const expected = context.wires[seat]?.ready
    if (expected === undefined || (output.trouble === undefined && expected.ok(output))) continue
    const why = `was not ready: ${output.why ?? `expected to ${expected.expects}`}`
    const said = output.out ? output.out.slice(0, 200) : undefined
    unready.set(seat, { fault: output.trouble ?? 'unparsable', why, said })
  }
  return unready
}

const ALL_READY: Unready = new Map()

export const wireAt = (context: JudgeContext, seat: Seat): AnyWire => context.wires[seat] as AnyWire
export const meAt = (context: JudgeContext, seat: Seat): Me => context.me[seat] as Me

/** An answer's move or fault, and what was said beside a move, where this game hears it. */
export interface Counted {
  readonly move: Move<string>
  readonly said?: string
}

export interface Moved {
  /** By seat; undefined: not due. */
  readonly moves: readonly (Move<string> | undefined)[]
  /** What each seat said beside its move, once anyone has said something. */
  readonly said: Said | undefined
}

/** Where a match stands by the rules, live or judged again. It does not know what was sent to whom. */
export class Position {
  state: unknown
  /** Set once the seats were asked whether they are ready. */
  unready: Unready = ALL_READY
  private toMove: readonly Seat[] | undefined
  private moves: (Move<string> | undefined)[]
  private words: (string | undefined)[] | undefined

  constructor(
    readonly context: JudgeContext,
    { options, luck, seats }: Pick<Fixture, 'options' | 'luck' | 'seats'>,
  ) {
    this.state = context.definition.game.setup(seats.length, options, luck)
    this.moves = this.nothing()
  }

  /** Seats that owe a move; none: the match is over. */
  due(): readonly Seat[] {
    return (this.toMove ??= this.context.definition.game.toMove(this.state))
  }

  /** What a seat's answer counts as; `legal` gives its legal actions. */
  read(seat: Seat, output: BotOutput, view: unknown, legal?: () => Legal): Counted {
    const { context, unready } = this
    const { game } = context.definition
    const [wire, never] = [wireAt(context, seat), unready.size === 0 ? undefined : unready.get(seat)]
    const move = never ?? readMove(game, wire, output, view, meAt(context, seat), legal)
    return { move, said: saidBeside(game, wire, output, move) }
  }

  /** Takes the answer of a seat that is due. Returns its move. */
  take(seat: Seat, output: BotOutput, view: unknown, legal?: () => Legal): Move<string> {
    const { move, said } = this.read(seat, output, view, legal)
    this.moves[seat] = move
    if (said !== undefined) (this.words ??= this.nothing())[seat] = said
    return move
  }

  play(): Moved {
    const { game } = this.context.definition
    const { moves, words: said } = this
    this.state = said === undefined ? game.play(this.state, moves) : game.play(this.state, moves, said)
    this.moves = this.nothing()
    this.words = this.toMove = undefined
    return { moves, said }
  }

  private nothing(): undefined[] {
    return this.context.wires.map(() => undefined)
  }
}

export interface JudgedStep extends Moved {
  readonly before: unknown
  readonly due: readonly Seat[]
  readonly after: unknown
}

/** A seat's answer in a recorded step; undefined: not due. */
export function outputIn(step: Step | undefined, seat: Seat): BotOutput | undefined {
  const output = step?.find(([who]) => who === seat)?.[1]
  return output === undefined ? undefined : unpackOutput(output)
}

/**
 * Walks through a record by the rules as they are now. Yields each step, returns the rules' outcome. Throws RecordError
 * where record and rules part: another seat was due, too many or too few steps.
 */
export function* walk(definition: GameDefinition, record: MatchRecord): Generator<JudgedStep, Outcome> {
  const { steps } = record
  const [position, clocks] = beginning(definition, record)
  for (const [i, step] of steps.entries()) {
    const before = position.state
    const due = position.due()
    if (due.length === 0) throw new RecordError(`the match was over after ${i} steps, the record has ${steps.length}`)
    if (due.length !== step.length || !due.every((seat, k) => seat === step[k]?.[0])) {
      const recorded = step.map(([seat]) => seat).join(' ')
      throw new RecordError(`step ${i + 1}: seats ${due.join(' ')} were due, the record has ${recorded}`)
    }
    if (clocks !== undefined) checkClocks(clocks, step, record.clock?.[i] ?? [], i + 1)
    yield { before, due, ...replayed(position, step, i + 1), after: position.state }
  }
  const outcome = endingOf(definition, position.state, record)
  if (outcome === undefined) throw new RecordError(`the match is not over after ${steps.length} steps`)
  return outcome
}

/** A recorded match's beginning. Throws RecordError where these rules have none for it. */
function beginning(definition: GameDefinition, record: MatchRecord): [Position, Clocks | undefined] {
  const { game } = definition
  if (record.version !== game.version)
    throw new RecordError(
      `the record is of version ${record.version} of ${game.id}, this agon has version ${game.version}`,
    )
  const refused = game.refuse?.(record.options, record.seats.length)
  if (refused !== undefined) throw new RecordError(`its options: ${refused}`)
  const context = judgeContext(definition, record)
  const unready = unreadyOf(context, record.ready)
  const clocks = clocksOf(record, context.wires)
  if ((record.clock === undefined) !== (clocks === undefined))
    throw new RecordError('it has a clock without the limits of one, or these without a clock')
  try {
    const position = new Position(context, record)
    position.unready = unready
    return [position, clocks]
  } catch (error) {
    throw impossible('the setup', error)
  }
}

function replayed(position: Position, step: Step, number: number): Moved {
  const { game } = position.context.definition
  try {
    for (const [seat, output] of step) position.take(seat, unpackOutput(output), game.view(position.state, seat))
    return position.play()
  } catch (error) {
    throw impossible(`step ${number}`, error)
  }
}

function checkClocks(clocks: Clocks, step: Step, taken: readonly number[], number: number): void {
  if (taken.length !== step.length)
    throw new RecordError(`step ${number}: ${step.length} answers, and ${taken.length} times of the clock`)
  for (const [k, [seat, output]] of step.entries()) {
    const why = clocks.judge(seat, unpackOutput(output), taken[k] as number)
    if (why !== undefined) throw new RecordError(`step ${number}: seat ${seat}: ${why}`)
  }
}

/** A recorded match's end; undefined: none yet. Throws RecordError where the rules give no valid outcome. */
function endingOf(
  definition: GameDefinition,
  state: unknown,
  { seats }: Pick<MatchRecord, 'seats'>,
): Outcome | undefined {
  try {
    return outcomeOf(definition, state, seats.length)
  } catch (error) {
    throw error instanceof OutcomeError ? new RecordError(`the game ends wrongly: ${error.message}`) : error
  }
}

/** The game's error is the record's fault: options or luck it cannot have been played with. */
const impossible = (where: string, error: unknown): RecordError =>
  new RecordError(`the game cannot follow ${where}: ${messageOf(error)}`)

/** Everything that follows from a record. */
export interface Judged {
  readonly moves: readonly (readonly (Move<string> | null)[])[]
  readonly faults: readonly FaultAt[]
  readonly outcome: Outcome
}

/** Judges a record again. Throws RecordError where it cannot be followed. */
export function judge(definition: GameDefinition, record: MatchRecord): Judged {
  const moves: (Move<string> | null)[][] = []
  const faults: FaultAt[] = []
  const steps = walk(definition, record)
  for (;;) {
    const next = steps.next()
    if (next.done) return { moves, faults, outcome: next.value }
    const played = next.value.moves
    if (played.some(isFault)) faults.push(...faultsOf(played, moves.length))
    moves.push(played.map((move) => move ?? null))
  }
}

export function faultsOf(moves: readonly (Move<string> | undefined)[], turn: number): FaultAt[] {
  return moves.flatMap((move, seat) => (isFault(move) ? [{ seat, turn, ...move }] : []))
}

/** What today's rules make of a match played under older ones. */
export type Rejudged =
  | { readonly outcome: Outcome }
  /** Its answers no longer lead to an end. */
  | { readonly open: string }

/**
 * Judges a match's raw answers by the game's current version, whichever it was played under. A match that now ends earlier has
 * that end's outcome. What the rules cannot follow, also a missing option or wire, is open.
 */
export function rejudge(definition: GameDefinition, record: MatchRecord): Rejudged {
  let last: JudgedStep | undefined
  try {
    const steps = walk(definition, { ...record, version: definition.game.version })
    for (;;) {
      const next = steps.next()
      if (next.done) return { outcome: next.value }
      last = next.value
    }
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    const outcome = last && endingOf(definition, last.after, record)
    return outcome === undefined ? { open: error.message } : { outcome }
  }
}
