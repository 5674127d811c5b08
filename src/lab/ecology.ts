import type { Payoffs } from './nash.js'

export interface EcologyOptions {
  /** How many generations are bred; Axelrod showed 1,000. */
  readonly generations?: number
  /** The population to begin with; left out, equal parts. */
  readonly start?: readonly number[]
}

/**
 * An ecological run as Axelrod has it (The Evolution of Cooperation, 1984, chapter 2; Axelrod and Hamilton 1981): each entrant
 * has a share of the population, and from one generation to the next a share grows by what it scores, x_i ← x_i · f_i / Σ x·f,
 * with f_i = Σ_j payoffs[i][j] · x_j. A bot that thrives on bots that die out dies out after them. Payoffs must not be negative.
 * Returns the shares of all generations, from the first population on.
 */
export function ecology(
  payoffs: Payoffs,
  { generations = 1000, start }: EcologyOptions = {},
): readonly (readonly number[])[] {
  if (payoffs.some((row) => row.some((v) => v < 0)))
    throw new RangeError('an ecological run needs payoffs of 0 or more')
  const n = payoffs.length
  const flat = Float64Array.from(payoffs.flat())
  let shares: readonly number[] = start ?? payoffs.map(() => 1 / n)
  const course = [shares]
  for (let generation = 0; generation < generations; generation++) {
    shares = bred(flat, shares)
    course.push(shares)
  }
  return course
}

/** The next generation; the very same where no bot scores anything, or nothing changes. */
function bred(payoffs: Float64Array, shares: readonly number[]): readonly number[] {
  const n = shares.length
  const grown = new Float64Array(n)
  let all = 0
  for (let i = 0; i < n; i++) {
    const share = shares[i] as number
    // A bot that has died out stays so.
    if (share === 0) continue
    let score = 0
    for (let j = 0, row = i * n; j < n; j++) score += (payoffs[row + j] as number) * (shares[j] as number)
    all += grown[i] = share * score
  }
  return all > 0 ? Array.from(grown, (x) => x / all) : shares
}
