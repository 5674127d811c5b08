import { factorize, solve } from '../stats/linear.js'
import { cornerOf } from './corner.js'

/** What a player of each row scores against each column; square. */
export type Payoffs = readonly (readonly number[])[]

/** The averaging of a field by its equilibrium. */
export interface NashAverage {
  /** How much of the equilibrium each is: non-negative, 1 in sum. Clones share. */
  readonly weights: readonly number[]
  /** What each scores against the equilibrium above an even game: 0 for all who take part in it, less for the others. */
  readonly against: readonly number[]
}

/** By how much an equilibrium may fall short: room for the method to move in, far below what any table can show. */
const SLACK = 1e-9
/** An entrant that comes within this of an even game against an equilibrium may be part of another one. */
const EVEN = 1e-6
/** Of the entrants that gain, so many are taken in at a time, or half as many as are in: most of the others gain no more then. */
const FEW = 8
/** The product of multiplier and slack at which the method ends. */
const LAST_BARRIER = 1e-14
/** The same where it is only looked for who gains, and by how much one has to gain then: most rounds end so, with half of the steps. */
const ROUGH_BARRIER = 1e-5
const ROUGHLY = 1e-3
/** Newton steps at most; some thirty are usual. */
const STEPS = 400

/**
 * Nash averaging (Balduzzi, Tuyls, Perolat and Graepel 2018): the mixed equilibrium of the game in which two choose an entrant
 * each and the payoff is what theirs scores of the other's, B = payoffs − payoffsᵀ; of several equilibria the one of greatest
 * entropy, which alone treats equals equally.
 *
 * It is found among a few candidates, to whom all are added who gain against their equilibrium, or come out even with it, until there
 * are none. No other entrant can be part of any equilibrium p: if q is the one found, 0 = pᵀ·B·q while B·q ≤ 0, so (B·q)ᵢ = 0 wherever
 * pᵢ > 0. So where one equilibrium of the candidates is the only one, and all others lose against it, it is that of the whole field: it is
 * a corner, found by pivots (`cornerOf`). Only of several is the entropy looked at. `candidates`: whom to begin with, such as the support
 * of a similar matrix; absent: the entrants that score most.
 */
export function nashAverage(payoffs: Payoffs, candidates: readonly number[] = []): NashAverage {
  return nashOfTable(tableOf(payoffs), payoffs.length, candidates)
}

/** The rows of a matrix of n by n, one after another. */
export function tableOf(payoffs: Payoffs): Float64Array {
  const n = payoffs.length
  const table = new Float64Array(n * n)
  payoffs.forEach((row, i) => {
    for (let j = 0; j < n; j++) table[i * n + j] = row[j] ?? 0
  })
  return table
}

/** The same of n by n payoffs, the rows of their matrix one after another. */
export function nashOfTable(payoffs: Float64Array, n: number, candidates: readonly number[] = []): NashAverage {
  const b = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const more = (payoffs[i * n + j] as number) - (payoffs[j * n + i] as number)
      b[i * n + j] = more
      b[j * n + i] = -more
    }
  }
  const chosen = new Set(candidates.length > 0 ? candidates : bestOf(b, n))
  for (;;) {
    const members = [...chosen].sort((a, c) => a - c)
    const corner = cornerOf(among(b, n, members), members.length, EVEN)
    if (corner === undefined) return greatestEntropy(b, n, chosen)
    const weights = inField(corner.p, members, n)
    const against = product(b, n, weights)
    const others = othersOf(against, chosen)
    const gaining = gainers(others, EVEN, chosen.size)
    for (const entrant of gaining) chosen.add(entrant)
    if (gaining.length > 0) continue
    const isExact = against.every((gain, i) => gain < SLACK && (gain > -SLACK || weights[i] === 0))
    if (corner.alone && others.length === 0 && isExact)
      return { weights: Array.from(weights), against: Array.from(against) }
    return greatestEntropy(
      b,
      n,
      new Set(Array.from(against, (gain, i) => (gain > -EVEN ? i : -1)).filter((i) => i >= 0)),
    )
  }
}

/** The weights of some as those of the whole field. */
function inField(p: Float64Array, members: readonly number[], n: number): Float64Array {
  const whole = new Float64Array(n)
  members.forEach((entrant, k) => (whole[entrant] = p[k] as number))
  return whole
}

/** The equilibrium of greatest entropy, from these candidates on. */
function greatestEntropy(b: Float64Array, n: number, chosen: Set<number>): NashAverage {
  for (;;) {
    const members = [...chosen].sort((a, c) => a - c)
    const part = among(b, n, members)
    const rough = equilibrium(part, members.length, ROUGH_BARRIER)
    const early = gainers(othersOf(product(b, n, inField(rough.p, members, n)), chosen), ROUGHLY, chosen.size)
    for (const entrant of early) chosen.add(entrant)
    if (early.length > 0) continue
    const weights = inField(equilibrium(part, members.length, LAST_BARRIER, rough).p, members, n)
    const against = product(b, n, weights)
    const fresh = newcomers(against, chosen)
    if (fresh.length === 0) return { weights: Array.from(weights), against: Array.from(against) }
    for (const entrant of fresh) chosen.add(entrant)
  }
}

/** The entrants that gain most, or, where none gains, all that come out even. */
function newcomers(against: Float64Array, chosen: ReadonlySet<number>): readonly number[] {
  const others = othersOf(against, chosen)
  const gaining = gainers(others, EVEN, chosen.size)
  return gaining.length > 0 ? gaining : others.map(({ entrant }) => entrant)
}

interface Gain {
  readonly gain: number
  readonly entrant: number
}

/** All but the chosen that at least come out even. */
function othersOf(against: Float64Array, chosen: ReadonlySet<number>): readonly Gain[] {
  const others: Gain[] = []
  for (let entrant = 0; entrant < against.length; entrant++) {
    const gain = against[entrant] as number
    if (gain > -EVEN && !chosen.has(entrant)) others.push({ gain, entrant })
  }
  return others
}

/** The entrants that gain more than `least`: of them, the ones that gain most. */
const gainers = (others: readonly Gain[], least: number, chosen: number): readonly number[] =>
  others
    .filter(({ gain }) => gain > least)
    .sort((a, c) => c.gain - a.gain || a.entrant - c.entrant)
    .slice(0, Math.max(FEW, chosen / 2))
    .map(({ entrant }) => entrant)

/** The entrants that score most against the whole field. */
function bestOf(b: Float64Array, n: number): number[] {
  const sums = product(b, n, new Float64Array(n).fill(1))
  return Array.from(sums, (_, i) => i)
    .sort((i, j) => (sums[j] as number) - (sums[i] as number) || i - j)
    .slice(0, FEW)
}

/** The rows and columns of these members. */
function among(b: Float64Array, n: number, members: readonly number[]): Float64Array {
  const part = new Float64Array(members.length ** 2)
  members.forEach((i, row) => members.forEach((j, column) => (part[row * members.length + column] = b[i * n + j] ?? 0)))
  return part
}

/** B·x. */
function product(b: Float64Array, n: number, x: Float64Array): Float64Array {
  const sums = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    let sum = 0
    for (let j = 0; j < n; j++) sum += (b[i * n + j] as number) * (x[j] as number)
    sums[i] = sum
  }
  return sums
}

/**
 * The equilibrium of greatest entropy of an antisymmetric B. The equilibria of a symmetric zero-sum game are the p with B·p ≤ 0
 * (no entrant gains against p), so this maximises the entropy under B·p ≤ SLACK. In the dual, p is proportional to exp(B·λ) and
 * ln Σ exp(B·λ) + SLACK·Σλ is minimal over λ ≥ 0 (Bᵀ = −B): a convex problem, solved by the primal-dual method of interior points
 * with slacks s = SLACK − B·p, where λ·s falls towards 0 (Boyd and Vandenberghe, Convex Optimization, 11.7). Exact to about SLACK
 * over the least margin that matters in B.
 *
 * `least`: the product of multiplier and slack at which it ends; `from`: where an earlier call ended.
 */
function equilibrium(b: Float64Array, n: number, least: number, from?: Point): Point {
  let at = from ?? pointAt(b, n, new Float64Array(n).fill(1), new Float64Array(n).fill(1))
  let barrier = 1
  for (let step = 0; step < STEPS; step++) {
    const { lambda, slack, open } = at
    const gap = dot(lambda, slack) / n
    const wide = least > LAST_BARRIER ? least : SLACK / 100
    if (gap < least && open.every((far) => Math.abs(far) < wide)) break
    barrier = Math.min(barrier, Math.max(gap / 10, LAST_BARRIER / 10))
    const next = newton(b, n, at, barrier)
    if (next === undefined) break
    at = next
  }
  return at
}

/** Multipliers and slacks, with the mixture that follows from them and by how much the slacks are not its own. */
interface Point {
  readonly lambda: Float64Array
  readonly slack: Float64Array
  readonly p: Float64Array
  readonly gain: Float64Array
  readonly open: Float64Array
}

function pointAt(b: Float64Array, n: number, lambda: Float64Array, slack: Float64Array): Point {
  const p = softmax(product(b, n, lambda))
  const gain = product(b, n, p)
  return { lambda, slack, p, gain, open: slack.map((s, i) => SLACK - (gain[i] as number) - s) }
}

function softmax(x: Float64Array): Float64Array {
  const top = x.reduce((most, each) => Math.max(most, each), -Infinity)
  const p = x.map((each) => Math.exp(each - top))
  const sum = p.reduce((a, c) => a + c, 0)
  return p.map((each) => each / sum)
}

/** One step towards the point where each λ·s is `barrier`; undefined where none gets nearer. */
function newton(b: Float64Array, n: number, at: Point, barrier: number): Point | undefined {
  const { lambda, slack, open } = at
  const factor = factorize(curvature(b, n, at), n)
  const forward = solve(
    factor,
    lambda.map((x, i) => barrier / x - (slack[i] as number) - (open[i] as number)),
  )
  const aside = lambda.map((x, i) => (barrier - (slack[i] as number) * (x + (forward[i] as number))) / x)
  const far = distance(at, barrier)
  for (let stride = Math.min(1, 0.99 * room(lambda, forward), 0.99 * room(slack, aside)); stride > 1e-12; stride /= 2) {
    const length = stride
    const next = pointAt(
      b,
      n,
      lambda.map((x, i) => x + length * (forward[i] as number)),
      slack.map((x, i) => x + length * (aside[i] as number)),
    )
    if (distance(next, barrier) <= (1 - 0.01 * stride) * far) return next
  }
  return undefined
}

/** How far a point is from the one where all conditions hold. */
function distance({ lambda, slack, open }: Point, barrier: number): number {
  let sum = 0
  for (let i = 0; i < lambda.length; i++) {
    const off = (lambda[i] as number) * (slack[i] as number) - barrier
    sum += (open[i] as number) ** 2 + off * off
  }
  return Math.sqrt(sum)
}

/** How many times a step fits until a coordinate is 0. */
function room(from: Float64Array, step: Float64Array): number {
  let most = Infinity
  for (let i = 0; i < from.length; i++)
    if ((step[i] as number) < 0) most = Math.min(most, (from[i] as number) / -(step[i] as number))
  return most
}

function dot(a: Float64Array, c: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (c[i] as number)
  return sum
}

/** The second derivatives: B·(diag p − p·pᵀ)·Bᵀ, and s/λ on the diagonal. */
function curvature(b: Float64Array, n: number, { p, gain, lambda, slack }: Point): Float64Array {
  const matrix = new Float64Array(n * n)
  const scaled = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) scaled[k] = (b[i * n + k] as number) * (p[k] as number)
    for (let j = 0; j <= i; j++) {
      let sum = -(gain[i] as number) * (gain[j] as number)
      for (let k = 0, from = j * n; k < n; k++) sum += (scaled[k] as number) * (b[from + k] as number)
      matrix[i * n + j] = sum
    }
    // The last summand is for rounding alone: rows of clones are equal.
    matrix[i * n + i] = (matrix[i * n + i] as number) + (slack[i] as number) / (lambda[i] as number) + 1e-15
  }
  return matrix
}
