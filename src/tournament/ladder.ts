import type { OneSided, Pairing, Result, Round, Series, Standings, Tournament, TournamentSpec } from '../core/index.js'
import { type Flag, type Ratings, bradleyTerry, plackettLuce, superiority } from '../stats/index.js'
import type { Format } from './format.js'
import { allAmong, namesOf, type Pair, refuseCount, refuseSize, FormatError } from './pairs.js'
import { squareOf } from './groups.js'
import { pairSeries } from './round-robin.js'
import { rowsOf } from './standings.js'

export const LADDER: Format = {
  kind: 'ladder',
  keys: ['size', 'placing', 'hourly'],
  sizes: 'given',
  deals: 'swapped',
  unlikeOpponents: true,
  openEnded: true,
  build: ladder,
}

/** Matches after which the place of an entrant is taken for settled, where the contest does not say. */
const PLACING = 60
/** Both neighbours in the table are decided at this probability: the place is settled. */
const SURE = 0.9
/** An opponent that tells at least this share of what the best one would tell is as good: of these, the one that has played least is asked. */
const AS_GOOD = 0.75
/** Rating of the average of the field. */
const AVERAGE = 1500

/** How a ladder stands. Entrants are named by their index in the contest, ratings by their index in `entrants`. */
interface Look {
  readonly results: readonly Result[]
  /** By entrant. */
  readonly matches: readonly number[]
  /** By those who met: their matches so far. */
  readonly met: ReadonlyMap<string, number>
  readonly ratings: Ratings
}

/**
 * A ladder that an entrant may join at any time: a newcomer meets the opponents that tell most of its place until that is settled, and from then
 * on plays only when a newcomer has need of it. A meeting is a match of `size`, or with `swap` one in each rotation of seats; the same entrants have
 * `repetitions` meetings at most. The choice depends on nothing but the results there are, and in each round everyone whose place is open
 * has one meeting, so none waits for others. The table goes by Bradley and Terry's strengths, of more than two by Plackett and Luce's.
 *
 * `spec.history` has the meetings of an earlier run of the same contest: they are the first round, and the store has them already.
 */
function ladder(spec: TournamentSpec): Tournament {
  const entrants = allAmong(spec)
  const { placing = PLACING, hourly = 1 } = spec.format
  refuseCount('placing', placing)
  refuseCount('hourly', hourly)
  refuseSize(spec, 'a ladder', playersOf(spec), entrants.length)
  if (spec.scoring.by === 'score')
    throw new FormatError(
      `a ladder rates wins and draws: leave [scoring] ${spec.scoring.points === undefined ? 'by = "score"' : 'points'} out, or take another kind`,
    )
  const look = (results: ReadonlyMap<string, Result>): Look => lookAt(spec, entrants, results)
  const next: Tournament['next'] = (results) => {
    const before = roundOf(
      spec,
      'before',
      (playersOf(spec) === 2 ? (spec.history ?? []) : []).flatMap(([a, b, n]) => firstMeetings(spec, [a, b], n)),
    )
    if (isOpen(before, results)) return before
    const now = look(results)
    const round = roundOf(spec, `${results.size} matches`, challenges(spec, entrants, placing, now))
    return round.series.length === 0 ? undefined : round
  }
  return {
    next,
    standings: (results) => table(spec, entrants, look(results)),
    total(results) {
      const now = look(results)
      if (next(results) === undefined) return results.size
      // A newcomer may open a place again that was settled.
      const left = entrants.map((entrant) => Math.max(0, placing + sizeOf(spec) - (now.matches[entrant] ?? 0)))
      return results.size + left.reduce((sum, n) => sum + n, 0)
    },
  }
}

const playersOf = ({ format }: TournamentSpec): number => format.size ?? 2
/** Matches of a meeting. */
const sizeOf = (spec: TournamentSpec): number => (spec.format.swap ? playersOf(spec) : 1)
const groupKey = (who: readonly number[]): string => [...who].sort((a, b) => a - b).join(' ')
const isOpen = ({ series }: Round, results: ReadonlyMap<string, Result>): boolean =>
  series.some(({ pairings }) => pairings.some(({ key }) => !results.has(key)))

/** A pair's matches from the first on: keys, seats and deals are those of a round robin. */
function pairingsOf(spec: TournamentSpec, [a, b]: Pair, matches: number): readonly Pairing[] {
  return pairSeries(spec, a < b ? [a, b] : [b, a], '1', 0, matches).pairings
}

const firstMeetings = (spec: TournamentSpec, pair: Pair, meetings: number): readonly Series[] =>
  Array.from({ length: meetings }, (_, n) => meeting(spec, pair, n))

/** The nth meeting of these, from 0: a sitting of its own. Keys, seats and deals of more than two are those of groups. */
function meeting(spec: TournamentSpec, who: readonly number[], n: number): Series {
  const size = sizeOf(spec)
  const players = playersOf(spec)
  const [a = 0, b = 0] = who
  const pairings =
    players === 2
      ? pairingsOf(spec, [a, b], (n + 1) * size).slice(-size)
      : squareOf(spec, who, Math.floor((n * size) / players)).slice((n * size) % players, ((n * size) % players) + size)
  return { key: pairings[0]?.key ?? namesOf(spec, who).join(), pairings }
}

const roundOf = (spec: TournamentSpec, label: string, series: readonly Series[]): Round => ({
  label,
  series: series.filter(({ pairings }) => pairings.every(({ seats }) => spec.wanted?.(seats) ?? true)),
})

function lookAt(spec: TournamentSpec, entrants: readonly number[], all: ReadonlyMap<string, Result>): Look {
  const results = [...all.values()].filter(({ seats }) => seats.every((entrant) => entrants.includes(entrant)))
  const matches = spec.names.map(() => 0)
  const met = new Map<string, number>()
  for (const { seats } of results) {
    for (const entrant of seats) matches[entrant] = (matches[entrant] ?? 0) + 1
    met.set(groupKey(seats), (met.get(groupKey(seats)) ?? 0) + 1)
  }
  const index = new Map(entrants.map((entrant, i) => [entrant, i]))
  const games = results.map(({ seats, outcome }) => ({
    entrants: seats.map((entrant) => index.get(entrant) ?? 0),
    place: outcome.place,
    team: spec.scoring.teams?.[seats.length],
  }))
  return {
    results,
    matches,
    met,
    ratings: (playersOf(spec) === 2 ? bradleyTerry : plackettLuce)(games, entrants.length, { adaptive: true }),
  }
}

/** Whether its place is known: both neighbours are decided, or it has played as many matches as are asked of an entrant. */
function isSettled(entrants: readonly number[], placing: number, { matches, ratings }: Look, entrant: number): boolean {
  if ((matches[entrant] ?? 0) >= placing) return true
  const me = entrants.indexOf(entrant)
  const { rating } = ratings
  const others = entrants.flatMap((_, i) => (i === me ? [] : [i]))
  const own = rating[me] ?? 0
  const above = others.filter((i) => (rating[i] ?? 0) >= own).sort((i, j) => (rating[i] ?? 0) - (rating[j] ?? 0))[0]
  const below = others.filter((i) => (rating[i] ?? 0) < own).sort((i, j) => (rating[j] ?? 0) - (rating[i] ?? 0))[0]
  // Who has lost every match may be as weak as can be, and who has won every one as strong.
  const sure = (better: number, worse: number): boolean =>
    !isFlagged(ratings, better, 'winless') &&
    !isFlagged(ratings, worse, 'unbeaten') &&
    superiority(ratings, better, worse) >= SURE
  return (above === undefined || sure(above, me)) && (below === undefined || sure(me, below))
}

/** A meeting for each whose place is open, the ones that have played least first. */
function challenges(spec: TournamentSpec, entrants: readonly number[], placing: number, now: Look): readonly Series[] {
  const load = [...now.matches]
  const served = new Set<number>()
  const met = new Map(now.met)
  const series: Series[] = []
  const open = entrants.filter((entrant) => !isSettled(entrants, placing, now, entrant) && !spec.away?.(entrant))
  for (const entrant of open.sort((a, b) => (load[a] ?? 0) - (load[b] ?? 0) || a - b)) {
    if (served.has(entrant)) continue
    const who = [entrant]
    while (who.length < playersOf(spec)) {
      const opponent = mostTelling(spec, entrants, { ...now, matches: load, met }, who)
      if (opponent === undefined) break
      who.push(opponent)
    }
    if (who.length < playersOf(spec)) continue
    const key = groupKey(who)
    const n = met.get(key) ?? 0
    series.push(meeting(spec, who, n / sizeOf(spec)))
    met.set(key, n + sizeOf(spec))
    for (const one of who) {
      served.add(one)
      load[one] = (load[one] ?? 0) + sizeOf(spec)
    }
  }
  return series
}

/** Whom else a match of `who`, the first of whom challenges, is to have for it to tell most: the less sure its end and the distance of the two, the more. Of those as good, who has played least. */
function mostTelling(
  spec: TournamentSpec,
  entrants: readonly number[],
  { matches, met, ratings }: Look,
  who: readonly number[],
): number | undefined {
  const [entrant = 0] = who
  const most = spec.format.repetitions * sizeOf(spec)
  const { rating, covariance: of } = ratings
  const me = entrants.indexOf(entrant)
  const tells = (other: number): number => {
    const p = 1 / (1 + 10 ** (((rating[other] ?? 0) - (rating[me] ?? 0)) / 400))
    return p * (1 - p) * (of(me, me) + of(other, other) - 2 * of(me, other))
  }
  const candidates = entrants.flatMap((other, i) => {
    const group = [...who, other]
    const may =
      !who.includes(other) &&
      (met.get(groupKey(group)) ?? 0) < most &&
      !spec.out?.includes(other) &&
      !spec.away?.(other)
    return may && (spec.wanted?.([entrant, other]) ?? true) ? [{ other, value: tells(i) }] : []
  })
  const best = Math.max(...candidates.map(({ value }) => value))
  const good = candidates.filter(({ value }) => value >= AS_GOOD * best)
  return good.sort((a, b) => (matches[a.other] ?? 0) - (matches[b.other] ?? 0) || b.value - a.value)[0]?.other
}

/** Points where matches bound a strength on one side alone: an entrant that has lost them all may be as weak as can be. */
function boundOf({ ratings }: Look, i: number): OneSided | undefined {
  const [low = 0, high = 0] = [ratings.low[i], ratings.high[i]]
  if (isFlagged(ratings, i, 'winless')) return { below: AVERAGE + Math.round(high) }
  return isFlagged(ratings, i, 'unbeaten') ? { above: AVERAGE + Math.round(low) } : undefined
}

const isFlagged = ({ flags }: Ratings, i: number, flag: Flag): boolean => flags[i]?.includes(flag) ?? false

/** By strength; with half of the 95 % interval, or the one end that it has, and the number of matches. */
function table(spec: TournamentSpec, entrants: readonly number[], look: Look): Standings {
  const { results, matches, ratings } = look
  const lines = entrants.map((entrant, i) => {
    const half = Math.round(((ratings.high[i] ?? 0) - (ratings.low[i] ?? 0)) / 2)
    const bound = results.length === 0 ? undefined : boundOf(look, i)
    return {
      entrant,
      points: results.length === 0 ? 0 : AVERAGE + Math.round(ratings.rating[i] ?? 0),
      cells: [results.length > 0 && bound === undefined ? half : null, matches[entrant] ?? 0],
      bound,
    }
  })
  const rows = rowsOf(spec, lines, (a, b) => b.points - a.points)
  return { columns: ['±', 'Matches'], rows, notes: [] }
}
