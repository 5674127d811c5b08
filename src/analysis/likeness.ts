/** What each bot answered to each view: `answers[bot][view]`; undefined where it was not asked, or gave no answer. */
export type Answers = readonly (readonly (string | undefined)[])[]

/** How alike two bots answer. */
export interface Likeness {
  readonly pair: readonly [number, number]
  /** On how many views both answered. */
  readonly views: number
  /** The share of these on which they answered the same. */
  readonly agreement: number
  /** What two bots of the field, drawn anew for each view, would have in common on average. */
  readonly expected: number
  /** The probability that two so drawn agree as often as these or more. */
  readonly p: number
  /** p times the number of pairs compared, at most 1 (Bonferroni): what to go by when all pairs were looked at. */
  readonly adjusted: number
}

/**
 * How alike each two bots behave on the same views, the most alike first. The p-value is that of a permutation test: on each
 * view, by itself, the answers are dealt anew among the bots that gave them. So a view on which all play the same tells
 * nothing, and one on which only these two agree tells much. The views being dealt independently, the number of agreements is
 * a sum of independent chances, and its distribution is computed, not drawn. A field of two has nothing to compare with: p is 1.
 * It says that behaviour is alike, not why.
 */
export function likeness(answers: Answers): readonly Likeness[] {
  const bots = answers.length
  const views = Math.max(0, ...answers.map((row) => row.length))
  const chance = Array.from({ length: views }, (_, v) => chanceOf(answers.map((row) => row[v])))
  const pairs = (bots * (bots - 1)) / 2
  const tails = new Map<string, Float64Array>()
  const found: Likeness[] = []
  for (let a = 0; a < bots; a++) {
    for (let b = a + 1; b < bots; b++) {
      const shared = chance.flatMap((_, v) =>
        answers[a]?.[v] === undefined || answers[b]?.[v] === undefined ? [] : [v],
      )
      const agreed = shared.filter((v) => answers[a]?.[v] === answers[b]?.[v]).length
      const chances = shared.map((v) => chance[v] as number)
      // Mostly all bots answered all views, and the distribution is the same for all pairs.
      const key = shared.join()
      const tail = tails.get(key) ?? upperTail(chances)
      tails.set(key, tail)
      const p = Math.min(1, tail[agreed] ?? 1)
      found.push({
        pair: [a, b],
        views: shared.length,
        agreement: shared.length > 0 ? agreed / shared.length : 0,
        expected: shared.length > 0 ? chances.reduce((x, y) => x + y, 0) / shared.length : 0,
        p,
        adjusted: Math.min(1, p * pairs),
      })
    }
  }
  return found.sort((x, y) => x.p - y.p || y.agreement - x.agreement)
}

/** The probability that two of the bots that answered, drawn at random, answered the same. */
function chanceOf(answers: readonly (string | undefined)[]): number {
  const counts = new Map<string, number>()
  let n = 0
  for (const answer of answers) {
    if (answer === undefined) continue
    counts.set(answer, (counts.get(answer) ?? 0) + 1)
    n++
  }
  let same = 0
  for (const count of counts.values()) same += count * (count - 1)
  return n > 1 ? same / (n * (n - 1)) : 0
}

/** At k: the probability of k or more successes among independent trials of these chances. */
function upperTail(chances: readonly number[]): Float64Array {
  // One cell more than there are counts: nothing is above the last.
  const exactly = new Float64Array(chances.length + 2)
  exactly[0] = 1
  chances.forEach((chance, n) => {
    for (let k = n + 1; k > 0; k--) {
      exactly[k] = (exactly[k] as number) * (1 - chance) + (exactly[k - 1] as number) * chance
    }
    exactly[0] = (exactly[0] as number) * (1 - chance)
  })
  for (let k = chances.length; k >= 0; k--) exactly[k] = (exactly[k] as number) + (exactly[k + 1] as number)
  return exactly
}
