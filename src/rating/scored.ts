import type { Line } from './lines.js'

/** Who scored against whom: memory is linear in the pairs that met, however large the field is. */
export interface Scored {
  readonly field: number
  /** By entrant: whom it won or drew against, and who won or drew against it. */
  readonly over: readonly (readonly number[])[]
  readonly under: readonly (readonly number[])[]
  /** By entrant: what it won, drew and lost, weighted. */
  readonly won: Float64Array
  readonly drawn: Float64Array
  readonly lost: Float64Array
}

export function scoredOf(lines: readonly Line[], field: number): Scored {
  const lists = (): number[][] => Array.from({ length: field }, () => [])
  const sums = (): Float64Array => new Float64Array(field)
  const scored = { field, over: lists(), under: lists(), won: sums(), drawn: sums(), lost: sums() }
  const { over, under, won, drawn, lost } = scored
  const add = (i: number, j: number, line: Pick<Line, 'won' | 'drawn' | 'lost'>): void => {
    won[i] = (won[i] as number) + line.won
    drawn[i] = (drawn[i] as number) + line.drawn
    lost[i] = (lost[i] as number) + line.lost
    if (line.won + line.drawn === 0) return
    over[i]?.push(j)
    under[j]?.push(i)
  }
  for (const line of lines) {
    add(line.i, line.j, line)
    add(line.j, line.i, { won: line.lost, drawn: line.drawn, lost: line.won })
  }
  return scored
}
