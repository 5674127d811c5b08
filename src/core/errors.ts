import type { Wording } from './message.js'

/**
 * A user's mistake, told by file, place and remedy, without a stack (exit code 2). `text`: each door spells its
 * options.
 */
export class UserError extends Error {
  override readonly name = 'UserError'
  readonly text: Wording

  constructor(text: Wording) {
    super(String(text))
    this.text = text
  }
}

/** A game's designer's mistake: not its bots', nor agon's. */
export class GameMistake extends UserError {
  constructor(
    text: Wording,
    /** Without the game's file, and where in a match it showed. */
    readonly bare?: string,
  ) {
    super(text)
  }
}

/** The hard stop came with the bot's charge within its limit, as the machine was too busy: the match is void. */
export class BusyError extends Error {
  override readonly name = 'BusyError'

  constructor(
    message: string,
    /** Microseconds of processor time meanwhile, if known. */
    readonly cpuUs?: number,
  ) {
    super(message)
  }
}

/** What an error says, of anything that was thrown. */
export function messageOf(error: unknown): string {
  // A connection to a name of several addresses fails once for each, without a message of its own.
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0])
  // Libraries also report plain objects with a message.
  const named = typeof error === 'object' && error !== null && 'message' in error
  return named && typeof error.message === 'string' ? error.message : String(error)
}

/** The same; a user's mistake with options and commands as a door spells them. */
export const wordingOf = (error: unknown): Wording => (error instanceof UserError ? error.text : messageOf(error))

/** The known word probably meant: at most a third of its letters differ. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  const most = (candidate: string): number => Math.max(1, Math.floor(Math.max(candidate.length, word.length) / 3))
  const ranked = known
    // At least so many letters differ: strangers ask for chosen names among many.
    .filter((candidate) => Math.abs(candidate.length - word.length) <= most(candidate))
    .map((candidate) => ({ candidate, far: distance(lower, candidate.toLowerCase()) }))
    .filter(({ candidate, far }) => far < word.length && far <= most(candidate))
    .sort((a, b) => a.far - b.far)
  return ranked[0]?.candidate
}

/** ' (did you mean "name"?)', for behind an unknown word, or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const guess = nearest(word, known)
  return guess === undefined ? '' : ` (did you mean ${JSON.stringify(guess)}?)`
}

/** Edit distance with swaps of neighbours (optimal string alignment): 'sede' and 'seed' are 1 apart. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
    }
    before = above
    above = row
  }
  return above[b.length] ?? 0
}
