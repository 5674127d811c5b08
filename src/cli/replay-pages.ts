import { visible } from '../core/index.js'
import type { Replay } from '../app/look/replay.js'
import { outcomeText, seatsText } from '../text/index.js'
import { leftOf } from '../app/look/replay.js'
import { MoveTable, boardText } from '../app/look/move-table.js'

/** A match as pages: page 0 is the start, page n the position after turn n. */
export class ReplayPages {
  private readonly names: readonly string[]
  private readonly table: MoveTable
  /** By position and seat, the milliseconds that were left, if there is a bank. */
  private readonly left: ReturnType<typeof leftOf>

  constructor(
    private readonly replay: Replay,
    columns: number,
  ) {
    const { definition, record, start } = replay
    this.names = record.seats.map(({ entrant }) => entrant)
    this.left = leftOf(record)
    this.table = new MoveTable(definition, this.names, start, columns)
  }

  get last(): number {
    return this.replay.steps.length
  }

  /** The position after `n` turns, with the moves that led there. */
  page(n: number): string {
    const shown = this.replay.steps[n - 1]
    const state = shown?.after ?? this.replay.start
    const moves = shown
      ? `${this.table.head()}\n${this.table.turn(n - 1, shown.moves, shown.after, this.left?.[n])}`
      : 'before the first turn'
    const end = n === this.last ? `\n\n${this.end()}` : ''
    return `${this.title()}\nturn ${n} of ${this.last}\n\n${boardText(this.replay.definition, state, this.names)}\n\n${moves}${end}`
  }

  /** Every turn, for an output that is no terminal. */
  whole(): string {
    const rows = this.replay.steps.map((shown, i) => this.table.turn(i, shown.moves, shown.after, this.left?.[i + 1]))
    const board = boardText(this.replay.definition, this.replay.steps.at(-1)?.after ?? this.replay.start, this.names)
    return [this.title(), '', this.table.head(), ...rows, '', board, '', this.end()].join('\n')
  }

  private end(): string {
    return outcomeText(this.names, this.replay.outcome)
  }

  private title(): string {
    const { key } = this.replay.record
    return `${visible(this.replay.definition.title)}: ${seatsText(this.names)}${key === undefined ? '' : ` (${visible(key)})`}`
  }
}
