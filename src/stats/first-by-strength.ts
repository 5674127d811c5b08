import { stream } from '../core/stream.js'
import { blockEffects } from './block-effects.js'
import { maximizeLines } from './davidson.js'
import { type Probability, firstAmong, SPREADS, type SpreadModel } from './first-place.js'
import type { RatedGame } from './game.js'
import { type Line, linesOf } from './lines.js'
import { normalDraw } from './normal.js'
import { parametersOf } from './terms.js'
import type { addPrior } from './priors.js'

/** What strengths are usually spread by, in logarithms of odds: 174 Elo. */
const USUAL = 1
/** No field is taken to have less: then all are equal. */
const LEAST = 0.01

/**
 * How probable it is that each entrant is the strongest by Bradley and Terry's model, with draws and seats: strengths are taken to be
 * spread normally, how widely being unknown (`firstAmong`). For each spread they have the law that the likelihood and the spread give
 * them, normal about its maximum, and its evidence is Laplace's. A pair's results count by what its blocks of equal luck vary by.
 */
export function firstByStrength(games: readonly RatedGame[], field: number, seed: string): readonly Probability[] {
  const { lines, seated } = linesOf(games, field)
  const effects = blockEffects(games, field)
  const weighed = lines.map((line): Line => {
    const by = 1 / effects.of(line.i, line.j)
    return { ...line, won: line.won * by, drawn: line.drawn * by, lost: line.lost * by }
  })
  const parameters = parametersOf(lines, field, seated)
  let start: Float64Array | undefined
  const models = SPREADS.map((spread): SpreadModel => {
    const width = Math.max(LEAST, spread * USUAL)
    const { at, factor, value } = maximizeLines(weighed, parameters, { prior: normal(width), start })
    start = at
    const { size, lower } = factor
    let evidence = value - field * Math.log(width)
    for (let i = 0; i < size; i++) evidence -= Math.log(lower[i * size + i] as number)
    // An equal field has no first.
    if (spread === 0) return { evidence, draw: () => new Float64Array(field) }
    return {
      evidence,
      draw(luck) {
        // x = at + L⁻ᵀ·z has the covariance (L·Lᵀ)⁻¹.
        const x = Float64Array.from({ length: size }, () => normalDraw(luck))
        for (let i = size - 1; i >= 0; i--) {
          x[i] = (x[i] as number) / (lower[i * size + i] as number)
          for (let k = 0; k < i; k++) x[k] = (x[k] as number) - (lower[i * size + k] as number) * (x[i] as number)
        }
        return x.map((off, i) => (at[i] as number) + off)
      },
    }
  })
  return firstAmong(field, models, stream('first by strength', seed))
}

/** The prior of strengths that are spread normally about 0. */
const normal =
  (width: number): typeof addPrior =>
  (field, at, gradient, information) => {
    let value = 0
    for (let i = 0; i < field; i++) {
      const off = (at[i] as number) / width
      value -= (off * off) / 2
      gradient[i] = (gradient[i] as number) - off / width
      information[i * at.length + i] = (information[i * at.length + i] as number) + 1 / (width * width)
    }
    return value
  }
