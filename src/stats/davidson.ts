import { type RatedGame, checkGame, hasBlocks } from './game.js'
import type { StrengthModel } from './strengths.js'

interface Davidson extends StrengthModel {
  /** Which parameter the first seat is worth; −1: no seats. */
  readonly seat: number
  /** Of i, who sits first, against j. */
  chances(at: ArrayLike<number>, i: number, j: number): Chances
}

/** How often i, sitting first, won, drew and lost against j, weighted. */
interface Line {
  readonly i: number
  readonly j: number
  won: number
  drawn: number
  lost: number
}

/** ln ν, and the first seat's worth, are within some of these of 0: one is e times the odds, or 174 Elo. */
const READY = 4
const SEAT = 2

/**
 * Bradley and Terry's model with draws after Davidson (1970) and the first seat's advantage after Davidson and Beaver
 * (1977): i, first, beats j, draws, or loses as π_i·γ : ν·√(π_i·γ·π_j) : π_j, and θ = ln π. The likelihood is concave
 * in (θ, ln ν, ln γ). ln ν is a parameter if games are drawn, ln γ if all are of two with seats, which a list of
 * winners lacks. A game of k > 2 counts as its pairs, 2/k each: together k − 1, the comparisons that order k. Throws
 * RangeError for what is no game.
 */
export function davidson(games: readonly RatedGame[], field: number): Davidson {
  const lines = linesOf(games, field)
  const isDrawn = lines.some(({ drawn }) => drawn > 0)
  const isOfTwo = games.every(({ entrants }) => entrants.length === 2)
  const isSeated = isOfTwo && (hasBlocks(games) || haveSeats(lines))
  const ready = isDrawn ? field : -1
  const seat = isSeated ? field + Number(isDrawn) : -1
  const size = field + Number(isDrawn) + Number(isSeated)
  const chances = (at: ArrayLike<number>, i: number, j: number): Chances => {
    const lead = (at[i] as number) - (at[j] as number) + (isSeated ? (at[seat] as number) : 0)
    const eta = isDrawn ? (at[ready] as number) : -Infinity
    // Exponents from their greatest: no overflow.
    const top = Math.max(Math.abs(lead / 2), eta)
    const [win, draw, loss] = [Math.exp(lead / 2 - top), Math.exp(eta - top), Math.exp(-lead / 2 - top)]
    const sum = win + draw + loss
    return { win: win / sum, draw: draw / sum, loss: loss / sum }
  }
  return {
    field,
    size,
    seat,
    chances,
    likelihood(at, gradient, information) {
      const add = (row: number, column: number, value: number): void => {
        const cell = row * size + column
        information[cell] = (information[cell] as number) + value
      }
      const both = (row: number, column: number, value: number): void => {
        add(row, column, value)
        add(column, row, value)
      }
      const push = (k: number, value: number): void => void (gradient[k] = (gradient[k] as number) + value)
      let sum = 0
      for (const { i, j, won, drawn, lost } of lines) {
        const n = won + drawn + lost
        const { win, draw, loss } = chances(at, i, j)
        const slope = (won - lost - n * (win - loss)) / 2
        const bend = (n * (win + loss - (win - loss) ** 2)) / 4
        sum += won * ln(win) + drawn * ln(draw) + lost * ln(loss)
        push(i, slope)
        push(j, -slope)
        add(i, i, bend)
        add(j, j, bend)
        both(i, j, -bend)
        const cross = (-n * draw * (win - loss)) / 2
        if (isSeated) {
          push(seat, slope)
          add(seat, seat, bend)
          both(seat, i, bend)
          both(seat, j, -bend)
        }
        if (!isDrawn) continue
        push(ready, drawn - n * draw)
        add(ready, ready, n * draw * (1 - draw))
        both(ready, i, cross)
        both(ready, j, -cross)
        if (isSeated) both(ready, seat, cross)
      }
      return sum
    },
    spreads: [...(isDrawn ? [READY] : []), ...(isSeated ? [SEAT] : [])],
    residuals(game, at) {
      const off = game.entrants.map(() => 0)
      eachPair(game, (s, t, lead) => {
        const { win, loss } = chances(at, game.entrants[s] as number, game.entrants[t] as number)
        const above = Math.sign(lead) / 2 - (win - loss) / 2
        off[s] = (off[s] as number) + above
        off[t] = (off[t] as number) - above
      })
      return off
    },
  }
}

/**
 * Whether games have seats, if nothing else says: half are of pairs that met in both orders, and either seat won some.
 */
function haveSeats(lines: readonly Line[]): boolean {
  const count = (list: readonly Line[]): number =>
    list.reduce((sum, { won, drawn, lost }) => sum + won + drawn + lost, 0)
  const orders = new Set(lines.map(({ i, j }) => `${i} ${j}`))
  const both = lines.filter(({ i, j }) => orders.has(`${j} ${i}`))
  const either = lines.some(({ won }) => won > 0) && lines.some(({ lost }) => lost > 0)
  return either && count(both) >= count(lines) / 2
}

/** Of who sits first. */
interface Chances {
  readonly win: number
  readonly draw: number
  readonly loss: number
}

/** The logarithm of a chance that rounding may have made 0. */
const ln = (chance: number): number => Math.log(Math.max(chance, 1e-300))

/** Games as pairs, added up by who sat before whom. */
function linesOf(games: readonly RatedGame[], field: number): readonly Line[] {
  const lines = new Map<number, Line>()
  for (const game of games) {
    checkGame(game, field)
    const { entrants, weight = 1, times = 1 } = game
    const share = (2 / entrants.length) * weight * times
    eachPair(game, (s, t, lead) => {
      const [i, j] = [entrants[s] as number, entrants[t] as number]
      const line = lines.get(i * field + j) ?? { i, j, won: 0, drawn: 0, lost: 0 }
      lines.set(i * field + j, line)
      if (lead > 0) line.won += share
      else if (lead < 0) line.lost += share
      else line.drawn += share
    })
  }
  return [...lines.values()]
}

/** Calls for every two seats of a game, not of one team, with how many places the earlier one is ahead. */
function eachPair({ place, team }: RatedGame, call: (s: number, t: number, lead: number) => void): void {
  for (let s = 0; s < place.length; s++)
    for (let t = s + 1; t < place.length; t++)
      if (team === undefined || team[s] !== team[t]) call(s, t, (place[t] as number) - (place[s] as number))
}
