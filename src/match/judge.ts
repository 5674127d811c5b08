import {
  type AnyWire,
  type Fault,
  type GameKit,
  type Heard,
  type MatchRecord,
  type Me,
  type Move,
  type Outcome,
  type Seat,
  isFault,
  readMove,
  unpackHeard,
  wiresOf,
} from '../core/index.js'

/** What a match is before anything was heard. */
export type Fixture = Omit<MatchRecord, 'ready' | 'steps' | 'times' | 'outcome'>

/** A seat that was not ready owes every move from its first on; this is what each of them is. */
export type Unready = ReadonlyMap<Seat, Fault>

/** A record says something that this agon, with this game, cannot follow; the message is for a person. */
export class RecordError extends Error {
  override readonly name = 'RecordError'
}

/** The rules, wires and numbers by which a match is judged, live or again. */
export interface Bench {
  readonly kit: GameKit
  readonly wires: readonly AnyWire[]
  readonly me: readonly Me[]
}

/** Sets up the judging of a match. Throws RecordError for a wire that the game does not have, or a wrong number of seats. */
export function benchOf(kit: GameKit, fixture: Fixture): Bench {
  const { min, max } = kit.game.seats
  const n = fixture.seats.length
  if (n < min || n > max)
    throw new RecordError(`${kit.game.id} has ${min === max ? min : `${min} to ${max}`} seats, not ${n}`)
  const wires = wiresOf(kit, fixture.options)
  const ids = fixture.seats.map((seat) => seat.id)
  return {
    kit,
    wires: fixture.seats.map((seat) => {
      const wire = Object.hasOwn(wires, seat.wire) ? wires[seat.wire] : undefined
      if (wire === undefined)
        throw new RecordError(`${kit.game.id} has no wire '${seat.wire}'; it has ${Object.keys(wires).join(', ')}`)
      return wire
    }),
    me: ids.map((_, seat) => ({ seat, ids, field: fixture.field })),
  }
}

/** Which seats did not get ready, and as what that counts. */
export function unreadyOf(bench: Bench, ready: MatchRecord['ready']): Unready {
  const unready = new Map<Seat, Fault>()
  for (const [seat, heard] of ready) {
    const expected = bench.wires[seat]?.ready
    if (expected === undefined || (heard.trouble === undefined && expected.ok(heard))) continue
    const why = `was not ready: ${heard.why ?? `expected to ${expected.expects}`}`
    unready.set(seat, {
      fault: heard.trouble ?? 'unparsable',
      why,
      ...(heard.out && { said: heard.out.slice(0, 200) }),
    })
  }
  return unready
}

/** One seat's move from what was heard of it. */
export function moveOf(bench: Bench, unready: Unready, seat: Seat, heard: Heard, view: unknown): Move<string> {
  return unready.get(seat) ?? readMove(bench.kit.game, wireAt(bench, seat), heard, view, meAt(bench, seat))
}

export const wireAt = (bench: Bench, seat: Seat): AnyWire => bench.wires[seat] as AnyWire
export const meAt = (bench: Bench, seat: Seat): Me => bench.me[seat] as Me

/** Where a match stands by the rules, live or judged again. Nothing here knows what was said to whom. */
export class Position {
  /** The game's state. */
  state: unknown
  /** Set once the seats were asked whether they are ready. */
  unready: Unready = new Map()
  private toMove: readonly Seat[] | undefined

  constructor(
    readonly bench: Bench,
    { options, luck, seats }: Pick<Fixture, 'options' | 'luck' | 'seats'>,
  ) {
    this.state = bench.kit.game.setup(seats.length, options, luck)
  }

  /** The seats that owe a move; none: the match is over. */
  due(): readonly Seat[] {
    return (this.toMove ??= this.bench.kit.game.toMove(this.state))
  }

  /** What a seat's answer is as a move. */
  move(seat: Seat, heard: Heard, view: unknown): Move<string> {
    return moveOf(this.bench, this.unready, seat, heard, view)
  }

  /** No move of any seat yet. */
  noMoves(): (Move<string> | undefined)[] {
    return this.bench.wires.map(() => undefined)
  }

  /** Goes on by the moves of those that were due. */
  play(moves: readonly (Move<string> | undefined)[]): void {
    this.state = this.bench.kit.game.play(this.state, moves)
    this.toMove = undefined
  }
}

/** One step of a match that is judged again. */
export interface JudgedStep {
  readonly before: unknown
  readonly due: readonly Seat[]
  readonly heard: ReadonlyMap<Seat, Heard>
  /** By seat; undefined: was not due. */
  readonly moves: readonly (Move<string> | undefined)[]
  readonly after: unknown
}

/**
 * Walks through a record by the rules as they are now. Yields each step, returns the outcome that the rules give.
 * Throws RecordError where the record and the rules part: another seat was due, too many or too few steps.
 */
export function* walk(kit: GameKit, record: MatchRecord): Generator<JudgedStep, Outcome> {
  const { game } = kit
  if (record.version !== game.version) {
    throw new RecordError(
      `the record is of version ${record.version} of ${game.id}, this agon has version ${game.version}`,
    )
  }
  const refused = game.refuse?.(record.options, record.seats.length)
  if (refused !== undefined) throw new RecordError(`its options: ${refused}`)
  const bench = benchOf(kit, record)
  const unready = unreadyOf(bench, record.ready)
  const position = byRules(0, () => new Position(bench, record))
  position.unready = unready
  for (const [number, step] of record.steps.entries()) {
    const due = position.due()
    const told = step.map(([seat]) => seat)
    if (due.length === 0)
      throw new RecordError(`the match was over after ${number} steps, the record has ${record.steps.length}`)
    if (due.join() !== told.join())
      throw new RecordError(`step ${number + 1}: seats ${due.join(' ')} were due, the record has ${told.join(' ')}`)
    const heard = new Map(step.map(([seat, said]) => [seat, unpackHeard(said)]))
    const moves = position.noMoves()
    const before = position.state
    byRules(number + 1, () => {
      for (const [seat, said] of heard) moves[seat] = position.move(seat, said, game.view(before, seat))
      position.play(moves)
    })
    yield { before, due, heard, moves, after: position.state }
  }
  const outcome = game.outcome(position.state)
  if (outcome === undefined) throw new RecordError(`the match is not over after ${record.steps.length} steps`)
  return outcome
}

/** What the game throws over a record is the record's fault: options or luck that it cannot have been played with. */
function byRules<T>(step: number, rule: () => T): T {
  try {
    return rule()
  } catch (error) {
    const where = step === 0 ? 'the setup' : `step ${step}`
    throw new RecordError(`the game cannot follow ${where}: ${error instanceof Error ? error.message : String(error)}`)
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
export function judge(kit: GameKit, record: MatchRecord): Judged {
  const moves: (Move<string> | null)[][] = []
  const faults: FaultAt[] = []
  const steps = walk(kit, record)
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
