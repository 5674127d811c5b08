import { MeanEvidence, type Bounds } from './betting.js'
import { type ScoredGame, type Worth, pointsOf } from './companies.js'
import type { RatedGame } from './game.js'

/**
 * What is known of a field's companies (who may meet whom), by block. Merit: an entrant's mean points, averaged over
 * its companies: where an endless round robin would bring it.
 */
export interface Evidence {
  readonly field: number
  readonly companies: readonly Known[]
  /** By entrant: its companies, by who else is in them. */
  readonly among: readonly ReadonlyMap<string, number>[]
}

export interface Known {
  readonly members: readonly number[]
  /** How many blocks have been played. */
  readonly played: number
  /** All blocks repeat the first: each seating took one course. */
  readonly fixed: boolean
  /** By member: mean points, from 0 (loss) to 1 (win); 0 before the first block. */
  readonly mean: readonly number[]
  /** By member: its points in each block, as given. */
  readonly points: readonly (readonly number[])[]
  /** By block: for how many it stands; absent: each is one. */
  readonly times?: readonly number[]
}

/** Adds up games, whose order does not depend on their results. */
export const evidenceOf = (
  companies: readonly (readonly number[])[],
  games: readonly RatedGame[],
  field: number,
  worth: Worth,
): Evidence => evidenceIn(companies, pointedOf(games, worth), field, boundsOf(worth))

/** The same where scores count, between bounds. Throws RangeError for bounds with nothing between. */
export function scoredEvidenceOf(
  companies: readonly (readonly number[])[],
  games: readonly ScoredGame[],
  field: number,
  bounds: Bounds,
): Evidence {
  if (!(bounds.min < bounds.max)) throw new RangeError(`scores between ${bounds.min} and ${bounds.max} cannot differ`)
  return evidenceIn(companies, games, field, bounds)
}

type Pointed = ScoredGame & Pick<RatedGame, 'weight'>

const pointedOf = (games: readonly RatedGame[], worth: Worth): readonly Pointed[] =>
  pointsOf(games, worth).map((game, g) => ({ ...game, weight: games[g]?.weight }))
const boundsOf = ({ win, loss }: Worth): Bounds => ({ min: loss, max: win })
const sorted = (list: Iterable<number>): number[] => [...list].sort((a, b) => a - b)

function evidenceIn(
  companies: readonly (readonly number[])[],
  games: readonly Pointed[],
  field: number,
  bounds: Bounds,
): Evidence {
  const met = new Map<string, Pointed[]>()
  for (const game of games) {
    const key = sorted(game.entrants).join()
    const own = met.get(key) ?? []
    own.push(game)
    met.set(key, own)
  }
  const known = companies.map((list): Known => {
    const members = sorted(new Set(list))
    return knownOf(members, met.get(members.join()) ?? [], bounds)
  })
  const among = Array.from({ length: field }, () => new Map<string, number>())
  known.forEach(({ members }, k) => {
    for (const e of members) among[e]?.set(members.filter((other) => other !== e).join(), k)
  })
  return { field, companies: known, among }
}

/** A block: its games' sum of points by member, and how much is new. */
interface Block {
  readonly sum: number[]
  readonly times: number
  n: number
  weight: number
}

/** Points are scores brought to 0 … 1. */
function knownOf(members: readonly number[], games: readonly Pointed[], { min, max }: Bounds): Known {
  const blocks = new Map<string | number, Block>()
  for (const { entrants, scores, block: name, times = 1, weight = 1 } of games) {
    const block = blocks.get(name) ?? { sum: members.map(() => 0), times, n: 0, weight: 0 }
    entrants.forEach((e, seat) => {
      const m = members.indexOf(e)
      block.sum[m] = (block.sum[m] as number) + ((scores[seat] as number) - min) / (max - min)
    })
    block.n++
    block.weight += weight
    blocks.set(name, block)
  }
  const seen = [...blocks.values()]
  const points = members.map((_, m) => seen.map(({ sum, n }) => (sum[m] as number) / n))
  const distinct = seen.reduce((sum, { weight, n, times }) => sum + (times * weight) / n, 0)
  const times = seen.map((block) => block.times)
  const played = times.reduce((sum, n) => sum + n, 0)
  return {
    members,
    played,
    fixed: played > 1 && distinct < 1.001,
    mean: points.map((list) => list.reduce((sum, x, i) => sum + x * (times[i] as number), 0) / Math.max(1, played)),
    points,
    times: played > seen.length ? times : undefined,
  }
}

/** Differences are counted in so many steps a unit: a block's points are fractions, their binary dust is nothing. */
const STEPS = 1e6

/**
 * How strongly the games speak for a having more merit than b, and the reverse.
 *
 * A lap is a block of each company of either. By company, a's score less b's (with the same others, or in one block) is
 * a run of independent values from −1 to 1 whose expectations sum to the difference of merits: evidence on a mean
 * (`MeanEvidence`), looked at between laps. Blocks beyond the last lap wait. Where all these companies repeat one game
 * each, there is one lap.
 */
export function compared(evidence: Evidence, a: number, b: number): { readonly above: number; readonly below: number } {
  const runs = runsOf(evidence, a, b)
  const met = runs.flatMap((run) => [run.a ?? [], run.b ?? []]).flat()
  const laps = Math.min(...met.map(({ played }) => played), met.every(({ fixed }) => fixed) ? 1 : Infinity)
  const lead = (run: Run, lap: number): number =>
    Math.round(STEPS * (pointsIn(run.a, a, lap) * run.u - pointsIn(run.b, b, lap) * run.v))
  const counts = new Map<number, number>()
  for (const run of runs) {
    for (let lap = 0; lap < laps; lap++) {
      const value = lead(run, lap)
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
  }
  const above = new MeanEvidence({ min: -1, max: 1 }, 0)
  const below = new MeanEvidence({ min: -1, max: 1 }, 0)
  for (const [value, times] of counts) {
    above.add(value / STEPS, times)
    below.add(-value / STEPS, times)
  }
  return { above: above.log(), below: below.log() }
}

/** 0 where the entrant is in no such company. */
function pointsIn(company: Known | undefined, entrant: number, lap: number): number {
  if (company === undefined) return 0
  const m = company.members.indexOf(entrant)
  return company.points[m]?.[lap] ?? 0
}

/** A company of a and one of b (one for both, with the same others, or none), and what a point of each counts. */
interface Run {
  readonly a?: Known
  readonly b?: Known
  readonly u: number
  readonly v: number
}

function runsOf({ companies, among }: Evidence, a: number, b: number): readonly Run[] {
  const [of, ofOther] = [among[a] as ReadonlyMap<string, number>, among[b] as ReadonlyMap<string, number>]
  const fewest = Math.min(of.size, ofOther.size)
  const [u, v] = [fewest / of.size, fewest / ofOther.size]
  const known = (k: number): Known => companies[k] as Known
  const runs: Run[] = []
  const taken = new Set<number>()
  for (const [others, k] of of) {
    const both = known(k).members.includes(b)
    const shared = both ? k : ofOther.get(others)
    if (shared !== undefined) taken.add(shared)
    runs.push({ a: known(k), b: shared === undefined ? undefined : known(shared), u, v })
  }
  for (const k of ofOther.values()) if (!taken.has(k)) runs.push({ b: known(k), u, v })
  return runs
}
