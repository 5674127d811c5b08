import {
  type AnyWire,
  type Fault,
  type GameDefinition,
  type BotOutput,
  type MatchFixture,
  type MatchRecord,
  type Me,
  type Move,
  type Outcome,
  type Seat,
  isFault,
  outcomeOf,
  OutcomeError,
  readMove,
  unpackOutput,
  wiresOf,
  messageOf,
} from '../core/index.js'

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
  const unready = new Map<Seat, Fault>()
  for (const [seat, output] of ready) {
    const expected = context.wires[seat]?.ready
    if (expected === undefined || (output.trouble === undefined && expected.ok(output))) continue
    const why = `was not ready: ${output.why ?? `expected to ${expected.expects}`}`
    unready.set(seat, {
      fault: output.trouble ?? 'unparsable',
      why,
      ...(output.out && { said: output.out.slice(0, 200) }),
    })
  }
  return unready
}

/** One seat's move from its output; `legal`: its legal actions, where they have been worked out. */
export function moveOf(
  context: JudgeContext,
  unready: Unready,
  seat: Seat,
  output: BotOutput,
  view: unknown,
  legal?: readonly string[],
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
  unready: Unready = new Map()
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
  move(seat: Seat, output: BotOutput, view: unknown, legal?: readonly string[]): Move<string> {
    return moveOf(this.context, this.unready, seat, output, view, legal)
  }

  /** No move of any seat yet. */
  noMoves(): (Move<string> | undefined)[] {
    return this.context.wires.map(() => undefined)
  }

  /** Goes on by the moves of those that were due. */
  play(moves: readonly (Move<string> | undefined)[]): void {
    this.state = this.context.definition.game.play(this.state, moves)
    this.toMove = undefined
  }
}

/** One step of a match that is judged again. */
export interface JudgedStep {
  readonly before: unknown
  readonly due: readonly Seat[]
  readonly outputs: ReadonlyMap<Seat, BotOutput>
  /** By seat; undefined: was not due. */
  readonly moves: readonly (Move<string> | undefined)[]
  readonly after: unknown
}

/**
 * Walks through a record by the rules as they are now. Yields each step, returns the outcome that the rules give.
 * Throws RecordError where the record and the rules part: another seat was due, too many or too few steps.
 */
export function* walk(definition: GameDefinition, record: MatchRecord): Generator<JudgedStep, Outcome> {
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
  const position = byRules(0, () => new Position(context, record))
  position.unready = unready
  for (const [number, step] of record.steps.entries()) {
    const due = position.due()
    const recorded = step.map(([seat]) => seat)
    if (due.length === 0)
      throw new RecordError(`the match was over after ${number} steps, the record has ${record.steps.length}`)
    if (due.join() !== recorded.join())
      throw new RecordError(`step ${number + 1}: seats ${due.join(' ')} were due, the record has ${recorded.join(' ')}`)
    const outputs = new Map(step.map(([seat, output]) => [seat, unpackOutput(output)]))
    const moves = position.noMoves()
    const before = position.state
    byRules(number + 1, () => {
      for (const [seat, output] of outputs) moves[seat] = position.move(seat, output, game.view(before, seat))
      position.play(moves)
    })
    yield { before, due, outputs, moves, after: position.state }
  }
  const outcome = endingOf(definition, position.state, record)
  if (outcome === undefined) throw new RecordError(`the match is not over after ${record.steps.length} steps`)
  return outcome
}

/** How a recorded match has ended; undefined: it has not. Throws RecordError where the rules make nothing of it that is an outcome. */
export function endingOf(
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
function byRules<T>(step: number, rule: () => T): T {
  try {
    return rule()
  } catch (error) {
    const where = step === 0 ? 'the setup' : `step ${step}`
    throw new RecordError(`the game cannot follow ${where}: ${messageOf(error)}`)
  }
}

/** A fault with where it happened; `turn` counts steps from 0. */
export interface FaultAt extends Fault {
  readonly seat: Seat
  readonly turn: number
}

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
    faults.push(...faultsOf(next.value.moves, moves.length))
    moves.push(next.value.moves.map((move) => move ?? null))
  }
}

/** The faults among the moves of one step. */
export function faultsOf(moves: readonly (Move<string> | undefined)[], turn: number): FaultAt[] {
  return moves.flatMap((move, seat) => (isFault(move) ? [{ seat, turn, ...move }] : []))
}
