import { type AnyGame, type Luck, type Moves, type Options, UserError, isTapeEnd } from '../core/index.js'

/** Positions that are looked at at most: some tens of seconds. */
export const MOST_POSITIONS = 400_000

/**
 * Walks a game through all that its chance can do. All chance comes from a luck, which may have a tape. The game gets
 * an empty tape: the first draw stops at its end, tells what it may give, and is made again with each on the tape. All
 * positions of a course share the tape, so the walk goes depth first: the caller looks at all that follows a position
 * before it asks for the next. A game that tells its chance (`chances`) draws once.
 */
export function drawsOf(game: AnyGame) {
  const tape: (string | number)[] = []
  /** Of the scores of a match. */
  let scores: number | undefined

  function each(p: number, run: () => unknown, visit: (state: unknown, p: number) => void): void {
    const { length } = tape
    let state: unknown
    try {
      state = run()
    } catch (error) {
      if (!isTapeEnd(error)) throw error
      if (error.at < length)
        throw new UserError(
          `${game.id} cannot be solved: it copies the luck that it is given, and has no chances(state)`,
        )
      for (const [item, chance] of error.outcomes) {
        tape.push(item)
        each(p * chance, run, visit)
        tape.length = length
      }
      return
    }
    const chances = game.chances?.(state)
    if (chances === undefined) visit(state, p)
    else for (const one of checked(game, chances)) visit(one.state, p * one.p)
  }

  return {
    /** At the end: half the scores' difference, or 1, 0, −1. Throws UserError if a gain is not the other's loss. */
    payoff(state: unknown): number | undefined {
      const outcome = game.outcome(state)
      if (outcome === undefined) return undefined
      if (outcome.score === undefined) {
        const [mine = 0, other = 0] = outcome.place ?? []
        return Math.sign(other - mine)
      }
      const [mine = 0, other = 0] = outcome.score
      scores ??= mine + other
      if (Math.abs(mine + other - scores) > 1e-9)
        throw new UserError(
          `${game.id} cannot be solved: what one seat gains is not what the other loses: scores come to ${scores} and to ${mine + other}`,
        )
      return (mine - other) / 2
    },

    setup(options: Options, visit: (state: unknown, p: number) => void): void {
      const luck: Luck = { seed: '', at: 0, tape: game.chances === undefined ? tape : undefined }
      each(1, () => game.setup(2, options, luck), visit)
    },

    play(state: unknown, moves: Moves<string>, visit: (state: unknown, p: number) => void): void {
      each(1, () => game.play(state, moves), visit)
    },

    /** A position of a played match, all draws from there anew. */
    fresh: (state: unknown): unknown => withLuck(state, { seed: '', at: 0, tape }),
  }
}

/** Plain data with that luck wherever it has one. */
function withLuck(value: unknown, luck: Luck): unknown {
  if (isLuck(value)) return luck
  if (Array.isArray(value)) return value.map((one) => withLuck(one, luck))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withLuck(one, luck)]))
}

/** Whether something is the luck of a match. */
export const isLuck = (value: unknown): value is Luck =>
  typeof value === 'object' && value !== null && 'seed' in value && 'at' in value

function checked<Drawn extends { readonly p: number }>(game: AnyGame, chances: readonly Drawn[]): readonly Drawn[] {
  const sum = chances.reduce((total, { p }) => total + p, 0)
  if (!(Math.abs(sum - 1) < 1e-9) || chances.some(({ p }) => !(p >= 0)))
    throw new UserError(`${game.id} cannot be solved: the probabilities of chances(state) come to ${sum}, and not to 1`)
  return chances
}
