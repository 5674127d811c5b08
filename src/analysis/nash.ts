import { factorize, solve } from '../core/linear.js'

/** What a player of each row scores against each column; square. */
export type Payoffs = readonly (readonly number[])[]

/** The averaging of a field by its equilibrium. */
export interface NashAverage {
  /** How much of the equilibrium each is: non-negative, 1 in sum. Clones share. */
  readonly weights: readonly number[]
  /** What each scores against the equilibrium above an even game: 0 for all who take part in it, less for the others. */
  readonly against: readonly number[]
}

/** By how much an equilibrium may fall short: room for the method to move in, far below what any table can tell. */
const SLACK = 1e-9

/**
 * Nash averaging (Balduzzi, Tuyls, Perolat and Graepel 2018): the mixed equilibrium of the game in which two choose an entrant
 * each and the payoff is what theirs scores of the other's, B = payoffs − payoffsᵀ; of several equilibria the one of greatest
 * entropy, which alone treats equals equally.
 *
 * The equilibria of a symmetric zero-sum game are the p with B·p ≤ 0 (nobody gains against p), so this maximises the entropy
 * under B·p ≤ SLACK. In the dual, p is proportional to exp(−Bᵀλ) and ln Σ exp(−Bᵀλ) + SLACK·Σλ is minimal over λ ≥ 0: a convex
 * problem, solved by Newton's method with a logarithmic barrier that is lowered step by step. Exact to about SLACK over the
 * least margin that matters in B.
 */
export function nashAverage(payoffs: Payoffs): NashAverage {
  const n = payoffs.length
  const b = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) b[i * n + j] = (payoffs[i]?.[j] ?? 0) - (payoffs[j]?.[i] ?? 0)
  }
  let lambda: Float64Array = new Float64Array(n).fill(1)
  for (let barrier = 1; barrier > 1e-14; barrier /= 100) lambda = centre(b, n, lambda, barrier)
  const { p, gain } = primal(b, n, lambda)
  return { weights: Array.from(p), against: Array.from(gain) }
}

/** p = softmax(−Bᵀλ), what each gains against it, B·p, and the logarithm of its normalisation. */
function primal(
  b: Float64Array,
  n: number,
  lambda: Float64Array,
): { p: Float64Array; gain: Float64Array; log: number } {
  const p = new Float64Array(n)
  for (let j = 0; j < n; j++) {
    let sum = 0
    for (let i = 0; i < n; i++) sum -= (b[i * n + j] as number) * (lambda[i] as number)
    p[j] = sum
  }
  const top = p.reduce((most, x) => Math.max(most, x), -Infinity)
  let sum = 0
  for (let j = 0; j < n; j++) sum += p[j] = Math.exp((p[j] as number) - top)
  for (let j = 0; j < n; j++) p[j] = (p[j] as number) / sum
  const gain = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) gain[i] = (gain[i] as number) + (b[i * n + j] as number) * (p[j] as number)
  }
  return { p, gain, log: top + Math.log(sum) }
}

/** Minimises ln Σ exp(−Bᵀλ) + SLACK·Σλ − barrier·Σ ln λ from `start`. */
function centre(b: Float64Array, n: number, start: Float64Array, barrier: number): Float64Array {
  let lambda = start
  const cost = (at: Float64Array): number => {
    const sum = at.reduce((total, x) => total + SLACK * x - barrier * Math.log(x), 0)
    return primal(b, n, at).log + sum
  }
  let value = cost(lambda)
  for (let round = 0; round < 50; round++) {
    const { p, gain } = primal(b, n, lambda)
    const slope = lambda.map((x, i) => SLACK - (gain[i] as number) - barrier / x)
    const step = solve(factorize(curvature(b, n, p, gain, lambda, barrier), n), slope)
    let decrease = 0
    for (let i = 0; i < n; i++) decrease += (step[i] as number) * (slope[i] as number)
    if (decrease < 1e-9 * barrier) break
    // As far as λ stays positive, then back until the cost falls as it should.
    let stride = 1
    for (let i = 0; i < n; i++) {
      if ((step[i] as number) > 0) stride = Math.min(stride, (0.95 * (lambda[i] as number)) / (step[i] as number))
    }
    const from = lambda
    let next = from
    for (; stride > 1e-12; stride /= 2) {
      const far = stride
      next = from.map((x, i) => x - far * (step[i] as number))
      if (cost(next) <= value - 0.1 * far * decrease) break
    }
    if (stride <= 1e-12) break
    lambda = next
    value = cost(lambda)
  }
  return lambda
}

/** The second derivatives: B·(diag p − p·pᵀ)·Bᵀ, and the barrier's on the diagonal. */
function curvature(
  b: Float64Array,
  n: number,
  p: Float64Array,
  gain: Float64Array,
  lambda: Float64Array,
  barrier: number,
): Float64Array {
  const matrix = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = -(gain[i] as number) * (gain[j] as number)
      for (let k = 0; k < n; k++) sum += (b[i * n + k] as number) * (p[k] as number) * (b[j * n + k] as number)
      matrix[i * n + j] = sum
    }
    // The last summand is for rounding alone: rows of clones are equal.
    matrix[i * n + i] = (matrix[i * n + i] as number) + barrier / (lambda[i] as number) ** 2 + 1e-15
  }
  return matrix
}
