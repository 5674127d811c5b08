/** What a variant may change (RULES.md 8): historic, least and most of each number. */
const NUMBERS = {
  turns: [9, 1, 10_000],
  lords: [6, 1, 100],
  /** Bounds of a lord's force. */
  weakest: [3, 0, 1_000_000],
  strongest: [6, 0, 1_000_000],
  /** Negotiations on a turn. */
  day: [5, 1, 100],
  night: [2, 1, 100],
  /** Intimacy that a negotiation by night brings. */
  nightWorth: [2, 0, 1000],
} as const
type Numbers = Readonly<Record<keyof typeof NUMBERS, number>>
export type NegotiateOptions = Numbers & {
  /** Turns that settle, beside the last one. */
  readonly settling: readonly number[]
}

const HISTORIC = Object.fromEntries(Object.entries(NUMBERS).map(([name, [historic]]) => [name, historic])) as Numbers
export const OPTIONS: NegotiateOptions = { ...HISTORIC, settling: [5, 9] }

/** More choices on one turn than this cannot be listed. */
const MOST_CHOICES = 20_000

export function refuse(options: NegotiateOptions): string | undefined {
  for (const [name, [, least, most]] of Object.entries(NUMBERS)) {
    const value = options[name as keyof Numbers]
    if (!Number.isInteger(value) || value < least || value > most) {
      return `${name} has to be a whole number from ${least} to ${most}, not ${JSON.stringify(value)}`
    }
  }
  const { weakest, strongest, lords, day, night, settling } = options
  if (strongest < weakest) return `strongest (${strongest}) is below weakest (${weakest})`
  if (strongest - weakest >= 1000)
    return `strongest has to be less than 1000 above weakest (${weakest}), not ${strongest}`
  if (!Array.isArray(settling) || !settling.every((turn) => Number.isInteger(turn) && turn >= 1)) {
    return `settling has to be a list of turns, such as [5, 9], not ${JSON.stringify(settling)}`
  }
  const count = choices(lords, Math.max(day, night))
  return count > MOST_CHOICES
    ? `${Math.max(day, night)} negotiations with ${lords} lords are ${count} choices a turn, more than ${MOST_CHOICES}: take fewer of either`
    : undefined
}

/** Multisets of that size: (lords + size − 1) over size. */
function choices(lords: number, size: number): number {
  let count = 1
  for (let k = 1; k <= size; k++) count = (count * (lords + k - 1)) / k
  return Math.round(count)
}
