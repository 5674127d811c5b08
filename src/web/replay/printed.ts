import type { MatchRecord } from '../../core/index.js'
import type { Tally } from '../../viewer-kit/index.js'

/** Names that a graph can show one of. */
const MOST = 8

/**
 * What the bots of a match printed of themselves, for the panels and the graph; with `as`, what this seat's bot did. A figure holds until
 * its bot prints the next one.
 */
export function printedTallies(
  { figures = [], seats, steps }: Pick<MatchRecord, 'figures' | 'seats' | 'steps'>,
  as: number | undefined,
): readonly Tally<unknown>[] {
  const shown = figures.filter(([, seat]) => as === undefined || seat === as)
  const names = [...new Set(shown.map(([, , name]) => name))].slice(0, MOST)
  return names.map((name) => {
    const rows = seats.map((_, seat) =>
      heldValues(
        shown
          .filter(([, who, what]) => who === seat && what === name)
          .map(([step, , , value]) => [step, value] as const),
        steps.length,
      ),
    )
    return { name: `printed ${name}`, of: (_scene, seat, turn) => rows[seat]?.[turn] ?? null }
  })
}

/** By turn the last value printed before it; null: none was yet. */
function heldValues(printed: readonly (readonly [step: number, value: number])[], steps: number): (number | null)[] {
  const at = new Map(printed)
  const row: (number | null)[] = [null]
  for (let step = 0; step < steps; step++) row.push(at.get(step) ?? row[step] ?? null)
  return row
}
