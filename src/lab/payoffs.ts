import type { ScoredCompany } from '../stats/index.js'
import type { Payoffs } from './nash.js'

/**
 * What each scores of each on average: of itself what it scored there where it met itself, else half of what it and its opponents scored
 * together, which is what two equals would share; of whom it has not met, its own mean over the others.
 */
export function payoffsOf(
  companies: readonly ScoredCompany[],
  field: number,
): (means: readonly Float64Array[]) => readonly (readonly number[])[] {
  const pairs = companies.flatMap(({ members }, c) => (members.length <= 2 ? [{ members, c }] : []))
  return (means) => {
    const made = Array.from({ length: field }, () => Array.from({ length: field }, () => Number.NaN))
    for (const { members, c } of pairs) {
      const [a = 0, b = a] = members
      ;(made[a] as number[])[b] = means[c]?.[0] ?? Number.NaN
      if (a !== b) (made[b] as number[])[a] = means[c]?.[1] ?? Number.NaN
    }
    const met = (i: number): number[] => made.flatMap((_, j) => (i !== j && !Number.isNaN(made[i]?.[j]) ? [j] : []))
    const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / list.length
    return made.map((row, i) => {
      const others = met(i)
      const own = others.length === 0 ? 0 : mean(others.map((j) => row[j] as number))
      const shared =
        others.length === 0 ? 0 : mean(others.map((j) => ((row[j] as number) + (made[j]?.[i] as number)) / 2))
      return row.map((value, j) => (!Number.isNaN(value) ? value : i === j ? shared : own))
    })
  }
}

/** Payoffs from 0 to 1, so that the intensity of selection means the same in whatever unit a game scores. */
export function scaled(payoffs: Payoffs): Payoffs {
  const all = payoffs.flat()
  const least = Math.min(...all)
  const range = Math.max(...all) - least
  return payoffs.map((row) => row.map((value) => (range === 0 ? 0 : (value - least) / range)))
}

/** Payoffs of which none is negative, as an ecological run needs them: raised by the least of them, if that is below 0. */
export function raised(payoffs: Payoffs): Payoffs {
  const least = Math.min(0, ...payoffs.flat())
  return least === 0 ? payoffs : payoffs.map((row) => row.map((value) => value - least))
}

/**
 * Last player standing on a matrix of mean scores: round by round the one with the least sum against those still in leaves;
 * of several, those with the least sum against the whole field, and all who are still level. Returns after which round each
 * left, or for the entrants that stay to the end, one more than the rounds there were: more is better.
 */
export function lastStandingRounds(scores: readonly (readonly number[])[]): readonly number[] {
  const rounds = scores.map(() => 0)
  let alive = scores.map((_, i) => i)
  const against = (i: number, others: readonly number[]): number =>
    others.reduce((sum, j) => (i === j ? sum : sum + (scores[i]?.[j] ?? 0)), 0)
  const everyone = alive
  for (let round = 1; ; round++) {
    const least = lowest(alive, (i) => against(i, alive))
    const out = lowest(least, (i) => against(i, everyone))
    if (out.length === alive.length) {
      for (const i of alive) rounds[i] = round
      return rounds
    }
    for (const i of out) rounds[i] = round
    alive = alive.filter((i) => !out.includes(i))
  }
}

/** Those with the least value; sums that differ by rounding alone are equal. */
function lowest(items: readonly number[], value: (item: number) => number): readonly number[] {
  const values = items.map(value)
  const least = Math.min(...values)
  return items.filter((_, k) => (values[k] as number) - least < 1e-9)
}
