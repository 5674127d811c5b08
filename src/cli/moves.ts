import { type GameKit, type Move, isFault, shorten, visible } from '../core/index.js'
import { visibleLines } from './terminal.js'

/** A move for a list: the action with its meaning, or the fault; '·' where the seat was not due. */
export function moveText(kit: GameKit, move: Move<string> | null | undefined): string {
  if (move === null || move === undefined) return '·'
  if (isFault(move)) return `! ${move.fault}`
  const meaning = kit.actions?.[move]
  return meaning === undefined ? visible(move) : `${visible(move)} ${meaning}`
}

/** What a fault was, in a line: 'Ant: timeout: did not end within 1000 ms (said "B")'. */
export function faultText(
  name: string,
  fault: { fault: string; why?: string | undefined; said?: string | undefined },
): string {
  const why = fault.why === undefined ? '' : `: ${fault.why}`
  const said = fault.said === undefined || fault.said === '' ? '' : ` (said ${JSON.stringify(shorten(fault.said, 60))})`
  return visible(`${name}: ${fault.fault}${why}${said}`)
}

/** A list of moves with a column a seat. */
export class MoveTable {
  private readonly widths: readonly number[]

  constructor(
    private readonly kit: GameKit,
    private readonly names: readonly string[],
  ) {
    const longest = Math.max(
      0,
      ...Object.entries(kit.actions ?? {}).map(([action, meaning]) => visible(action).length + 1 + meaning.length),
    )
    this.widths = names.map((name) => Math.min(WIDEST, Math.max(visible(name).length, longest, '! unparsable'.length)))
  }

  head(): string {
    return this.row(' turn', this.names.map(visible))
  }

  /** One step; `number` counts from 0 and is shown from 1. Faults are told in full below. */
  step(number: number, moves: readonly (Move<string> | null | undefined)[]): string {
    const row = this.row(
      String(number + 1).padStart(5),
      moves.map((move) => moveText(this.kit, move)),
    )
    const faults = moves.flatMap((move, seat) =>
      isFault(move ?? undefined) ? [`      ! ${faultText(this.names[seat] ?? '', move as { fault: string })}`] : [],
    )
    return [row, ...faults].join('\n')
  }

  private row(first: string, cells: readonly string[]): string {
    return `${first}  ${cells.map((cell, i) => shorten(cell, WIDEST).padEnd(this.widths[i] ?? 0)).join('  ')}`.trimEnd()
  }
}

/** Characters of a column, at most. */
const WIDEST = 26

/** How a match ended, in a line: 'Ant wins: shot', 'draw between Ant and Bee: turn limit'. */
export function outcomeText(names: readonly string[], outcome: { place: readonly number[]; reason: string }): string {
  const first = names.filter((_, seat) => outcome.place[seat] === 1).map(visible)
  const who =
    first.length === 1
      ? `${first[0]} wins`
      : first.length === names.length
        ? 'a draw'
        : `a draw between ${first.slice(0, -1).join(', ')} and ${first.at(-1)}`
  return `${who}: ${outcome.reason}`
}

/** Names with a number behind those that stand there twice. */
export function distinct(names: readonly string[]): string[] {
  return names.map((name, i) => {
    const before = names.slice(0, i).filter((other) => other === name).length
    return before === 0 ? name : `${name} (${before + 1})`
  })
}

/** The whole position for a terminal: the game's own picture, else its JSON. */
export function boardText(kit: GameKit, state: unknown): string {
  return kit.board ? visibleLines(kit.board(state)) : visible(JSON.stringify(state))
}

/** What a seat may know, for a terminal. */
export function viewText(kit: GameKit, view: unknown, seat: number): string {
  return kit.text ? visibleLines(kit.text(view, seat)) : visible(JSON.stringify(view))
}
