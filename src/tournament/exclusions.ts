import type { Outcome, Standings, Tournament, TournamentSpec } from '../core/index.js'
import { formatOf } from './formats.js'
import { FormatError, pairingsOf, type Results } from './pairs.js'
import { createTournament } from './index.js'
import { firstOf } from './standings.js'
import { listed } from '../text/index.js'

export interface Excluded {
  readonly name: string
  /** How results it did not play are worded: 'withdrawn', 'disqualified'. */
  readonly status: string
  /** void: none of its matches counts; lost: what it had not played is lost, what it had stands. */
  readonly treatment: 'void' | 'lost'
}

/**
 * The tournament without some entrants. Void: as though they had never entered, but for their numbers; where all play
 * in one match, the others play those matches again. Lost: their opponents win what is left; `played` tells of matches
 * still to be read again, which stand. Where those left cannot play, it is over, and no entrant has won.
 */
export function tournamentWithout(
  spec: TournamentSpec,
  excluded: readonly Excluded[],
  played: (key: string) => boolean = () => false,
): Tournament {
  if (excluded.length === 0) return createTournament(spec)
  const statusesOf = (treatment: Excluded['treatment']): ReadonlyMap<number, string> => {
    const of = excluded.filter((one) => one.treatment === treatment)
    return new Map(of.map(({ name, status }) => [spec.names.indexOf(name), status]))
  }
  const voided = statusesOf('void')
  const lost = statusesOf('lost')
  const stands = (seats: readonly number[]): boolean => !seats.some((entrant) => voided.has(entrant))
  const out = [...voided.keys(), ...lost.keys()]
  const wanted = (seats: readonly number[]): boolean => stands(seats) && (spec.wanted?.(seats) ?? true)
  const tournament = playable({ ...spec, out, wanted }, voided)

  /** What counts, with what is lost unplayed; and the round that is due. */
  const settle = (results: Results) => {
    const counted = new Map([...results].filter(([, { seats }]) => stands(seats)))
    for (;;) {
      const round = tournament.next(counted)
      const unplayed = pairingsOf(round ?? { series: [] }).filter(
        ({ key, seats }) => !counted.has(key) && !played(key) && seats.some((entrant) => lost.has(entrant)),
      )
      if (unplayed.length === 0) return { counted, round }
      for (const { key, seats } of unplayed) counted.set(key, { key, seats, outcome: lostBy(seats, lost) })
    }
  }
  return {
    next(results) {
      const { counted, round } = settle(results)
      const isLost = (key: string): boolean => counted.has(key) && !results.has(key)
      const series = round?.series.map((one) => ({ ...one, pairings: one.pairings.filter(({ key }) => !isLost(key)) }))
      return round && series && { ...round, series: series.filter(({ pairings }) => pairings.length > 0) }
    },
    standings(results) {
      const table = tournament.standings(settle(results).counted)
      if (firstOf(table.rows).length !== 1 || spec.names.some((_, entrant) => !out.includes(entrant))) return table
      return { ...table, notes: [...table.notes, 'nobody won: all entrants are out'] }
    },
    total: (results) => tournament.total(settle(results).counted),
    stopped: tournament.stopped ? (results) => tournament.stopped?.(settle(results).counted) : undefined,
  }
}

/**
 * The table of a tournament that was over until the last of these entrants were put out, without void ones' rows: their
 * removal makes other matches due, by which alone all would stand at nothing. Undefined where the table goes by
 * whatever was played. `excluded`: in the order in which they were put out.
 */
export function tableBefore(
  spec: TournamentSpec,
  excluded: readonly Excluded[],
  results: Results,
): Standings | undefined {
  const { openEnded, blocks } = formatOf(spec.format.kind)
  if (openEnded || blocks) return undefined
  let before = excluded.length - 1
  while (before >= 0 && tournamentWithout(spec, excluded.slice(0, before)).next(results) !== undefined) before--
  if (before < 0) return undefined
  const { columns, rows } = tournamentWithout(spec, excluded.slice(0, before)).standings(results)
  const gone = excluded.slice(before).flatMap(({ name, treatment }) => (treatment === 'void' ? [name] : []))
  const left = rows.filter(({ name }) => !gone.includes(name))
  return {
    columns,
    rows: left.map((row) => ({ ...row, rank: 1 + left.filter(({ rank }) => rank < row.rank).length })),
    notes: [
      `this is the table with which the run ended, without ${listed(gone)}: matches against ${gone.length > 1 ? 'them' : 'it'} count in it until the run is resumed and the others have played what is due instead`,
    ],
  }
}

function lostBy(seats: readonly number[], lost: ReadonlyMap<number, string>): Outcome {
  const losers = seats.filter((entrant) => lost.has(entrant))
  // A match that all have left has no winner, and is no draw.
  const last = losers.length === seats.length ? seats.length : seats.length - losers.length + 1
  return {
    place: seats.map((entrant) => (lost.has(entrant) ? last : 1)),
    reason: lost.get(losers[0] ?? -1) ?? '',
  }
}

/** The tournament of those left. If they cannot play, it is over: they share a table without a winner. */
function playable(spec: TournamentSpec, voided: ReadonlyMap<number, string>): Tournament {
  try {
    return createTournament(spec)
  } catch (error) {
    if (!(error instanceof FormatError) || voided.size === 0) throw error
    const { names, scoring } = spec
    const left = names.flatMap((name, entrant) => (voided.has(entrant) ? [] : [{ name, entrant }]))
    const cannot = `${listed(left.map(({ name }) => name))} cannot play it without the others`
    const standings = {
      columns: scoring.ties.map((tie) => tie.name),
      rows: left.map((one) => ({ rank: 1, ...one, points: 0, cells: scoring.ties.map(() => 0) })),
      notes: [`nobody won: ${left.length === 0 ? 'nobody is left' : cannot}`],
    }
    return { next: () => undefined, standings: () => standings, total: () => 0 }
  }
}
