import type { Standings, TournamentSpec } from '../core/index.js'
import type { PairCount } from './crosstable.js'
import { formatOf } from './formats.js'
import { among, everyone, wantedPairs } from './pairs.js'
import { type Score, nothing } from './scoring.js'
import { achievedBy, firstOf, sharedBy, standingsOf } from './standings.js'

/**
 * How a tournament stands by counts of its matches alone: the same table as by its results. Undefined where counts do not decide it: more
 * counts than wins, draws and losses, a schedule that depends on results, a playoff, or counts of other matches than it has. `finished`:
 * nothing is left to play.
 */
export function countedTable(
  spec: TournamentSpec,
  entrants: readonly ({ readonly entrant: number } & Readonly<Pick<Score, 'wins' | 'draws' | 'losses'>>)[],
  pairs: readonly PairCount[],
): { readonly standings: Standings; readonly finished: boolean } | undefined {
  const { format, scoring, names, wanted } = spec
  const { meetings } = formatOf(format.kind)
  if (meetings === undefined || format.settle || format.self) return undefined
  if (scoring.by === 'score' || scoring.ties.length > 0 || spec.out !== undefined) return undefined
  const scheduled = wanted && wantedPairs(spec)
  let left = scheduled?.length ?? (names.length * (names.length - 1)) / 2
  for (const { one, other, ahead, level, behind } of pairs) {
    const n = ahead + level + behind
    if (one === other || n > meetings * format.repetitions || wanted?.([one, other]) === false) return undefined
    if (n === meetings * format.repetitions) left--
  }
  const finished = left === 0
  const scores = names.map(() => nothing(scoring))
  for (const { entrant, wins, draws, losses } of entrants) Object.assign(scores[entrant] ?? {}, { wins, draws, losses })
  const standings = standingsOf(spec, scheduled ? among(spec, scheduled) : everyone(spec), scores)
  const first = firstOf(standings.rows)
  if (!finished || first.length < 2) return { standings, finished }
  if (format.playoff > 0) return undefined
  return { standings: { ...standings, notes: [sharedBy(spec, first, achievedBy(spec, scores))] }, finished }
}
