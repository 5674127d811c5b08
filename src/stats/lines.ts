import type { RatedGame } from './game.js'
import { checkGame, type Meetings } from './meetings.js'

/** How often one won, drew and lost against another, weighted; `seated`: i sat first. */
export interface Line {
  readonly i: number
  readonly j: number
  readonly won: number
  readonly drawn: number
  readonly lost: number
  readonly seated: boolean
}

/**
 * Games taken apart into pairs (`pairsOf`), added up by who met. `seated`: by who sat first as well, which is so where all games are of
 * two and at least half of them are of pairs that met in both orders of seats: in the others seat and strength cannot be separated. Nor is
 * it so where one and the same seat won all that were decided, as in a list of winners and losers. Throws a RangeError for a game that is not one.
 */
export function linesOf(
  games: readonly RatedGame[],
  field: number,
): { readonly lines: readonly Line[]; readonly seated: boolean } {
  const counts = new Map<number, { won: number; drawn: number; lost: number }>()
  for (const game of games) {
    checkGame(game, field)
    const { entrants, place, weight = 1, times = 1 } = game
    const share = (2 / entrants.length) * weight * times
    for (let s = 0; s < entrants.length; s++) {
      for (let t = s + 1; t < entrants.length; t++) {
        const lead = (place[t] as number) - (place[s] as number)
        const key = (entrants[s] as number) * field + (entrants[t] as number)
        let line = counts.get(key)
        if (line === undefined) counts.set(key, (line = { won: 0, drawn: 0, lost: 0 }))
        if (lead > 0) line.won += share
        else if (lead < 0) line.lost += share
        else line.drawn += share
      }
    }
  }
  const all: Line[] = []
  let both = 0
  let whole = 0
  for (const [key, { won, drawn, lost }] of counts) {
    const [i, j] = [Math.floor(key / field), key % field]
    all.push({ i, j, won, drawn, lost, seated: true })
    whole += won + drawn + lost
    if (counts.has(j * field + i)) both += won + drawn + lost
  }
  const either = all.some(({ won }) => won > 0) && all.some(({ lost }) => lost > 0)
  const seated = either && both >= whole / 2 && games.every(({ entrants }) => entrants.length === 2)
  return { lines: seated ? all : unseated(all, field), seated }
}

/** The lines of a table of meetings, which does not hold who sat where. */
export function linesOfMeetings({ field, wins, draws }: Meetings): readonly Line[] {
  const lines: Line[] = []
  for (let i = 0; i < field; i++) {
    for (let j = i + 1; j < field; j++) {
      const won = wins[i * field + j] as number
      const lost = wins[j * field + i] as number
      const drawn = draws[i * field + j] as number
      if (won + drawn + lost > 0) lines.push({ i, j, won, drawn, lost, seated: false })
    }
  }
  return lines
}

/** Both orders of a pair as one line. */
function unseated(lines: readonly Line[], field: number): readonly Line[] {
  const pairs = new Map<number, Line>()
  for (const line of lines) {
    const { i, j, won, drawn, lost } = line.i < line.j ? line : turned(line)
    const known = pairs.get(i * field + j) ?? { won: 0, drawn: 0, lost: 0 }
    const sum = { won: known.won + won, drawn: known.drawn + drawn, lost: known.lost + lost }
    pairs.set(i * field + j, { i, j, ...sum, seated: false })
  }
  return [...pairs.values()]
}

const turned = ({ i, j, won, drawn, lost, seated }: Line): Line => ({ i: j, j: i, won: lost, drawn, lost: won, seated })

/** Lines as columns of numbers: those of a large field are gone through thousands of times. */
export interface LineColumns {
  readonly i: Int32Array
  readonly j: Int32Array
  readonly won: Float64Array
  readonly drawn: Float64Array
  readonly lost: Float64Array
  /** 1 where i sat first. */
  readonly seated: Uint8Array
}

export function columnsOf(lines: readonly Line[]): LineColumns {
  const numbers = (): Float64Array => new Float64Array(lines.length)
  const places = (): Int32Array => new Int32Array(lines.length)
  const columns = { i: places(), j: places(), won: numbers(), drawn: numbers(), lost: numbers() }
  const seated = new Uint8Array(lines.length)
  lines.forEach((line, k) => {
    columns.i[k] = line.i
    columns.j[k] = line.j
    columns.won[k] = line.won
    columns.drawn[k] = line.drawn
    columns.lost[k] = line.lost
    seated[k] = line.seated ? 1 : 0
  })
  return { ...columns, seated }
}
