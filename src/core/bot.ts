/**
 * A bot as a module: the default export of a JavaScript or TypeScript file. What it keeps in variables of its module or closure
 * lasts as long as the contest's memory allows; then the module is loaded afresh. `legal`: the legal actions; they are worked out
 * for a function that declares this third parameter, and for no other.
 */
export type Bot<View, Action extends string> = (
  view: View,
  chance: Chance,
  legal: readonly Action[],
) => Action | Promise<Action>

/** Whether a bot declares that it takes the legal actions, too. */
export function takesLegal(bot: (...words: never[]) => unknown): boolean {
  return bot.length > 2
}

/** A bot's own chance, derived from its AGON_SEED: a bot that takes its chance from nothing else plays the same again. */
export interface Chance {
  /** The AGON_SEED of this life: a whole number below 2³¹. */
  readonly seed: number
  /** A number in [0, 1). */
  random(): number
  /** A whole number in [0, n), each equally likely. */
  below(n: number): number
}
