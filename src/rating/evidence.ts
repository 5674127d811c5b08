import { companiesOf, type Game } from './game.js'
import type { Worth } from './statistics.js'

/**
 * What is known of the companies of a field (who may meet whom): for each, the mean points of its members and how sure these
 * are. An entrant's merit is the mean over its companies of its mean points there, which is where a round robin without end
 * would bring it; nothing is assumed of how results hang together.
 */
export interface Evidence {
  readonly field: number
  readonly companies: readonly Known[]
  /** By entrant: how many companies it belongs to. */
  readonly degree: readonly number[]
}

export interface Known {
  readonly members: readonly number[]
  /** How many blocks have been played, and how many of them were no repetition. */
  readonly played: number
  readonly distinct: number
  /** Mean points by member, from 0 for a loss to 1 for a win; meaningless before the first block. */
  readonly mean: readonly number[]
  /** Covariance of the points of a block, members × members by rows. */
  readonly covariance: Float64Array
}

/**
 * Adds up the games. The covariance of a company has a prior of one virtual block, a lottery that each member wins with the same
 * probability, so that a few equal results are not taken for certainty; the mean has none.
 */
export function evidenceOf(
  companies: readonly (readonly number[])[],
  games: readonly Game[],
  field: number,
  worth: Worth,
): Evidence {
  const degree = Array.from({ length: field }, () => 0)
  for (const members of companies) for (const e of members) degree[e] = (degree[e] as number) + 1
  const met = companiesOf(games)
  const known = companies.map((list): Known => {
    const members = [...list].sort((x, y) => x - y)
    return knownOf(
      members,
      (met.get(members.join())?.games ?? []).map((g) => games[g] as Game),
      worth,
    )
  })
  return { field, companies: known, degree }
}

/** The evidence with company `k` (its place in `companies`) known anew from all its games, so that not all need be read again. */
export function withGames(evidence: Evidence, k: number, games: readonly Game[], worth: Worth): Evidence {
  const companies = evidence.companies.map((known, at) => (at === k ? knownOf(known.members, games, worth) : known))
  return { ...evidence, companies }
}

/** One block: the mean points of its games, and how much of it is new. */
interface Block {
  readonly sum: number[]
  n: number
  weight: number
}

function knownOf(members: readonly number[], games: readonly Game[], worth: Worth): Known {
  const size = members.length
  const blocks = new Map<string | number, Block>()
  games.forEach((game, g) => {
    const key = game.block ?? g
    const block = blocks.get(key) ?? { sum: members.map(() => 0), n: 0, weight: 0 }
    const firsts = game.place.filter((p) => p === 1).length
    game.entrants.forEach((e, seat) => {
      const points = game.place[seat] === 1 ? (firsts > 1 ? worth.draw : worth.win) : worth.loss
      const m = members.indexOf(e)
      block.sum[m] = (block.sum[m] as number) + (points - worth.loss) / (worth.win - worth.loss)
    })
    block.n++
    block.weight += game.weight ?? 1
    blocks.set(key, block)
  })
  const seen = [...blocks.values()].map(({ sum, n, weight }) => ({ x: sum.map((s) => s / n), weight: weight / n }))
  const distinct = seen.reduce((sum, { weight }) => sum + weight, 0)
  const mean = members.map((_, m) => seen.reduce((sum, { x }) => sum + (x[m] as number), 0) / Math.max(1, seen.length))
  const covariance = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      let sum = (i === j ? 1 : 0) / size - 1 / size ** 2
      for (const { x, weight } of seen) {
        sum += weight * ((x[i] as number) - (mean[i] as number)) * ((x[j] as number) - (mean[j] as number))
      }
      covariance[i * size + j] = sum / (1 + distinct)
    }
  }
  return { members, played: seen.length, distinct, mean, covariance }
}

/** How the merits of two differ, as far as is known: a's less b's, with the variance of that; and each company's part in it. */
export function contrast(
  { companies, degree }: Evidence,
  a: number,
  b: number,
): { readonly difference: number; readonly variance: number; readonly parts: Float64Array } {
  let difference = 0
  let variance = 0
  const parts = new Float64Array(companies.length)
  companies.forEach(({ members, distinct, mean, covariance }, k) => {
    const i = members.indexOf(a)
    const j = members.indexOf(b)
    if (i === -1 && j === -1) return
    const size = members.length
    const u = i === -1 ? 0 : 1 / (degree[a] as number)
    const v = j === -1 ? 0 : 1 / (degree[b] as number)
    const of = (r: number, c: number): number => (r === -1 || c === -1 ? 0 : (covariance[r * size + c] as number))
    difference += u * (mean[i] ?? 0) - v * (mean[j] ?? 0)
    // Of one block; that of the mean is so many times less. A company that has not met is as uncertain as one block of it.
    const one = u * u * of(i, i) + v * v * of(j, j) - 2 * u * v * of(i, j)
    variance += one / Math.max(distinct, 0.5)
    parts[k] = one
  })
  return { difference, variance, parts }
}
