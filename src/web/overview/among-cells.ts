import type { KeyboardEvent } from 'react'

/** Rows and columns by which a key moves. */
const STEPS = new Map<string, readonly [row: number, column: number]>([
  ['ArrowUp', [-1, 0]],
  ['ArrowDown', [1, 0]],
  ['ArrowLeft', [0, -1]],
  ['ArrowRight', [0, 1]],
])

/** Moves the focus from a cell's link to the next one in the direction of an arrow key; cells without a link are passed over. */
export function moveAmongCells(event: KeyboardEvent<HTMLTableElement>): void {
  const step = STEPS.get(event.key)
  const from = event.target instanceof Element ? event.target.closest('td') : null
  const row = from?.closest('tr')
  if (step === undefined || from === null || !row) return
  const { rows } = event.currentTarget
  let [y, x] = [row.rowIndex, from.cellIndex]
  for (;;) {
    y += step[0]
    x += step[1]
    const cell = rows[y]?.cells[x]
    if (cell === undefined) return
    const link = cell.tagName === 'TD' ? cell.querySelector('a') : null
    if (link === null) continue
    event.preventDefault()
    return link.focus()
  }
}
