import type { ScoringSpec, Standing, Standings, TournamentSpec } from '../core/index.js'
import { namesOf } from './pairs.js'
import { exact, nothing, pointsOf, type Score } from './scoring.js'

/** An item with its rank: 1 is best, equals share the rank of the first of them (1, 1, 3). */
export interface Ranked<T> {
  readonly rank: number
  readonly item: T
}

/** The items from the best to the last; `compare` is negative where its first argument is better. Equals keep their order. */
export function ranked<T>(items: readonly T[], compare: (a: T, b: T) => number): readonly Ranked<T>[] {
  const rows: Ranked<T>[] = []
  for (const item of [...items].sort(compare)) {
    const before = rows[rows.length - 1]
    rows.push({ rank: before && compare(before.item, item) === 0 ? before.rank : rows.length + 1, item })
  }
  return rows
}

/**
 * Points, then the tie-breaks in order, more being better: negative where the first is better. Where scores count, an entrant without
 * one is behind all others.
 */
export function compareScores(scoring: ScoringSpec, a: Score, b: Score): number {
  return (
    unscoredLast(scoring, a, b) ||
    pointsOf(scoring, b) - pointsOf(scoring, a) ||
    a.ties.map((mine, i) => exact((b.ties[i] ?? 0) - mine)).find((lead) => lead !== 0) ||
    0
  )
}

/** Where scores count, an entrant without one is behind all that have one, even below 0: negative where the first is better. */
export const unscoredLast = ({ by }: ScoringSpec, a: Pick<Score, 'scored'>, b: Pick<Score, 'scored'>): number =>
  by === 'score' ? Number(b.scored > 0) - Number(a.scored > 0) : 0

/** An entrant that may have left: `until` says after which round, Infinity: it is still in. */
interface Stay extends Pick<Score, 'scored'> {
  readonly until: number
  readonly points: number
}

/** Who was in longer stands first. Those still in are ordered by their points, unless all is `over`: then they share the place. */
export const longestFirst =
  (scoring: ScoringSpec, over = false) =>
  (a: Stay, b: Stay): number => {
    if (a.until !== b.until) return a.until < b.until ? 1 : -1
    return a.until < Infinity || over ? 0 : unscoredLast(scoring, a, b) || b.points - a.points
  }

/** The table of these entrants by points, then by the tie-breaks in order, more being better each time. */
export function standingsOf(
  { names, scoring }: TournamentSpec,
  entrants: readonly number[],
  scores: readonly Score[],
): Standings {
  const lines = entrants.map((entrant) => ({
    entrant,
    score: scores[entrant] ?? nothing(scoring),
  }))
  const rows = ranked(lines, (a, b) => compareScores(scoring, a.score, b.score)).map(({ rank, item }): Standing => ({
    rank,
    entrant: item.entrant,
    name: names[item.entrant] ?? '',
    points: pointsOf(scoring, item.score),
    cells: item.score.ties.map(exact),
  }))
  return { columns: scoring.ties.map((tie) => tie.name), rows, notes: [] }
}

/**
 * Whether these counts hold nothing that counts for something: no win, and draws at most where they are worth no more than a loss; or,
 * where scores count, no score.
 */
export function hasNothing({ by, draw, loss }: ScoringSpec, { wins, draws, scored }: Omit<Score, 'ties'>): boolean {
  return by === 'score' ? scored === 0 : wins === 0 && (draws === 0 || draw <= loss)
}

/** Who has won where several share the first place: all of them, or none where all are out, or where none `achieved` anything. */
export function sharedBy(
  spec: TournamentSpec,
  level: readonly number[],
  achieved: (entrant: number) => boolean = () => true,
): string {
  const names = listed(namesOf(spec, level))
  if (level.every((entrant) => spec.out?.includes(entrant))) return `nobody won: ${names} are level, and out`
  return level.some(achieved) ? `joint winners: ${names}` : `nobody won: ${names} are level without a win`
}

/** 'Ant', 'Ant and Bee', 'Ant, Bee and Cat'. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`
}
