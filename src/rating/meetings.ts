import type { RatedGame } from './game.js'

/** How every two entrants did against each other, weighted: squares of field × field numbers, by rows. */
export interface Meetings {
  readonly field: number
  /** At [i · field + j]: what i won of j. */
  readonly wins: Float64Array
  /** Symmetric. */
  readonly draws: Float64Array
}

/** The pairs of a game in one flat list, so that a resample is a walk over numbers. */
export interface PairList {
  readonly field: number
  /** By pair: its game, [winner · field + loser] (or either way for a draw), whether it was drawn, and its share of the game. */
  readonly game: Int32Array
  readonly at: Int32Array
  readonly drawn: Uint8Array
  readonly share: Float64Array
}

/**
 * Takes games apart into pairs. A game of k entrants has k(k − 1)/2 of them, which are not independent: each counts 2/k, so
 * that the game weighs as much as the k − 1 comparisons that order k entrants. Throws a RangeError for a game that is not one.
 */
export function pairsOf(games: readonly RatedGame[], field: number): PairList {
  const game: number[] = []
  const at: number[] = []
  const drawn: number[] = []
  const share: number[] = []
  games.forEach(({ entrants, place }, g) => {
    checkGame(games[g] as RatedGame, field)
    entrants.forEach((a, i) => {
      for (let j = i + 1; j < entrants.length; j++) {
        const b = entrants[j] as number
        const lead = (place[j] as number) - (place[i] as number)
        game.push(g)
        at.push(lead < 0 ? b * field + a : a * field + b)
        drawn.push(lead === 0 ? 1 : 0)
        share.push(2 / entrants.length)
      }
    })
  })
  return {
    field,
    game: Int32Array.from(game),
    at: Int32Array.from(at),
    drawn: Uint8Array.from(drawn),
    share: Float64Array.from(share),
  }
}

/** Adds the pairs up; `weights` are by game. */
export function meetingsOf({ field, game, at, drawn, share }: PairList, weights: ArrayLike<number>): Meetings {
  const wins = new Float64Array(field * field)
  const draws = new Float64Array(field * field)
  for (let p = 0; p < game.length; p++) {
    const weight = (weights[game[p] as number] ?? 0) * (share[p] as number)
    const here = at[p] as number
    if (drawn[p] === 0) wins[here] = (wins[here] as number) + weight
    else {
      const mirrored = (here % field) * field + Math.floor(here / field)
      draws[here] = (draws[here] as number) + weight
      draws[mirrored] = (draws[mirrored] as number) + weight
    }
  }
  return { field, wins, draws }
}

/**
 * What i scores against j on average: a win 1, a draw ½; ½ where they have not met, and against itself. This is the payoff
 * matrix of the equilibria, the dynamics and the last one standing.
 */
export function scoresOf({ field, wins, draws }: Meetings): readonly (readonly number[])[] {
  const scores: number[][] = []
  // Every resample comes through here: plain loops take a fifth of the time of callbacks.
  for (let i = 0; i < field; i++) {
    const row: number[] = []
    for (let j = 0; j < field; j++) {
      const won = wins[i * field + j] as number
      const half = draws[i * field + j] as number
      const n = won + half + (wins[j * field + i] as number)
      row.push(n > 0 && i !== j ? (won + half / 2) / n : 0.5)
    }
    scores.push(row)
  }
  return scores
}

/** The weights of the games in every uncertainty. */
export function weightsOf(games: readonly RatedGame[]): Float64Array {
  return Float64Array.from(games, ({ weight = 1, times = 1 }) => weight * times)
}

/** Throws a RangeError for a game that nobody of the field, or the same entrant twice, has played. */
export function checkGame({ entrants, place, weight = 1 }: RatedGame, field: number): void {
  const known = entrants.every((e) => Number.isInteger(e) && e >= 0 && e < field)
  const twice = entrants.length === 2 ? entrants[0] === entrants[1] : new Set(entrants).size < entrants.length
  if (entrants.length < 2 || place.length !== entrants.length || !known || twice) {
    throw new RangeError(`not a game of a field of ${field}: entrants ${entrants.join()}, places ${place.join()}`)
  }
  if (!(weight > 0 && weight <= 1)) throw new RangeError(`a game's weight is above 0 and at most 1, not ${weight}`)
}
