import type { ScoredCompany } from './mean-games.js'

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
