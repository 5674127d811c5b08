import { stream, type Stream } from '../core/stream.js'
import { maximizeLines } from './davidson.js'
import { type Parameters, sizeOf } from './parameters.js'
import { type Laws, lawsOf, pairsIn, sumsOf, surpriseOf } from './fit-meetings.js'
import { type Line, type LineColumns, columnsOf } from './lines.js'
import { normalDraw } from './normal.js'

/** How the law of χ² differs from what theory has it: factors of its mean and of its variance. */
export interface Simulated {
  readonly meanBy: number
  readonly varianceBy: number
}

/** Fields that are played on paper: as many as take a second, of a large one at least so many, whose χ² hardly varies. */
const FIELDS = 200
const FEWEST = 20
const COST = 2e7
/** A step that promises less is a fit's last: what it leaves is not seen in any digit that counts. */
const TRUSTED = 1e-5
/** So many games are drawn one by one; of more, their numbers come from a normal law. */
const ONE_BY_ONE = 50

/** Plays the lines of a field again by these strengths, fits them, and sees how far they are from what is expected then. */
export function simulateSurprise(all: readonly Line[], parameters: Parameters, at: Float64Array): Simulated {
  const luck = stream('fit')
  // The same whatever the order of the games.
  const lines = columnsOf([...all].sort((x, y) => x.i - y.i || x.j - y.j))
  const pairs = pairsIn(lines, parameters.field)
  const laws = lawsOf(lines, parameters, at)
  const drawn: LineColumns = { ...lines, won: lines.won.slice(), drawn: lines.drawn.slice(), lost: lines.lost.slice() }
  const cost = 5 * (sizeOf(parameters) ** 3 / 6 + 60 * all.length)
  const fields = Math.min(FIELDS, Math.max(FEWEST, Math.floor(COST / cost)))
  let [sum, squares, mean, variance] = [0, 0, 0, 0]
  for (let f = 0; f < fields; f++) {
    playAgain(lines, laws, luck, drawn)
    const fitted = maximizeLines(drawn, parameters, { start: at, trusted: TRUSTED })
    const surprise = surpriseOf(sumsOf(drawn, pairs, parameters, fitted.at), () => 1)
    sum += surprise.chiSquare
    squares += surprise.chiSquare ** 2
    mean += surprise.mean
    variance += surprise.variance
  }
  const own = (squares - (sum * sum) / fields) / (fields - 1)
  return { meanBy: sum / mean, varianceBy: own / (variance / fields) }
}

/** Plays the games of all lines again, into `into`. They may have weights: then whole games are drawn, and weighed as these. */
function playAgain(lines: LineColumns, { win, draw }: Laws, luck: Stream, into: LineColumns): void {
  for (let k = 0; k < win.length; k++) {
    const n = (lines.won[k] as number) + (lines.drawn[k] as number) + (lines.lost[k] as number)
    const games = Math.max(1, Math.round(n))
    const wins = win[k] as number
    const won = successes(games, wins, luck)
    const drawn = wins < 1 ? successes(games - won, Math.min(1, (draw[k] as number) / (1 - wins)), luck) : 0
    const weight = n / games
    into.won[k] = won * weight
    into.drawn[k] = drawn * weight
    into.lost[k] = (games - won - drawn) * weight
  }
}

/** A binomial number. */
function successes(n: number, p: number, luck: Stream): number {
  if (n > ONE_BY_ONE && n * p * (1 - p) > 9) {
    const drawn = Math.round(n * p + Math.sqrt(n * p * (1 - p)) * normalDraw(luck))
    return Math.max(0, Math.min(n, drawn))
  }
  let count = 0
  for (let i = 0; i < n; i++) if (luck.uniform() < p) count++
  return count
}
