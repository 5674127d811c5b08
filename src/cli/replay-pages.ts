import { type GameKit, type MatchRecord, type Outcome, UserError, visible } from '../core/index.js'
import { type JudgedStep, walk } from '../match/index.js'
import { outcomeText, seatsText } from '../text/index.js'
import { MoveTable, boardText } from './moves.js'

/** A match as pages: page 0 is the start, page n what stands after turn n. */
export class Replay {
  private readonly start: unknown
  private readonly steps: JudgedStep[] = []
  private readonly names: readonly string[]
  private readonly table: MoveTable
  private readonly outcome: Outcome

  /** Judges the record again. Throws UserError where the rules cannot follow it. */
  constructor(
    private readonly kit: GameKit,
    private readonly record: MatchRecord,
    columns: number,
  ) {
    this.names = record.seats.map(({ entrant }) => entrant)
    try {
      this.start = kit.game.setup(record.seats.length, record.options, record.luck)
      this.table = new MoveTable(kit, this.names, this.start, columns)
      const steps = walk(kit, record)
      let next = steps.next()
      for (; !next.done; next = steps.next()) this.steps.push(next.value)
      this.outcome = next.value
    } catch (error) {
      throw new UserError(`this record cannot be replayed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  get last(): number {
    return this.steps.length
  }

  /** The position after `n` turns, with the moves that led there. */
  page(n: number): string {
    const shown = this.steps[n - 1]
    const state = shown?.after ?? this.start
    const moves = shown
      ? `${this.table.head()}\n${this.table.turn(n - 1, shown.moves, shown.after)}`
      : 'before the first turn'
    const end = n === this.last ? `\n\n${this.end()}` : ''
    return `${this.title()}\nturn ${n} of ${this.last}\n\n${boardText(this.kit, state)}\n\n${moves}${end}`
  }

  /** Every turn, for an output that is no terminal. */
  whole(): string {
    const rows = this.steps.map((shown, i) => this.table.turn(i, shown.moves, shown.after))
    const board = boardText(this.kit, this.steps.at(-1)?.after ?? this.start)
    return [this.title(), '', this.table.head(), ...rows, '', board, '', this.end()].join('\n')
  }

  private end(): string {
    return outcomeText(this.names, this.outcome)
  }

  private title(): string {
    const { key } = this.record
    return `${visible(this.kit.title)}: ${seatsText(this.names)}${key === undefined ? '' : ` (${visible(key)})`}`
  }
}
