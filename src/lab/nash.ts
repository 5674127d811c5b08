import { factorize, solve } from '../stats/linear.js'

/** What rows' players score against columns'; square. */
export type Payoffs = readonly (readonly number[])[]

/** The averaging of a field by its equilibrium. */
export interface NashAverage {
  /** Shares of the equilibrium: non-negative, sum 1. Clones share. */
  readonly weights: readonly number[]
  /** Scores against the equilibrium above an even game: 0 for its members, less for others. */
  readonly against: readonly number[]
}

/** An equilibrium's allowed shortfall: room for the method, far below what tables can show. */
const SLACK = 1e-9
/** An entrant this close to an even game may be part of another equilibrium. */
const EVEN = 1e-6
/** Gaining entrants taken in at a time, or half as many as are in: most others gain no more then. */
const FEW = 8
/** The product of multiplier and slack that ends the method. */
const LAST_BARRIER = 1e-14
const MOST_STEPS = 400

/**
 * Nash averaging (Balduzzi, Tuyls, Perolat and Graepel 2018): the mixed equilibrium of the game in which two choose an
 * entrant each, with payoffs B = payoffs − payoffsᵀ; of several the one of greatest entropy, which alone treats equals
 * equally.
 *
 * It is found among few candidates; all who gain or come out even against their equilibrium are added until none is
 * left. No other entrant can be part of any equilibrium p: with the found q, 0 = pᵀ·B·q while B·q ≤ 0, so (B·q)ᵢ = 0
 * wherever pᵢ > 0. `candidates`: to begin with, such as the support of a similar matrix; absent: the top scorers.
 */
export function nashAverage(payoffs: Payoffs, candidates: readonly number[] = []): NashAverage {
  const n = payoffs.length
  const b = Float64Array.from({ length: n * n }, (_, k) => {
    const [i, j] = [Math.floor(k / n), k % n]
    return (payoffs[i]?.[j] ?? 0) - (payoffs[j]?.[i] ?? 0)
  })
  const chosen = new Set(candidates.length > 0 ? candidates : bestOf(b, n))
  for (;;) {
    const members = [...chosen].sort((a, c) => a - c)
    const p = equilibrium(among(b, n, members), members.length)
    const weights = new Float64Array(n)
    members.forEach((entrant, k) => (weights[entrant] = p[k] as number))
    const against = product(b, n, weights)
    const fresh = newcomers(against, chosen)
    if (fresh.length === 0) return { weights: Array.from(weights), against: Array.from(against) }
    for (const entrant of fresh) chosen.add(entrant)
  }
}

/** Of the rest: who gains most, or, if none gains, all that come out even. */
function newcomers(against: Float64Array, chosen: ReadonlySet<number>): readonly number[] {
  const gain = (entrant: number): number => against[entrant] as number
  const others = [...against.keys()].filter((entrant) => gain(entrant) > -EVEN && !chosen.has(entrant))
  const gaining = others.filter((entrant) => gain(entrant) > EVEN)
  if (gaining.length === 0) return others
  return gaining.sort((a, c) => gain(c) - gain(a) || a - c).slice(0, Math.max(FEW, chosen.size / 2))
}

/** The entrants that score most against the whole field. */
function bestOf(b: Float64Array, n: number): number[] {
  const sums = product(b, n, new Float64Array(n).fill(1))
  return [...sums.keys()].sort((i, j) => (sums[j] as number) - (sums[i] as number) || i - j).slice(0, FEW)
}

function among(b: Float64Array, n: number, members: readonly number[]): Float64Array {
  const part = new Float64Array(members.length ** 2)
  members.forEach((i, row) => members.forEach((j, column) => (part[row * members.length + column] = b[i * n + j] ?? 0)))
  return part
}

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
 * The equilibrium of greatest entropy of an antisymmetric B. Equilibria of a symmetric zero-sum game are the p with B·p
 * ≤ 0 (none gains against p), so this maximises entropy under B·p ≤ SLACK. In the dual, p is proportional to exp(B·λ)
 * and ln Σ exp(B·λ) + SLACK·Σλ is minimal over λ ≥ 0 (Bᵀ = −B): convex, solved by primal-dual interior points with
 * slacks s = SLACK − B·p, where λ·s falls to 0 (Boyd and Vandenberghe, Convex Optimization, 11.7). Exact to about SLACK
 * over B's least margin that matters.
 */
function equilibrium(b: Float64Array, n: number): Float64Array {
  let at = pointAt(b, n, new Float64Array(n).fill(1), new Float64Array(n).fill(1))
  let barrier = 1
  for (let step = 0; step < MOST_STEPS; step++) {
    const { lambda, slack, open } = at
    const gap = dot(lambda, slack) / n
    if (gap < LAST_BARRIER && open.every((far) => Math.abs(far) < SLACK / 100)) break
    barrier = Math.min(barrier, Math.max(gap / 10, LAST_BARRIER / 10))
    const next = newton(b, n, at, barrier)
    if (next === undefined) break
    at = next
  }
  return at.p
}

type Point = ReturnType<typeof pointAt>

/** Multipliers and slacks, their mixture, and by how much the slacks are not its own. */
function pointAt(b: Float64Array, n: number, lambda: Float64Array, slack: Float64Array) {
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

/** A step towards λ·s = `barrier` everywhere; undefined: none gets nearer. */
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

/** Second derivatives: B·(diag p − p·pᵀ)·Bᵀ, and s/λ on the diagonal. */
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
    // The last summand is for rounding: clones' rows are equal.
    matrix[i * n + i] = (matrix[i * n + i] as number) + (slack[i] as number) / (lambda[i] as number) + 1e-15
  }
  return matrix
}
