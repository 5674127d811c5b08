import { type GameDefinition, type Move, isFault, shownSeats, visible, visibleLines } from '../../core/index.js'
import { faultText, pad, shorten, width } from '../../text/index.js'

type Shown = Move<string> | null | undefined

/** A move for a list: the action with its meaning, or the fault; '·' where the seat was not due. */
function moveText(definition: GameDefinition, move: Shown): string {
  if (move === null || move === undefined) return '·'
  return isFault(move) ? `! ${move.fault}` : actionText(definition, move)
}

/** An action with what it means, where the game says and it is not the same word. */
export function actionText(definition: GameDefinition, action: string): string {
  const meaning = definition.actions?.[action]
  if (meaning === undefined) return visible(action)
  return meaning.split(' ')[0] === action ? visible(meaning) : `${visible(action)} ${visible(meaning)}`
}

const WIDEST = 26

export type MoveTable = ReturnType<typeof moveTable>

/**
 * Moves with what matters of each seat after them: a row a turn and a column a seat, or, if too wide, a row for each seat that moved. `start`: the
 * position before the first turn; `columns`: of the terminal.
 */
export function moveTable(definition: GameDefinition, seated: readonly string[], start: unknown, columns: number) {
  const names = seated.map((name) => shorten(visible(name), WIDEST))
  const actions = Object.keys(definition.actions ?? {}).map((action) =>
    Math.min(WIDEST, width(actionText(definition, action))),
  )
  const moveWidth = Math.max('! unparsable'.length, ...actions)
  let figureWidth = 0

  function figuresText(state: unknown, seat: number, left?: number): string {
    const figures = definition.figures === undefined ? [] : [visible(definition.figures(state, seat))]
    if (left !== undefined) figures.push(`${(left / 1000).toFixed(2)} s left`)
    if (figures.length === 0) return ''
    // A figure more than now: a list should not widen as it goes.
    const text = `  ${figures.join(', ')} `
    figureWidth = Math.max(figureWidth, width(text))
    return pad(text, figureWidth)
  }

  for (const seat of names.keys()) figuresText(start, seat)
  const cellWidth = Math.max(moveWidth + figureWidth, ...names.map(width))
  const tall = 5 + names.length * (cellWidth + GAP) > Math.min(columns, MOST_COLUMNS)

  return {
    head(): string {
      const cells = names.map((name) => pad(name, moveWidth + figureWidth))
      return tall ? '' : row(' turn', cells)
    },

    /** A turn, faults in full below; `number` counts from 0 and is shown from 1. `left`: by seat, the milliseconds that its clock has after it. */
    turn(number: number, moves: readonly Shown[], after: unknown, left?: readonly number[]): string {
      const cells = moves.map((move, seat) => {
        const text = pad(shorten(moveText(definition, move), WIDEST), moveWidth)
        return text + figuresText(after, seat, left?.[seat])
      })
      const faults = moves.flatMap((move, seat) =>
        move && isFault(move) ? [`       ! ${faultText(names[seat] ?? '', move)}`] : [],
      )
      if (!tall) return [row(String(number + 1).padStart(5), cells), ...faults].join('\n')
      const longest = Math.max(...names.map(width))
      const rows = cells.flatMap((cell, seat) =>
        (moves[seat] ?? null) === null ? [] : [row(' '.repeat(5), [pad(names[seat] ?? '', longest), cell])],
      )
      return [`turn ${number + 1}`, ...rows, ...faults].join('\n')
    },
  }
}

const GAP = 3
/** A row that is wider than this is hard to read on any screen. */
const MOST_COLUMNS = 160

const row = (first: string, cells: readonly string[]): string => `${first}  ${cells.join(' '.repeat(GAP))}`.trimEnd()

/** The whole position for a terminal: the game's own picture, else its JSON. */
export function boardText(definition: GameDefinition, state: unknown, names: readonly string[]): string {
  return definition.board ? visibleLines(definition.board(state, shownSeats(names))) : visible(JSON.stringify(state))
}
