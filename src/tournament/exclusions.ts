import type { Outcome, Result, Round, Tournament, TournamentSpec } from '../core/index.js'
import { createTournament } from './index.js'

/** An entrant that is out of a tournament. */
export interface Excluded {
  readonly name: string
  /** How the results that it did not play are worded: 'withdrawn', 'disqualified'. */
  readonly status: string
  /** void: none of its matches counts; lost: what it had not played counts as lost, what it had stands. */
  readonly treatment: 'void' | 'lost'
}

/**
 * The tournament as it goes on without some entrants. Void: as though they had never entered, but that their numbers stay theirs;
 * where all play in one match, the others play those matches again. Lost: their opponents win what is left; `played` tells
 * of matches that are still to be read again, and stand. Throws a FormatError
 * where nobody is left to play.
 */
export function tournamentWithout(
  spec: TournamentSpec,
  excluded: readonly Excluded[],
  played: (key: string) => boolean = () => false,
): Tournament {
  if (excluded.length === 0) return createTournament(spec)
  const of = (treatment: Excluded['treatment']) =>
    new Map(
      excluded.flatMap((one) => (one.treatment === treatment ? [[spec.names.indexOf(one.name), one.status]] : [])),
    )
  const voided = of('void')
  const lost = of('lost')
  const stands = (seats: readonly number[]): boolean => !seats.some((entrant) => voided.has(entrant))
  const tournament = createTournament({
    ...spec,
    wanted: (seats) => stands(seats) && (spec.wanted?.(seats) ?? true),
  })

  /** What counts, with what is lost unplayed; and the round that is due. */
  const settle = (results: ReadonlyMap<string, Result>) => {
    const counted = new Map([...results].filter(([, { seats }]) => stands(seats)))
    for (;;) {
      const round = tournament.next(counted)
      const unplayed = (round?.series ?? [])
        .flatMap(({ pairings }) => pairings)
        .filter(({ key, seats }) => !counted.has(key) && !played(key) && seats.some((entrant) => lost.has(entrant)))
      if (unplayed.length === 0) return { counted, round }
      for (const { key, seats } of unplayed) counted.set(key, { key, seats, outcome: lostBy(seats, lost) })
    }
  }
  return {
    next(results) {
      const { counted, round } = settle(results)
      return round && without(round, (key) => counted.has(key) && !results.has(key))
    },
    standings: (results) => tournament.standings(settle(results).counted),
    total: (results) => tournament.total(settle(results).counted),
    ...(tournament.stopped && { stopped: (results) => tournament.stopped?.(settle(results).counted) }),
  }
}

function lostBy(seats: readonly number[], lost: ReadonlyMap<number, string>): Outcome {
  const reason = seats.map((entrant) => lost.get(entrant)).find((status) => status !== undefined) ?? ''
  const all = seats.every((entrant) => lost.has(entrant))
  const behind = seats.length - seats.filter((entrant) => lost.has(entrant)).length + 1
  return { place: seats.map((entrant) => (lost.has(entrant) && !all ? behind : 1)), reason }
}

function without(round: Round, gone: (key: string) => boolean): Round {
  const series = round.series.map((one) => ({ ...one, pairings: one.pairings.filter(({ key }) => !gone(key)) }))
  return { ...round, series: series.filter(({ pairings }) => pairings.length > 0) }
}
