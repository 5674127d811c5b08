import type { Pairing, Result } from '../core/index.js'
import { exact } from './scoring.js'

/** Someone's place so far. */
interface Line {
  readonly entrant: number
  readonly points: number
  /** The matches that its byes stood for. */
  readonly byes: number
  /** Sums of the contest's own tie-breaks. */
  readonly ties: readonly number[]
}

/**
 * By entrant, what decides between equal points, more being better:
 *
 * - Buchholz: the sum of the points of one's opponents, once for each match;
 * - Sonneborn–Berger: the same for matches won, half of it for those drawn;
 * - direct encounter: what one scored (a win 1, a draw ½) against the others that are level in all of this; null where there are none;
 * - the contest's own.
 *
 * A bye is a match won of a dummy opponent who has as many points as oneself (FIDE Handbook C.07, article 16, 2023).
 * `tidy` takes the dust of binary fractions off a sum of points.
 */
export function swissTies(
  lines: readonly Line[],
  pairings: readonly Pairing[],
  results: ReadonlyMap<string, Result>,
  tidy: (sum: number) => number = exact,
): ReadonlyMap<number, readonly (number | null)[]> {
  const points = new Map(lines.map((line) => [line.entrant, line.points]))
  /** By entrant: matches as its opponent and its score, 1, ½ or 0. */
  const matches = new Map<number, { readonly opponent: number; readonly score: number }[]>(
    lines.map((line) => [line.entrant, []]),
  )
  for (const { key, seats } of pairings) {
    const place = results.get(key)?.outcome.place
    if (!place) continue
    seats.forEach((entrant, seat) => {
      const lead = (place[1 - seat] ?? 0) - (place[seat] ?? 0)
      const score = lead > 0 ? 1 : lead === 0 ? 0.5 : 0
      matches.get(entrant)?.push({ opponent: seats[1 - seat] ?? -1, score })
    })
  }
  const sum = (entrant: number, worth: (opponent: number, score: number) => number): number =>
    tidy((matches.get(entrant) ?? []).reduce((total, { opponent, score }) => total + worth(opponent, score), 0))
  const known = lines.map((line) => ({
    ...line,
    buchholz: tidy(sum(line.entrant, (opponent) => points.get(opponent) ?? 0) + line.byes * line.points),
    berger: tidy(sum(line.entrant, (opponent, score) => score * (points.get(opponent) ?? 0)) + line.byes * line.points),
  }))
  const levels = new Map<string, Set<number>>()
  const keyOf = (line: (typeof known)[number]): string => [line.points, line.buchholz, line.berger].join()
  for (const line of known) levels.set(keyOf(line), (levels.get(keyOf(line)) ?? new Set()).add(line.entrant))
  return new Map(
    known.map((line) => {
      const level = levels.get(keyOf(line)) ?? new Set()
      const direct = level.size === 1 ? null : sum(line.entrant, (opponent, score) => (level.has(opponent) ? score : 0))
      return [line.entrant, [line.buchholz, line.berger, direct, ...line.ties]]
    }),
  )
}
