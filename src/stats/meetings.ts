import type { RatedGame } from './game.js'

/** How every two entrants did against each other, weighted: squares of field × field numbers, by rows. */
export interface Meetings {
  readonly field: number
  /** At [i · field + j]: what i won of j. */
  readonly wins: Float64Array
  /** Symmetric. */
  readonly draws: Float64Array
}

/** The pairs of all games in flat lists, so that a resample is a walk over numbers: those that were decided, and those that were drawn. */
export interface PairList {
  readonly field: number
  readonly decided: Cells
  readonly drawn: Cells
}

/** By pair: its game, [winner · field + loser] (of a draw either way, and then the other way), and its share of the game. */
interface Cells {
  readonly game: Int32Array
  readonly at: Int32Array
  readonly share: Float64Array
}

/**
 * Takes games apart into pairs. A game of k entrants has k(k − 1)/2 of them, which are not independent: each counts 2/k, so
 * that the game weighs as much as the k − 1 comparisons that order k entrants. Throws a RangeError for a game that is not one.
 */
export function pairsOf(games: readonly RatedGame[], field: number): PairList {
  const sizes = { decided: 0, drawn: 0 }
  games.forEach((game) => {
    checkGame(game, field)
    eachPair(game, (_a, _b, lead) => {
      if (lead === 0) sizes.drawn += 2
      else sizes.decided++
    })
  })
  const [decided, drawn] = [cells(sizes.decided), cells(sizes.drawn)]
  let [d, e] = [0, 0]
  games.forEach((game, g) => {
    const share = 2 / game.entrants.length
    eachPair(game, (a, b, lead) => {
      if (lead !== 0) put(decided, d++, g, lead > 0 ? a * field + b : b * field + a, share)
      else {
        put(drawn, e++, g, a * field + b, share)
        put(drawn, e++, g, b * field + a, share)
      }
    })
  })
  return { field, decided, drawn }
}

/** Calls for each two of a game, with by how many places the first of them is before the second. */
function eachPair({ entrants, place }: RatedGame, call: (a: number, b: number, lead: number) => void): void {
  for (let i = 0; i < entrants.length; i++)
    for (let j = i + 1; j < entrants.length; j++)
      call(entrants[i] as number, entrants[j] as number, (place[j] as number) - (place[i] as number))
}

const cells = (size: number): Cells => ({
  game: new Int32Array(size),
  at: new Int32Array(size),
  share: new Float64Array(size),
})

function put({ game, at, share }: Cells, p: number, ofGame: number, cell: number, part: number): void {
  game[p] = ofGame
  at[p] = cell
  share[p] = part
}

const noMeetings = (field: number): Meetings => ({
  field,
  wins: new Float64Array(field * field),
  draws: new Float64Array(field * field),
})

/** Adds the pairs up; `weights` are by game. `into`: what is used up for it, so that a resample needs no fresh memory. */
export function meetingsOf(
  { field, decided, drawn }: PairList,
  weights: ArrayLike<number>,
  into: Meetings = noMeetings(field),
): Meetings {
  const { wins, draws } = into
  addUp(decided, weights, wins.fill(0))
  addUp(drawn, weights, draws.fill(0))
  return into
}

function addUp({ game, at, share }: Cells, weights: ArrayLike<number>, sums: Float64Array): void {
  for (let p = 0; p < game.length; p++) {
    const here = at[p] as number
    sums[here] = (sums[here] as number) + (weights[game[p] as number] ?? 0) * (share[p] as number)
  }
}

/**
 * What i scores against j on average: a win 1, a draw ½; ½ where they have not met, and against itself. This is the payoff
 * matrix of the equilibria, the dynamics and the last one standing.
 */
export function scoresOf(meetings: Meetings): readonly (readonly number[])[] {
  const { field } = meetings
  const table = scoreTable(meetings, new Float64Array(field * field))
  return Array.from({ length: field }, (_, i) => Array.from(table.subarray(i * field, (i + 1) * field)))
}

/** The same by rows, one after another, in `table`: every resample comes through here. */
export function scoreTable({ field, wins, draws }: Meetings, table: Float64Array): Float64Array {
  for (let i = 0; i < field; i++) {
    table[i * field + i] = 0.5
    for (let j = 0; j < i; j++) {
      const [here, there] = [i * field + j, j * field + i]
      const won = wins[here] as number
      const lost = wins[there] as number
      const half = draws[here] as number
      const n = won + half + lost
      table[here] = n > 0 ? (won + half / 2) / n : 0.5
      table[there] = n > 0 ? (lost + half / 2) / (lost + half + won) : 0.5
    }
  }
  return table
}

/** The weights of the games in every uncertainty. */
export function weightsOf(games: readonly RatedGame[]): Float64Array {
  return Float64Array.from(games, ({ weight = 1, times = 1 }) => weight * times)
}

/** Throws a RangeError for a game of an entrant that is not in the field, or with the same entrant twice. */
export function checkGame({ entrants, place, weight = 1 }: RatedGame, field: number): void {
  const known = entrants.every((e) => Number.isInteger(e) && e >= 0 && e < field)
  const twice = entrants.length === 2 ? entrants[0] === entrants[1] : new Set(entrants).size < entrants.length
  if (entrants.length < 2 || place.length !== entrants.length || !known || twice) {
    throw new RangeError(`not a game of a field of ${field}: entrants ${entrants.join()}, places ${place.join()}`)
  }
  if (!(weight > 0 && weight <= 1)) throw new RangeError(`a game's weight is above 0 and at most 1, not ${weight}`)
}
