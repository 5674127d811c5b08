import type { Row } from '../kit.js'

export const times = <T>(n: number, one: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => one(i))

/** A share of intervals that hold the truth: 93.5 % at least, but for two standard errors. */
export function coverage(name: string, shares: readonly number[]): Row {
  const value = shares.reduce((a, b) => a + b, 0) / shares.length
  const error = Math.sqrt(shares.reduce((sum, x) => sum + (x - value) ** 2, 0) / shares.length / shares.length)
  return { name: `held: ${name}`, value, error, limit: 0.95, ratio: (value + 2 * error) / 0.95, goal: 0.935 / 0.95 }
}

/** A share of errors: the nominal one at most, but for two standard errors. */
export function errors(name: string, wrong: number, runs: number, limit = 0.05): Row {
  const value = wrong / runs
  const error = Math.sqrt((limit * (1 - limit)) / runs)
  return { name, value, error, limit, ratio: (limit + 2 * error) / Math.max(value, 1e-3), goal: 1 }
}
