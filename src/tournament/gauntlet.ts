import type { Standing, Tournament, TournamentSpec } from '../core/index.js'
import { didYouMean } from '../core/index.js'
import type { Format } from './format.js'
import { FormatError, pairingsOf } from './pairs.js'
import { oneRound } from './rounds.js'
import { roundRobin } from './round-robin.js'
import { type Score, exact, meanOf, tally } from './scoring.js'
import { achievedBy, firstOf, ranked, sharedBy, unscoredLast } from './standings.js'

export const GAUNTLET: Format = {
  kind: 'gauntlet',
  keys: ['challengers'],
  build: gauntlet,
}

/**
 * The challengers against the field: each meets everyone who is no challenger, as in a round robin, and no others meet. Challengers have
 * many more matches, so the table goes by points a match, with columns in front that say so (points are that already where mean scores
 * count); equals are as the tie-breaks have them.
 */
function gauntlet(spec: TournamentSpec): Tournament {
  const { scoring } = spec
  const challengers = challengersOf(spec)
  const wanted = (pair: readonly number[]): boolean =>
    pair.filter((entrant) => challengers.has(entrant)).length === 1 && (spec.wanted?.(pair) ?? true)
  const narrowed = { ...spec, wanted }
  const round = roundRobin(narrowed)
  const tournament = oneRound(narrowed, round)
  const pairings = pairingsOf(round)
  const isMean = scoring.by === 'score' && scoring.of !== 'total'
  return {
    ...tournament,
    standings(results) {
      const { scores } = tally(scoring, spec.names.length, pairings, results)
      const { columns, rows } = tournament.standings(results)
      const scoreOf = ({ entrant }: Standing): Score => scores[entrant] as Score
      const matchesOf = (row: Standing): number => {
        const { wins, draws, losses } = scoreOf(row)
        return wins + draws + losses
      }
      const average = (row: Standing): number =>
        scoring.by === 'score' ? (meanOf(scoreOf(row)) ?? 0) : exact(row.points / Math.max(1, matchesOf(row)))
      // The round's own table ranks equal points and tie-breaks equally.
      const better = (a: Standing, b: Standing): number =>
        unscoredLast(scoring, scoreOf(a), scoreOf(b)) ||
        average(b) - average(a) ||
        (a.points === b.points ? a.rank - b.rank : 0)
      const table = ranked(rows, better).map(({ rank, item }) => ({
        ...item,
        rank,
        cells: [matchesOf(item), ...(isMean ? [] : [average(item)]), ...item.cells],
      }))
      // Sharing the first place by points is not sharing it by points a match.
      const first = firstOf(table)
      const over = first.length > 1 && tournament.next(results) === undefined
      return {
        columns: ['Matches', ...(isMean ? [] : ['A match']), ...columns],
        rows: table,
        notes: over ? [sharedBy(spec, first, achievedBy(spec, scores))] : [],
      }
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
