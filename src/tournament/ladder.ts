import type { OneSided, Round, Series, Standings, Tournament, TournamentSpec } from '../core/index.js'
import { type Flag, type Ratings, bradleyTerry, plackettLuce, superiority } from '../stats/index.js'
import type { Format } from './format.js'
import { allAmong, FormatError, isPlayed, pairingsOf, refuseCount, refuseSize, type Results } from './pairs.js'
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

/** Matches that settle an entrant's place, where the contest does not say. */
const PLACING = 60
/** Both neighbours are decided at this probability: the place is settled. */
const SURE = 0.9
/** An opponent telling this share of the most is as good: of these, who has played least. */
const AS_GOOD = 0.75
const AVERAGE_RATING = 1500

/** How a ladder stands. Entrants by their index in the contest, ratings by theirs in `entrants`. */
interface Look {
  readonly entrants: readonly number[]
  /** By entrant. */
  readonly matches: readonly number[]
  /** By those who met: their matches so far. */
  readonly met: ReadonlyMap<string, number>
  readonly ratings: Ratings
}

/**
 * An entrant may join a ladder at any time: it meets the opponents that tell most of its place until that is settled,
 * then plays only when a newcomer needs it. A meeting is a match of `size`, or with `swap` one in each rotation of
 * seats; the same entrants have `repetitions` meetings at most. The choice depends on results alone; in a round
 * everyone whose place is open has one meeting, so none waits. The table goes by Bradley and Terry's strengths, of more
 * than two by Plackett and Luce's.
 *
 * `spec.history` has the meetings of an earlier run of the contest: the first round, in the store already.
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
  const history = playersOf(spec) === 2 ? (spec.history ?? []) : []
  const before = {
    label: 'before',
    series: history
      .filter(([a, b]) => spec.wanted?.([a, b]) ?? true)
      .flatMap(([a, b, meetings]) => Array.from({ length: meetings }, (_, n) => meeting(spec, [a, b], n))),
  }
  const next = (results: Results): Round | undefined => {
    if (!isPlayed(pairingsOf(before), results)) return before
    const now = lookAt(spec, entrants, results)
    const series = challenges(spec, placing, now)
    return series.length === 0 ? undefined : { label: `${results.size} matches`, series }
  }
  return {
    next,
    standings: (results) => table(spec, lookAt(spec, entrants, results)),
    total(results) {
      if (next(results) === undefined) return results.size
      const { matches } = lookAt(spec, entrants, results)
      // A newcomer may open a place again that was settled.
      const left = entrants.map((entrant) => Math.max(0, placing + meetingMatches(spec) - (matches[entrant] ?? 0)))
      return results.size + left.reduce((sum, n) => sum + n, 0)
    },
  }
}

const playersOf = ({ format }: TournamentSpec): number => format.size ?? 2
const meetingMatches = (spec: TournamentSpec): number => (spec.format.swap ? playersOf(spec) : 1)
const groupKey = (who: readonly number[]): string => [...who].sort((a, b) => a - b).join(' ')

/**
 * The nth meeting of these, from 0: a sitting, with a round robin's keys, seats and deals; of more than two, groups'.
 */
function meeting(spec: TournamentSpec, who: readonly number[], n: number): Series {
  const size = meetingMatches(spec)
  const first = n * size
  const [a = 0, b = 0] = [...who].sort((one, other) => one - other)
  const pairings =
    who.length === 2
      ? pairSeries(spec, [a, b], { matches: first + size }).pairings.slice(first)
      : squareOf(spec, who, Math.floor(first / who.length)).slice(first % who.length, (first % who.length) + size)
  return { key: pairings[0]?.key ?? '', pairings }
}

function lookAt(spec: TournamentSpec, entrants: readonly number[], all: Results): Look {
  const results = [...all.values()].filter(({ seats }) => seats.every((entrant) => entrants.includes(entrant)))
  const matches = spec.names.map(() => 0)
  const met = new Map<string, number>()
  for (const { seats } of results) {
    for (const entrant of seats) matches[entrant] = (matches[entrant] ?? 0) + 1
    met.set(groupKey(seats), (met.get(groupKey(seats)) ?? 0) + 1)
  }
  const games = results.map(({ seats, outcome }) => ({
    entrants: seats.map((entrant) => entrants.indexOf(entrant)),
    place: outcome.place,
    team: spec.scoring.teams?.[seats.length],
  }))
  const rate = playersOf(spec) === 2 ? bradleyTerry : plackettLuce
  return { entrants, matches, met, ratings: rate(games, entrants.length, { adaptive: true }) }
}

/** Whether its place is known: both neighbours decided, or all asked of it played. */
function isSettled({ entrants, matches, ratings }: Look, placing: number, entrant: number): boolean {
  if ((matches[entrant] ?? 0) >= placing) return true
  const me = entrants.indexOf(entrant)
  const rating = (i: number): number => ratings.rating[i] ?? 0
  const others = entrants.flatMap((_, i) => (i === me ? [] : [i]))
  const above = others.filter((i) => rating(i) >= rating(me)).sort((i, j) => rating(i) - rating(j))[0]
  const below = others.filter((i) => rating(i) < rating(me)).sort((i, j) => rating(j) - rating(i))[0]
  // Who lost every match may be infinitely weak, who won every one as strong.
  const sure = (better: number, worse: number): boolean =>
    !isFlagged(ratings, better, 'winless') &&
    !isFlagged(ratings, worse, 'unbeaten') &&
    superiority(ratings, better, worse) >= SURE
  return (above === undefined || sure(above, me)) && (below === undefined || sure(me, below))
}

/** A meeting for each whose place is open, who played least first. */
function challenges(spec: TournamentSpec, placing: number, now: Look): readonly Series[] {
  const players = playersOf(spec)
  const size = meetingMatches(spec)
  const matches = [...now.matches]
  const met = new Map(now.met)
  const served = new Set<number>()
  const series: Series[] = []
  const open = now.entrants.filter((entrant) => !isSettled(now, placing, entrant) && !spec.away?.(entrant))
  for (const entrant of open.sort((a, b) => (matches[a] ?? 0) - (matches[b] ?? 0) || a - b)) {
    if (served.has(entrant)) continue
    const who = [entrant]
    for (let other: number | undefined = entrant; other !== undefined && who.length < players;) {
      other = mostTelling(spec, { ...now, matches, met }, who)
      if (other !== undefined) who.push(other)
    }
    if (who.length < players) continue
    const n = met.get(groupKey(who)) ?? 0
    series.push(meeting(spec, who, n / size))
    met.set(groupKey(who), n + size)
    for (const one of who) {
      served.add(one)
      matches[one] = (matches[one] ?? 0) + size
    }
  }
  return series
}

/**
 * Whom else a match of `who`, whose first challenges, needs to tell most: the less sure its end and their distance, the
 * more. Of those as good, who has played least.
 */
function mostTelling(
  spec: TournamentSpec,
  { entrants, matches, met, ratings: { rating, covariance: of } }: Look,
  who: readonly number[],
): number | undefined {
  const most = spec.format.repetitions * meetingMatches(spec)
  const me = entrants.indexOf(who[0] ?? -1)
  const tells = (other: number): number => {
    const p = 1 / (1 + 10 ** (((rating[other] ?? 0) - (rating[me] ?? 0)) / 400))
    return p * (1 - p) * (of(me, me) + of(other, other) - 2 * of(me, other))
  }
  const may = (other: number): boolean =>
    !who.includes(other) &&
    (met.get(groupKey([...who, other])) ?? 0) < most &&
    !spec.out?.includes(other) &&
    !spec.away?.(other)
  const candidates = entrants.flatMap((other, i) => (may(other) ? [{ other, value: tells(i) }] : []))
  const best = Math.max(...candidates.map(({ value }) => value))
  const good = candidates.filter(({ value }) => value >= AS_GOOD * best)
  return good.sort((a, b) => (matches[a.other] ?? 0) - (matches[b.other] ?? 0) || b.value - a.value)[0]?.other
}

/** Points where matches bound a strength on one side: who lost them all may be as weak as can be. */
function boundOf({ ratings }: Look, i: number): OneSided | undefined {
  const [low = 0, high = 0] = [ratings.low[i], ratings.high[i]]
  if (isFlagged(ratings, i, 'winless')) return { below: AVERAGE_RATING + Math.round(high) }
  return isFlagged(ratings, i, 'unbeaten') ? { above: AVERAGE_RATING + Math.round(low) } : undefined
}

const isFlagged = ({ flags }: Ratings, i: number, flag: Flag): boolean => flags[i]?.includes(flag) ?? false

/** By strength; with half the 95 % interval, or its one end, and the number of matches. */
function table(spec: TournamentSpec, look: Look): Standings {
  const { entrants, matches, ratings } = look
  const begun = look.met.size > 0
  const lines = entrants.map((entrant, i) => {
    const half = Math.round(((ratings.high[i] ?? 0) - (ratings.low[i] ?? 0)) / 2)
    const bound = begun ? boundOf(look, i) : undefined
    return {
      entrant,
      points: begun ? AVERAGE_RATING + Math.round(ratings.rating[i] ?? 0) : 0,
      cells: [begun && bound === undefined ? half : null, matches[entrant] ?? 0],
      bound,
    }
  })
  const rows = rowsOf(spec, lines, (a, b) => b.points - a.points)
  return { columns: ['±', 'Matches'], rows, notes: [] }
}
