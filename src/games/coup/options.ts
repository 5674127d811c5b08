/** What a variant may change; see RULES.md 10. Coins, cards and calls, all whole numbers. */
export type CoupOptions = {
  /** Calls until the game is given up. */
  readonly turns: number
  /** Copies of each character. */
  readonly cards: number
  /** Coins at the start. */
  readonly coins: number
  readonly income: number
  readonly aid: number
  readonly tax: number
  readonly steal: number
  readonly assassination: number
  readonly coup: number
  /** With that many coins only the coup is allowed. */
  readonly must: number
}

/** The historic game. */
export const OPTIONS: CoupOptions = {
  turns: 200,
  cards: 3,
  coins: 1,
  income: 1,
  aid: 2,
  tax: 3,
  steal: 2,
  assassination: 3,
  coup: 7,
  must: 10,
}

const LEAST: CoupOptions = {
  turns: 1,
  cards: 2,
  coins: 0,
  income: 0,
  aid: 0,
  tax: 0,
  steal: 1,
  assassination: 0,
  coup: 0,
  must: 1,
}
const MOST = 1_000_000

/** What makes no game of these options, in one line for a person; undefined: nothing. */
export function refuse(options: CoupOptions): string | undefined {
  for (const [name, least] of Object.entries(LEAST) as [keyof CoupOptions, number][]) {
    const value = options[name]
    if (!Number.isInteger(value) || value < least || value > MOST) {
      const why = name === 'cards' ? ': two hands and an exchange need six cards and more' : ''
      return `${name} has to be a whole number from ${least} to ${MOST}, not ${JSON.stringify(value)}${why}`
    }
  }
  if (options.cards > 100) return `cards has to be at most 100 of each character, not ${options.cards}`
  if (options.must < options.coup)
    return `must (${options.must}) is below coup (${options.coup}): no player could pay the coup that is forced`
  return undefined
}
