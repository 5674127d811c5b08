import { betaCdf } from '../core/beta.js'

/** How often each beat each, and drew: squares of field × field numbers, by rows, repeated games weighted down. */
export interface Meetings {
  readonly field: number
  /** At [i · field + j]: what i won of j. */
  readonly wins: ArrayLike<number>
  /** Symmetric. */
  readonly draws: ArrayLike<number>
}

/** A beats B beats C beats A. */
export interface Cycle {
  /** Each beats the next, and the last the first; the smallest index stands first. */
  readonly members: readonly [number, number, number]
  /** The probability that all three do, where it was looked for among all. */
  readonly confidence: number
}

/**
 * The probability that i scores more than half of j in the long run, given what they have played: the posterior of the mean
 * score, Beta(w + d/2 + ½, l + d/2 + ½). The prior is one virtual draw; draws count half a win each, which is to the safe side.
 * ½ where they have not met.
 */
export function beats({ field, wins, draws }: Meetings, i: number, j: number): number {
  const half = (draws[i * field + j] ?? 0) / 2 + 0.5
  return betaCdf(0.5, (wins[j * field + i] ?? 0) + half, (wins[i * field + j] ?? 0) + half)
}

/**
 * All cycles of three in which each scored more than half against the next, the surest first. The three pairings are independent
 * of each other, so the confidence in one is the product of theirs, less what the number of possible cycles allows for (Bonferroni);
 * `least` leaves out what is less sure. A field in which everybody has met everybody has a longer cycle only where it has one of three.
 * The caller tests first whether strengths explain the field: then it has no cycle.
 */
export function cycles(meetings: Meetings, { least = 0.5 } = {}): readonly Cycle[] {
  const { field } = meetings
  const ahead = Array.from({ length: field }, (_, i) =>
    Array.from({ length: field }, (_unused, j) => (i === j ? 0 : beats(meetings, i, j))),
  )
  return cyclesBy(field, (i, j) => ahead[i]?.[j] ?? 0, least)
}

/**
 * Cycles of three, the surest first, by how probable it is that a beats b. The confidence in one is the product of its three, less what
 * the number of possible cycles allows for (Bonferroni); `least` leaves out what is less sure.
 */
export function cyclesBy(field: number, of: (a: number, b: number) => number, least: number): readonly Cycle[] {
  const possible = (field * (field - 1) * (field - 2)) / 3
  const found: Cycle[] = []
  for (let a = 0; a < field; a++) {
    for (let b = a + 1; b < field; b++) {
      if (of(a, b) <= 0.5) continue
      for (let c = a + 1; c < field; c++) {
        if (of(b, c) <= 0.5 || of(c, a) <= 0.5) continue
        const confidence = 1 - (1 - of(a, b) * of(b, c) * of(c, a)) * possible
        if (confidence >= least) found.push({ members: [a, b, c], confidence })
      }
    }
  }
  return found.sort((x, y) => y.confidence - x.confidence)
}
