import { ELO, meritsOf, placesBy, bradleyTerry, studentInterval } from '../../src/stats/index.js'
import { stream } from '../../src/stats/stream.js'
import type { Row } from '../kit.js'
import { type Law, LAWS, played } from './laws.js'
import { coverage, times } from './rows.js'

const WORTH = { win: 1, draw: 0.5, loss: 0 }

/** What is said of points a game, their intervals and those of ranks; and of ranks by strength. */
export const points = (all: number): readonly Row[] => {
  const runs = Math.ceil(all / 2)
  return LAWS.filter(({ elo }) => elo.length > 2).flatMap((law) => {
    const luck = stream('points', law.name)
    const truth = pointsIn(law)
    const rows = times(runs, () => {
      const games = played(law, luck)
      const means = meritsOf(games, truth.length, WORTH)
      const within = truth.map((value, i) => {
        const [low, high] = studentInterval(means.of(i), 0.95) ?? [0, 1]
        return Number(low <= value && value <= high)
      })
      const ranks = [placesBy(means).ranks, bradleyTerry(games, truth.length).ranks()]
      return {
        held: mean(within),
        ranks: ranks.map((list) => mean(list.map(([a, b], i) => Number(a <= i + 1 && i + 1 <= b)))),
      }
    })
    const what = `${law.name}, ${law.games} games a pair`
    const isEqual = new Set(law.elo).size === 1
    const row = (name: string, of: readonly number[]): Row => coverage(`${name}, ${what}`, of)
    return [
      row(
        'points',
        rows.map((one) => one.held),
      ),
      // Equals have no ranks.
      ...(isEqual
        ? []
        : ['ranks by points', 'ranks by strength'].map((name, k) =>
            row(
              name,
              rows.map(({ ranks }) => ranks[k] ?? 0),
            ),
          )),
    ]
  })
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, x) => sum + x, 0) / numbers.length

/** By entrant: what it scores a game on average, against each of the others in either order of seats. */
function pointsIn({ elo, nu = 0, seat = 0 }: Law): readonly number[] {
  const score = (lead: number): number => {
    const [w, l] = [Math.exp(lead / ELO / 2), Math.exp(-lead / ELO / 2)]
    return (w + nu / 2) / (w + nu + l)
  }
  return elo.map((own, i) =>
    mean(elo.flatMap((other, j) => (i === j ? [] : (score(own - other + seat) + score(own - other - seat)) / 2))),
  )
}
