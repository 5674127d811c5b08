import type { Result, ScoringSpec, Standing, Standings, Tournament, TournamentSpec } from '../core/index.js'
import { didYouMean } from '../core/index.js'
import type { Format } from './format.js'
import { FormatError } from './pairs.js'
import { oneRound } from './one-round.js'
import { roundRobin } from './round-robin.js'
import { type Score, exact, meanOf, tally } from './scoring.js'
import { hasNothing, ranked, sharedBy, unscoredLast } from './standings.js'

export const GAUNTLET: Format = {
  kind: 'gauntlet',
  keys: ['challengers'],
  sizes: 'two',
  deals: 'repeated',
  unlikeOpponents: false,
  openEnded: false,
  build: gauntlet,
}

/**
 * The challengers against the field: each of them meets everyone who is no challenger, as in a round robin, and no
 * others meet. The challengers have many more matches than the others, so the table goes by points a match.
 */
function gauntlet(spec: TournamentSpec): Tournament {
  const challengers = challengersOf(spec)
  const wanted = (pair: readonly number[]): boolean =>
    pair.filter((entrant) => challengers.has(entrant)).length === 1 && (spec.wanted?.(pair) ?? true)
  const narrowed = { ...spec, wanted }
  const round = roundRobin(narrowed)
  const tournament = oneRound(narrowed, round)
  const pairings = round.series.flatMap((series) => series.pairings)
  const played = (results: ReadonlyMap<string, Result>): readonly number[] => {
    const counts = spec.names.map(() => 0)
    for (const { key, seats } of pairings) {
      if (results.has(key)) for (const entrant of seats) counts[entrant] = (counts[entrant] ?? 0) + 1
    }
    return counts
  }
  return {
    ...tournament,
    standings(results) {
      const { scores } = tally(spec.scoring, spec.names.length, pairings, results)
      const table = byAverage(spec.scoring, tournament.standings(results), played(results), scores)
      if (tournament.next(results) !== undefined) return table
      const first = table.rows.filter(({ rank }) => rank === 1).map(({ entrant }) => entrant)
      if (first.length < 2) return table
      const achieved = (entrant: number): boolean => !hasNothing(spec.scoring, scores[entrant] as Score)
      return { ...table, notes: [sharedBy(spec, first, achieved)] }
    },
  }
}

function challengersOf({ names, format }: TournamentSpec): ReadonlySet<number> {
  const chosen = format.challengers ?? names.slice(-1)
  const unknown = chosen.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw new FormatError(`challengers: no entrant is called ${JSON.stringify(unknown)}${didYouMean(unknown, names)}`)
  }
  const challengers = new Set(chosen.map((name) => names.indexOf(name)))
  if (challengers.size === 0) throw new FormatError('a gauntlet needs a challenger')
  if (challengers.size === names.length) throw new FormatError('a gauntlet needs a field: all entrants are challengers')
  return challengers
}

/** The table by points a match, with columns in front that say so (points are that already where mean scores count); equals as the tie-breaks have them. */
function byAverage(
  scoring: ScoringSpec,
  { columns, rows }: Standings,
  played: readonly number[],
  scores: readonly Score[],
): Standings {
  const { by, of } = scoring
  const means = by === 'score' && of !== 'total'
  const average = ({ entrant, points }: Standing): number =>
    by === 'score' ? (meanOf(scores[entrant] as Score) ?? 0) : exact(points / Math.max(1, played[entrant] as number))
  // Ranks of the round's own table are equal where points and tie-breaks are.
  const better = (a: Standing, b: Standing): number =>
    unscoredLast(scoring, scores[a.entrant] as Score, scores[b.entrant] as Score) ||
    average(b) - average(a) ||
    (a.points === b.points ? a.rank - b.rank : 0)
  return {
    columns: ['Matches', ...(means ? [] : ['A match']), ...columns],
    rows: ranked(rows, better).map(({ rank, item }) => ({
      ...item,
      rank,
      cells: [played[item.entrant] as number, ...(means ? [] : [average(item)]), ...item.cells],
    })),
    // Who shares the first place by points alone does not by points a match.
    notes: [],
  }
}
