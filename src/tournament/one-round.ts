import type { Result, Round, Standings, Tournament, TournamentSpec } from '../core/index.js'
import { among } from './pairs.js'
import { type Duel, playoffs, settled, type Playoffs } from './playoff.js'
import { type Score, tally } from './scoring.js'
import { seatNotes } from './seats.js'
import { hasNothing, standingsOf } from './standings.js'

/** A tournament whose matches are all known from the start, but for playoffs of `duel`s. */
export function oneRound(spec: TournamentSpec, round: Round, duel?: Duel): Tournament {
  const pairings = round.series.flatMap((series) => series.pairings)
  const entrants = among(
    spec,
    pairings.map(({ seats }) => seats),
  )
  // To count comes first: it saves the look at each match of a round that has just begun.
  const complete = (results: ReadonlyMap<string, Result>): boolean =>
    results.size >= pairings.length && pairings.every(({ key }) => results.has(key))
  const scoresOf = (results: ReadonlyMap<string, Result>): readonly Score[] =>
    tally(spec.scoring, spec.names.length, pairings, results).scores
  const table = (results: ReadonlyMap<string, Result>): Standings => standingsOf(spec, entrants, scoresOf(results))
  const tie = (standings: Standings, results: ReadonlyMap<string, Result>): Playoffs | undefined => {
    const tied = standings.rows.filter((row) => row.rank === 1).map((row) => row.entrant)
    return tied.length > 1 ? playoffs(spec, tied, results, duel) : undefined
  }

  return {
    next(results) {
      return complete(results) ? tie(table(results), results)?.next : round
    },
    standings(results) {
      const plain = table(results)
      const notes = complete(results) ? seatNotes(spec.seed, pairings, results) : []
      const standings = { ...plain, notes: [...plain.notes, ...notes] }
      const level = complete(results) ? tie(standings, results) : undefined
      if (!level) return standings
      const scores = scoresOf(results)
      return settled(spec, standings, level, (entrant) => !hasNothing(spec.scoring, scores[entrant] as Score))
    },
    total(results) {
      return pairings.length + (complete(results) ? (tie(table(results), results)?.matches ?? 0) : 0)
    },
  }
}
