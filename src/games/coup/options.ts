/** What a variant may change (RULES.md 10): coins, cards and calls, each with the historic number and the least. */
const NUMBERS = {
  /** Calls until the game is given up. */
  turns: [200, 1],
  /** Copies of each character. */
  cards: [3, 2],
  /** Coins at the start. */
  coins: [1, 0],
  income: [1, 0],
  aid: [2, 0],
  tax: [3, 0],
  steal: [2, 1],
  assassination: [3, 0],
  coup: [7, 0],
  /** With that many coins only the coup is allowed. */
  must: [10, 1],
} as const
export type CoupOptions = Readonly<Record<keyof typeof NUMBERS, number>>

export const OPTIONS = Object.fromEntries(
  Object.entries(NUMBERS).map(([name, [historic]]) => [name, historic]),
) as CoupOptions

const MOST = 1_000_000

export function refuse(options: CoupOptions): string | undefined {
  for (const [name, [, least]] of Object.entries(NUMBERS)) {
    const value = options[name as keyof CoupOptions]
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
