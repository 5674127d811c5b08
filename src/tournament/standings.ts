import type { ScoringSpec, Standing, Standings, TournamentSpec } from '../core/index.js'
import { namesOf } from './pairs.js'
import { exact, nothing, pointsOf, type Score } from './scoring.js'
import { listed } from '../text/index.js'

/** From best to last with ranks; equals keep their order and share one (1, 1, 3). `compare` < 0: first better. */
export function ranked<T>(items: readonly T[], compare: (a: T, b: T) => number) {
  const rows: { readonly rank: number; readonly item: T }[] = []
  for (const item of [...items].sort(compare)) {
    const before = rows[rows.length - 1]
    rows.push({ rank: before && compare(before.item, item) === 0 ? before.rank : rows.length + 1, item })
  }
  return rows
}

/** Points, then the tie-breaks in order, more being better; negative: the first is better. */
export function compareScores(scoring: ScoringSpec, a: Score, b: Score): number {
  return (
    unscoredLast(scoring, a, b) ||
    pointsOf(scoring, b) - pointsOf(scoring, a) ||
    a.ties.map((mine, i) => exact((b.ties[i] ?? 0) - mine)).find((lead) => lead !== 0) ||
    0
  )
}

/** Where scores count, an entrant without one is behind all with one, even below 0: negative where the first is better. */
export const unscoredLast = ({ by }: ScoringSpec, a: Pick<Score, 'scored'>, b: Pick<Score, 'scored'>): number =>
  by === 'score' ? Number(b.scored > 0) - Number(a.scored > 0) : 0

/** An entrant that may have left: `until` says after which round; Infinity: it is in. */
type Stay = Pick<Score, 'scored'> & Readonly<Record<'until' | 'points', number>>

/** Who was in longer stands first. Those still in are ordered by their points, unless all is `over`: then they share the place. */
export const longestFirst =
  (scoring: ScoringSpec, over = false) =>
  (a: Stay, b: Stay): number => {
    if (a.until !== b.until) return a.until < b.until ? 1 : -1
    return a.until < Infinity || over ? 0 : unscoredLast(scoring, a, b) || b.points - a.points
  }

export function rowsOf<T extends Omit<Standing, 'rank' | 'name'>>(
  { names }: TournamentSpec,
  lines: readonly T[],
  compare: (a: T, b: T) => number,
): readonly Standing[] {
  return ranked(lines, compare).map(({ rank, item: { entrant, points, cells, bound } }) => {
    return { rank, entrant, name: names[entrant] ?? '', points, cells, bound }
  })
}

export function standingsOf(spec: TournamentSpec, entrants: readonly number[], scores: readonly Score[]): Standings {
  const { scoring } = spec
  const lines = entrants.map((entrant) => {
    const score = scores[entrant] ?? nothing(scoring)
    return { entrant, score, points: pointsOf(scoring, score), cells: score.ties.map(exact) }
  })
  const rows = rowsOf(spec, lines, (a, b) => compareScores(scoring, a.score, b.score))
  return { columns: scoring.ties.map((tie) => tie.name), rows, notes: [] }
}

/** Whether counts hold no win, and draws only where worth no more than a loss; or, where scores count, no score. */
export function hasNothing({ by, draw, loss }: ScoringSpec, { wins, draws, scored }: Omit<Score, 'ties'>): boolean {
  return by === 'score' ? scored === 0 : wins === 0 && (draws === 0 || draw <= loss)
}

export const achievedBy =
  ({ scoring }: TournamentSpec, scores: readonly Score[]) =>
  (entrant: number): boolean =>
    !hasNothing(scoring, scores[entrant] as Score)

export const firstOf = (rows: readonly Standing[]): readonly number[] =>
  rows.flatMap(({ rank, entrant }) => (rank === 1 ? [entrant] : []))

/** Who wins a shared first place: all, or none where all are out or none `achieved` anything. */
export function sharedBy(
  spec: TournamentSpec,
  level: readonly number[],
  achieved: (entrant: number) => boolean = () => true,
): string {
  const names = listed(namesOf(spec, level))
  if (level.every((entrant) => spec.out?.includes(entrant))) return `nobody won: ${names} are level, and out`
  return level.some(achieved) ? `joint winners: ${names}` : `nobody won: ${names} are level without a win`
}
