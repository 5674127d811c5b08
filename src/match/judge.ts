import {
  type AnyWire,
  type Fault,
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
  outcomeOf,
  OutcomeError,
  readMove,
  saidBeside,
  unpackOutput,
  wiresOf,
  messageOf,
  type FaultAt,
} from '../core/index.js'
import { type Clocks, clocksOf } from './clocks.js'

/** A match before its first answer. */
export type Fixture = MatchFixture

/** A match as far as it has been played: its record without an end. */
export type PlayedSoFar = Fixture & Pick<MatchRecord, 'ready' | 'steps' | 'times'>

/** A seat that was not ready owes every move from its first on; this is what each of them is. */
export type Unready = ReadonlyMap<Seat, Fault>

/** This agon, with this game, cannot follow the record; the message is for a person. */
export class RecordError extends Error {
  override readonly name = 'RecordError'
}

/** The rules, wires and numbers by which a match is judged, live or again. */
export interface JudgeContext {
  readonly definition: GameDefinition
  readonly wires: readonly AnyWire[]
  readonly me: readonly Me[]
}

/** Sets up the judging of a match. Throws RecordError for a wire that the game does not have, or a wrong number of seats. */
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

/** Which seats did not get ready, and as what that counts. */
export function unreadyOf(context: JudgeContext, ready: MatchRecord['ready']): Unready {
  if (ready.length === 0) return ALL_READY
  const unready = new Map<Seat, Fault>()
  for (const [seat, output] of ready) {
    const expected = context.wires[seat]?.ready
    if (expected === undefined || (output.trouble === undefined && expected.ok(output))) continue
    const why = `was not ready: ${output.why ?? `expected to ${expected.expects}`}`
    unready.set(seat, {
      fault: output.trouble ?? 'unparsable',
      why,
      said: output.out ? output.out.slice(0, 200) : undefined,
    })
  }
  return unready
}

const ALL_READY: Unready = new Map()

/** One seat's move from its output; `legal` gives its legal actions, where they may have been worked out. */
export function moveOf(
  context: JudgeContext,
  unready: Unready,
  seat: Seat,
  output: BotOutput,
  view: unknown,
  legal?: () => Legal,
): Move<string> {
  const never = unready.size === 0 ? undefined : unready.get(seat)
  return never ?? readMove(context.definition.game, wireAt(context, seat), output, view, meAt(context, seat), legal)
}

export const wireAt = (context: JudgeContext, seat: Seat): AnyWire => context.wires[seat] as AnyWire
export const meAt = (context: JudgeContext, seat: Seat): Me => context.me[seat] as Me

/** Where a match stands by the rules, live or judged again. Nothing here knows what was sent to whom. */
export class Position {
  /** The game's state. */
  state: unknown
  /** Set once the seats were asked whether they are ready. */
  unready: Unready = ALL_READY
  private toMove: readonly Seat[] | undefined

  constructor(
    readonly context: JudgeContext,
    { options, luck, seats }: Pick<Fixture, 'options' | 'luck' | 'seats'>,
  ) {
    this.state = context.definition.game.setup(seats.length, options, luck)
  }

  /** The seats that owe a move; none: the match is over. */
  due(): readonly Seat[] {
    return (this.toMove ??= this.context.definition.game.toMove(this.state))
  }

  /** What a seat's answer is as a move. */
  move(seat: Seat, output: BotOutput, view: unknown, legal?: () => Legal): Move<string> {
    return moveOf(this.context, this.unready, seat, output, view, legal)
  }

  /** What a seat said beside its move; undefined: nothing that this game hears. */
  said(seat: Seat, output: BotOutput, move: Move<string>): string | undefined {
    return saidBeside(this.context.definition.game, wireAt(this.context, seat), output, move)
  }

  /** No move of any seat yet. */
  noMoves(): (Move<string> | undefined)[] {
    return this.context.wires.map(() => undefined)
  }

  /** Goes on by the moves of those that were due, and what they said beside them. */
  play(moves: readonly (Move<string> | undefined)[], said?: Said): void {
    const { game } = this.context.definition
    this.state = said === undefined ? game.play(this.state, moves) : game.play(this.state, moves, said)
    this.toMove = undefined
  }
}

/** What was said in a step. In most nothing is. */
export class Words {
  /** By seat; undefined as long as nobody has said anything. */
  said: (string | undefined)[] | undefined

  constructor(private readonly seats: number) {}

  add(seat: Seat, text: string | undefined): void {
    if (text === undefined) return
    this.said ??= Array.from({ length: this.seats }, () => undefined)
    this.said[seat] = text
  }
}

/** One step of a match that is judged again. */
export interface JudgedStep {
  readonly before: unknown
  readonly due: readonly Seat[]
  readonly outputs: ReadonlyMap<Seat, BotOutput>
  /** By seat; undefined: was not due. */
  readonly moves: readonly (Move<string> | undefined)[]
  /** By seat, once anyone has said something. */
  readonly said: Said | undefined
  readonly after: unknown
}

/**
 * Walks through a record by the rules as they are now. Yields each step, returns the outcome that the rules give.
 * Throws RecordError where the record and the rules part: another seat was due, too many or too few steps.
 */
export function* walk(definition: GameDefinition, record: MatchRecord): Generator<JudgedStep, Outcome> {
  const walking = new Walk(definition, record)
  for (const step of record.steps) {
    const before = walking.state
    const due = walking.due(step)
    const { moves, said } = walking.play(step)
    const outputs = new Map(step.map(([seat, output]) => [seat, unpackOutput(output)]))
    yield { before, due, outputs, moves, said, after: walking.state }
  }
  return walking.outcome()
}

/** A record that is gone through by the rules, step after step. Every match of a run is judged again: no more is made than is asked for. */
class Walk {
  private readonly position: Position
  private readonly clocks: Clocks | undefined
  /** Steps that were played. */
  private played = 0

  /** Throws RecordError for a record that these rules have no beginning for. */
  constructor(
    private readonly definition: GameDefinition,
    private readonly record: MatchRecord,
  ) {
    const { game } = definition
    if (record.version !== game.version) {
      throw new RecordError(
        `the record is of version ${record.version} of ${game.id}, this agon has version ${game.version}`,
      )
    }
    const refused = game.refuse?.(record.options, record.seats.length)
    if (refused !== undefined) throw new RecordError(`its options: ${refused}`)
    const context = judgeContext(definition, record)
    const unready = unreadyOf(context, record.ready)
    this.clocks = clocksOf(record, context.wires)
    if ((record.clock === undefined) !== (this.clocks === undefined))
      throw new RecordError('it has a clock without the limits of one, or these without a clock')
    try {
      this.position = new Position(context, record)
    } catch (error) {
      throw impossible('the setup', error)
    }
    this.position.unready = unready
  }

  /** The game's state. */
  get state(): unknown {
    return this.position.state
  }

  /** The seats that are due, which have to be those of the record's next step. */
  due(step: Step): readonly Seat[] {
    const due = this.position.due()
    const { played, record } = this
    if (due.length === 0)
      throw new RecordError(`the match was over after ${played} steps, the record has ${record.steps.length}`)
    if (due.length === step.length && due.every((seat, i) => seat === step[i]?.[0])) return due
    const recorded = step.map(([seat]) => seat).join(' ')
    throw new RecordError(`step ${played + 1}: seats ${due.join(' ')} were due, the record has ${recorded}`)
  }

  /** Plays the record's next step; returns the moves and what was said beside them, by seat. */
  play(step: Step): Pick<JudgedStep, 'moves' | 'said'> {
    const { position, definition } = this
    const moves = position.noMoves()
    const words = new Words(moves.length)
    const before = position.state
    this.played++
    if (this.clocks) this.checkClocks(this.clocks, step)
    try {
      for (const [seat, packed] of step) {
        const output = unpackOutput(packed)
        const move = position.move(seat, output, definition.game.view(before, seat))
        moves[seat] = move
        words.add(seat, position.said(seat, output, move))
      }
      position.play(moves, words.said)
    } catch (error) {
      throw impossible(`step ${this.played}`, error)
    }
    return { moves, said: words.said }
  }

  /** Takes what the answers of a step took. */
  private checkClocks(clocks: Clocks, step: Step): void {
    const { played, record } = this
    const taken = record.clock?.[played - 1] ?? []
    if (taken.length !== step.length)
      throw new RecordError(`step ${played}: ${step.length} answers, and ${taken.length} times of the clock`)
    for (const [k, [seat, output]] of step.entries()) {
      const why = clocks.judge(seat, unpackOutput(output), taken[k] as number)
      if (why !== undefined) throw new RecordError(`step ${played}: seat ${seat}: ${why}`)
    }
  }

  /** Once all steps were played. */
  outcome(): Outcome {
    const outcome = endingOf(this.definition, this.state, this.record)
    if (outcome === undefined) throw new RecordError(`the match is not over after ${this.played} steps`)
    return outcome
  }
}

/** How a recorded match has ended; undefined: it has not. Throws RecordError where the rules make nothing of it that is an outcome. */
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

/** What the game throws over a record is the record's fault: options or luck that it cannot have been played with. */
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
  const walking = new Walk(definition, record)
  for (const step of record.steps) {
    walking.due(step)
    const { moves: played } = walking.play(step)
    if (played.some(isFault)) faults.push(...faultsOf(played, moves.length))
    moves.push(played.map((move) => move ?? null))
  }
  return { moves, faults, outcome: walking.outcome() }
}

/** The faults among the moves of one step. */
export function faultsOf(moves: readonly (Move<string> | undefined)[], turn: number): FaultAt[] {
  return moves.flatMap((move, seat) => (isFault(move) ? [{ seat, turn, ...move }] : []))
}

/** What the rules as they are now make of a match that was played under older ones. */
export type Rejudged =
  | { readonly outcome: Outcome }
  /** Its answers do not lead to an end any more: how it would have gone on is not determined. */
  | { readonly open: string }

/**
 * Judges the raw answers of a match by the game's current version, whichever it was played under. A match that now ends before
 * its last answer has the outcome of that end. What the rules cannot follow, an option or a wire that is gone included, is open.
 */
export function rejudge(definition: GameDefinition, record: MatchRecord): Rejudged {
  let last: { readonly state: unknown } | undefined
  try {
    const steps = walk(definition, { ...record, version: definition.game.version })
    for (;;) {
      const next = steps.next()
      if (next.done) return { outcome: next.value }
      last = { state: next.value.after }
    }
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    const outcome = last && endingOf(definition, last.state, record)
    return outcome === undefined ? { open: error.message } : { outcome }
  }
}
