import type { ScoringSpec, Standing, Standings, TournamentSpec } from '../core/index.js'
import { namesOf } from './pairs.js'
import { pointsOf, type Score } from './scoring.js'

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

/** Points, then the tie-breaks in order, more being better: negative where the first is better. */
export function compareScores(scoring: ScoringSpec, a: Score, b: Score): number {
  return (
    pointsOf(scoring, b) - pointsOf(scoring, a) ||
    a.ties.map((mine, i) => (b.ties[i] ?? 0) - mine).find((lead) => lead !== 0) ||
    0
  )
}

/** The table of these entrants by points, then by the tie-breaks in order, more being better each time. */
export function standingsOf(
  { names, scoring }: TournamentSpec,
  entrants: readonly number[],
  scores: readonly Score[],
): Standings {
  const lines = entrants.map((entrant) => ({
    entrant,
    score: scores[entrant] ?? { wins: 0, draws: 0, losses: 0, ties: [] },
  }))
  const rows = ranked(lines, (a, b) => compareScores(scoring, a.score, b.score)).map(({ rank, item }): Standing => ({
    rank,
    entrant: item.entrant,
    name: names[item.entrant] ?? '',
    points: pointsOf(scoring, item.score),
    cells: item.score.ties,
  }))
  return { columns: scoring.ties.map((tie) => tie.name), rows, notes: [] }
}

/** Whether these counts hold nothing that counts for something: no win, and draws at most where they are worth no more than a loss. */
export function hasNothing({ draw, loss }: ScoringSpec, { wins, draws }: Omit<Score, 'ties'>): boolean {
  return wins === 0 && (draws === 0 || draw <= loss)
}

/** Who has won where several share the first place: all of them, or nobody where all are out, or where none `achieved` anything. */
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
