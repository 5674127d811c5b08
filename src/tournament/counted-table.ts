import type { Standings, TournamentSpec } from '../core/index.js'
import { Counts, type Crosstable, crosstableOf } from './crosstable.js'
import { formatOf } from './formats.js'
import { among, wantedPairs } from './pairs.js'
import { settled } from './playoff.js'
import { type Score, nothing } from './scoring.js'
import { hasNothing, standingsOf } from './standings.js'

/** Of an entrant's matches, how many it won, drew and lost. */
export interface EntrantCount {
  readonly entrant: number
  readonly wins: number
  readonly draws: number
  readonly losses: number
}

/** Of the matches of two, how often the one was placed before the other, level with it, and behind it. */
export interface PairCount {
  readonly one: number
  readonly other: number
  readonly ahead: number
  readonly level: number
  readonly behind: number
}

/** How a tournament stands. */
export interface CountedTable {
  readonly standings: Standings
  readonly crosstable: Crosstable
  /** Nothing is left to play. */
  readonly finished: boolean
}

/**
 * How a tournament stands by counts of its matches, without a look at any: the same table as by its results. Undefined where counts do
 * not decide it: where more counts than wins, draws and losses, where the schedule depends on results, and where the counts are of other
 * matches than it has.
 */
export function countedTable(
  spec: TournamentSpec,
  entrants: readonly EntrantCount[],
  pairs: readonly PairCount[],
): CountedTable | undefined {
  const { format, scoring, names } = spec
  const { meetings } = formatOf(format.kind)
  if (meetings === undefined || format.playoff > 0 || format.settle || format.self) return undefined
  if (scoring.by === 'score' || scoring.ties.length > 0 || spec.out !== undefined) return undefined
  const field = names.length
  const wanted = wantedPairs(spec)
  const scheduled = new Set(wanted.map(([a, b]) => a * field + b))
  const counts = new Counts(field)
  let complete = 0
  for (const { one, other, ahead, level, behind } of pairs) {
    const n = ahead + level + behind
    if (n === 0) continue
    if (!scheduled.has(one * field + other) || n > meetings * format.repetitions) return undefined
    if (n === meetings * format.repetitions) complete++
    Object.assign(counts.of(one, other), { wins: ahead, draws: level })
    Object.assign(counts.of(other, one), { wins: behind, draws: level })
  }
  const scores = names.map(() => nothing(scoring))
  for (const { entrant, wins, draws, losses } of entrants) Object.assign(scores[entrant] ?? {}, { wins, draws, losses })
  const finished = complete === wanted.length
  const table = standingsOf(spec, among(spec, wanted), scores)
  const standings = finished ? withJoint(spec, table, scores) : table
  return {
    standings,
    crosstable: crosstableOf(
      names,
      scoring,
      counts,
      standings.rows.map(({ entrant }) => entrant),
    ),
    finished,
  }
}

/** With a note where several share the first place, and nothing will tell them apart. */
function withJoint(spec: TournamentSpec, standings: Standings, scores: readonly Score[]): Standings {
  const tied = standings.rows.flatMap(({ rank, entrant }) => (rank === 1 ? [entrant] : []))
  if (tied.length < 2) return standings
  const playoffs = { level: tied, behind: [], completed: 0, matches: 0 }
  return settled(spec, standings, playoffs, (entrant) => !hasNothing(spec.scoring, scores[entrant] as Score))
}
