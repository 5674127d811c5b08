/** How a seat plays where it knows this. */
export interface StrategyRow {
  readonly seat: number
  /** What it knows; of a game that tells what of a view matters (`essence`), that. */
  readonly view: unknown
  /** Its own actions before, where the view alone does not tell two rows apart. */
  readonly after?: readonly string[]
  /** The probability of each legal action. */
  readonly policy: Readonly<Record<string, number>>
}

/** An equilibrium of a game of two whose gains are the other's losses. */
export interface Solution {
  /** What seat 0 gets where both play it: a win is 1 and a loss −1, or half the difference of the scores. */
  readonly value: number
  /** What the best answers to it gain, on average of the two seats: 0 but for rounding. */
  readonly exploitability: number
  readonly strategy: readonly StrategyRow[]
  /** Positions, or what a seat may know in them, that were looked at. */
  readonly positions: number
  readonly method: 'backward induction' | 'linear programming'
}
