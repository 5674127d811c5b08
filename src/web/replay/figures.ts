import { lookUp, type MatchRecord } from '../../core/index.js'
import type { Tally } from '../../games/viewer-kit/index.js'

/** The numbers of a seat in a position, by the words beside them. */
type Numbers = Readonly<Record<string, number>>

/** The numbers in what a game says of a seat: '2 rounds, life 7' has 2 rounds and a life of 7. A number without a word is a 'figure'. */
export function numbersOf(text: string): Numbers {
  const parts = text.split(/[,;|·/]|\s{2,}/).flatMap((part) => {
    const [number] = /[-−]?\d+(?:\.\d+)?/.exec(part) ?? []
    if (number === undefined) return []
    const word = part
      .replace(number, ' ')
      .replace(/[^\p{L}\s-]/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    return [[word === '' ? 'figure' : word, Number(number.replace('−', '-'))] as const]
  })
  return Object.fromEntries(parts)
}

/** Lines that a graph can show one of. */
const MOST = 6

/** What can be graphed of a match, from the figures of its positions by seat; a word is graphed where it is said of two positions or more. */
export function talliesOf(scenes: readonly (readonly Numbers[])[]): readonly Tally<unknown>[] {
  const counts = new Map<string, number>()
  for (const scene of scenes)
    for (const word of new Set(scene.flatMap((numbers) => Object.keys(numbers))))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  const words = [...counts].filter(([, n]) => n > 1).map(([word]) => word)
  return words.slice(0, MOST).map((name) => ({
    name,
    of: (scene, seat) => lookUp((scene as readonly Numbers[])[seat] ?? {}, name) ?? null,
  }))
}

/** Names that a graph can show one of. */
const MOST_PRINTED = 8

/**
 * What the bots of a match printed of themselves, for the panels and the graph; with `as`, what this seat's bot did. A figure holds until
 * its bot prints the next one.
 */
export function printedTallies(
  { figures = [], seats, steps }: Pick<MatchRecord, 'figures' | 'seats' | 'steps'>,
  as: number | undefined,
): readonly Tally<unknown>[] {
  const shown = figures.filter(([, seat]) => as === undefined || seat === as)
  const names = [...new Set(shown.map(([, , name]) => name))].slice(0, MOST_PRINTED)
  return names.map((name) => {
    const rows = seats.map((_, seat) =>
      heldValues(
        shown.filter(([, who, what]) => who === seat && what === name),
        steps.length,
      ),
    )
    return { name: `printed ${name}`, of: (_scene, seat, turn) => rows[seat]?.[turn] ?? null }
  })
}

/** By turn the last value printed before it; null: none was yet. */
function heldValues(printed: NonNullable<MatchRecord['figures']>, steps: number): (number | null)[] {
  const at = new Map(printed.map(([step, , , value]) => [step, value]))
  const row: (number | null)[] = [null]
  for (let step = 0; step < steps; step++) row.push(at.get(step) ?? row[step] ?? null)
  return row
}
