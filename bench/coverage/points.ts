import { stream } from '../../src/core/stream.js'
import { type Bootstrap, ELO, bootstrap, byPoints } from '../../src/stats/index.js'
import type { Row } from '../kit.js'
import { type Law, LAWS, played } from './laws.js'
import { coverage, times } from './rows.js'

/** What the bootstrap says of points a game: their intervals, and those of ranks. */
export const points = (all: number): readonly Row[] => {
  const runs = Math.ceil(all / 2)
  return LAWS.filter(({ elo }) => elo.length > 2).flatMap((law) => {
    const luck = stream('points', law.name)
    const truth = pointsIn(law)
    const calls = times(runs, (n) => {
      const rule = byPoints({ win: 1, draw: 0.5, loss: 0 })
      return bootstrap(played(law, luck), truth.length, rule, { seed: String(n), resamples: 400 })
    })
    const what = `${law.name}, ${law.games} games a pair`
    const isEqual = new Set(law.elo).size === 1
    return [
      coverage(
        `points by the bootstrap, ${what}`,
        calls.map((one) => sharesOf(one, truth)),
      ),
      // Equals have no ranks.
      ...(isEqual
        ? []
        : [
            coverage(
              `ranks by the bootstrap, ${what}`,
              calls.map(({ ranks }) => mean(ranks.map(([best, worst], i) => Number(best <= i + 1 && i + 1 <= worst)))),
            ),
          ]),
    ]
  })
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, x) => sum + x, 0) / numbers.length

const sharesOf = ({ low, high }: Bootstrap, truth: readonly number[]): number =>
  mean(truth.map((value, i) => Number((low[i] ?? 0) <= value && value <= (high[i] ?? 0))))

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
