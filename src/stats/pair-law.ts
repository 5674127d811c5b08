import { lnGamma } from './student.js'
import { davidson } from './davidson.js'
import { type Belief, atShare } from './first-place.js'
import type { RatedGame } from './game.js'
import { normalDraw } from './normal.js'
import { ratingsBy } from './strengths.js'
import type { Stream } from './stream.js'

/** The first of two's chances to win, draw and lose. */
export type Chances = readonly [win: number, draw: number, loss: number]

/** Gives what may come out if two entrants meet. */
export type PairChances = (first: number, second: number) => Chances

/** Laws of results, given that spread of strengths. */
export interface PairLaw extends Pick<Belief, 'share' | 'evidence'> {
  readonly law: (luck: Stream) => PairChances
}

/** Laws by spread of strengths; and, if not all may be the strongest, one with those that may as an own field. */
export interface PairLaws {
  readonly laws: readonly PairLaw[]
  readonly apart?: PairLaw['law']
}

/** How many games the strengths' word counts beside a pair's own, by how likely it makes the pairs' results. */
const WORDS = [2, 6, 20, 60, 200, 600, 10_000]

/**
 * What may come out if the same entrants meet again in games of two. A pair's chances are those by strengths
 * (`davidson`), mixed with its own results: where strengths explain the field by thousands of games of the former, else
 * by few. Each law draws one as the results leave it open.
 */
export function pairLaws(games: readonly RatedGame[], field: number): PairLaws {
  const model = davidson(games, field)
  const ratings = ratingsBy(model, games)
  const met = meetings(games, field)
  const likely = (parameters: ArrayLike<number>, i: number, j: number): Chances => {
    const { win, draw, loss } = model.chances(parameters, i, j)
    if (model.seat < 0) return [win, draw, loss]
    // In either order of seats alike.
    const turned = model.chances(parameters, j, i)
    return [(win + turned.loss) / 2, (draw + turned.draw) / 2, (loss + turned.win) / 2]
  }
  const words = wordsOf(met, field, (i, j) => likely(ratings.parameters, i, j))
  const apart = ratings.apart()
  return {
    laws: ratings.spreads.map(({ share, evidence, draw }) => ({
      share,
      evidence,
      law: (luck) => lawOf(draw(luck), luck),
    })),
    apart: apart && ((luck) => lawOf(apart(luck), luck)),
  }

  function lawOf(parameters: Float64Array, luck: Stream): PairChances {
    const { word } = atShare(words, luck.uniform())
    const drawn = new Map<number, Chances>()
    const of = (i: number, j: number): Chances => {
      const known = drawn.get(i * field + j)
      if (known) return known
      const counts = met.get(i * field + j) ?? [0, 0, 0]
      const fresh = dirichlet(
        likely(parameters, i, j).map((chance, k) => word * chance + (counts[k] as number)),
        luck,
      )
      drawn.set(i * field + j, fresh)
      return fresh
    }
    return (first, second) => {
      if (first < second) return of(first, second)
      const [win, draw, loss] = of(second, first)
      return [loss, draw, win]
    }
  }
}

/** By pair, the lesser number first: its wins, draws, losses. */
function meetings(games: readonly RatedGame[], field: number): ReadonlyMap<number, [number, number, number]> {
  const met = new Map<number, [number, number, number]>()
  for (const { entrants, place, weight = 1, times = 1 } of games) {
    const [first = 0, second = 0] = entrants
    const [i, j] = first < second ? [first, second] : [second, first]
    const counts = met.get(i * field + j) ?? [0, 0, 0]
    met.set(i * field + j, counts)
    const lead = Math.sign((place[1] as number) - (place[0] as number)) * (first === i ? 1 : -1)
    const at = (1 - lead) as 0 | 1 | 2
    counts[at] += weight * times
  }
  return met
}

/** `WORDS`, and each one's probability: by Dirichlet's and the multinomial law of each pair's results. */
function wordsOf(
  met: ReadonlyMap<number, readonly number[]>,
  field: number,
  likely: (i: number, j: number) => Chances,
): readonly { readonly word: number; readonly share: number }[] {
  const logs = WORDS.map((word) => {
    let sum = 0
    for (const [key, counts] of met) {
      const expected = likely(Math.floor(key / field), key % field)
      const n = counts.reduce((all, x) => all + x, 0)
      sum += lnGamma(word) - lnGamma(word + n)
      expected.forEach((chance, k) => {
        const prior = Math.max(1e-9, word * chance)
        sum += lnGamma(prior + (counts[k] as number)) - lnGamma(prior)
      })
    }
    return sum
  })
  const best = Math.max(...logs)
  const weights = logs.map((log) => Math.exp(log - best))
  const whole = weights.reduce((all, x) => all + x, 0)
  return WORDS.map((word, k) => ({ word, share: (weights[k] as number) / whole }))
}

function dirichlet(shapes: readonly number[], luck: Stream): Chances {
  const parts = shapes.map((shape) => gamma(shape, luck))
  const sum = parts.reduce((all, x) => all + x, 0)
  const [win = 0, draw = 0, loss = 0] = parts.map((part) => part / sum)
  return [win, draw, loss]
}

/** A number of this shape's gamma law (Marsaglia and Tsang 2000). */
function gamma(shape: number, luck: Stream): number {
  if (shape < 1) return gamma(shape + 1, luck) * (1 - luck.uniform()) ** (1 / Math.max(shape, 1e-9))
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = normalDraw(luck)
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(1 - luck.uniform()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v
  }
}
