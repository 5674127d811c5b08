import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alphaRank, stationary } from './payoffs.js'

const RPS = [
  [0.5, 0, 1],
  [1, 0.5, 0],
  [0, 1, 0.5],
]

describe('α-Rank', () => {
  it('gives rock, paper and scissors a third each', () => {
    for (const w of alphaRank(RPS)) expect(w).toBeCloseTo(1 / 3, 9)
  })

  it('finds the published distribution of five strategies of commitment', () => {
    // Han, Pereira, Santos and Lenaerts 2013; DeepMind's OpenSpiel is held to these values.
    const [r, t, p, s, delta, eps] = [1, 2, 0, -1, 4, 0.25]
    const payoffs = [
      [r - eps / 2, r - eps, 0, s + delta - eps, r - eps],
      [r, r, s, s, s],
      [0, t, p, p, p],
      [t - delta, t, p, p, p],
      [r, t, p, p, p],
    ]
    const expected = [0.40966787, 0.07959841, 0.20506998, 0.08505983, 0.2206039]
    alphaRank(payoffs, { intensity: 0.1, population: 20 }).forEach((w, i) => expect(w).toBeCloseTo(expected[i] ?? 0, 6))
  })

  it('has the closed form of two: odds of exp((m − 1) · α · gain) for a constant-sum game', () => {
    // ρ of gain u against ρ of −u is e^{(m−1)u}, u = α · m/(m − 1) · (score − ½).
    const [first = 0, second = 0] = alphaRank(
      [
        [0.5, 0.52],
        [0.48, 0.5],
      ],
      { intensity: 2, population: 10 },
    )
    expect(Math.log(first / second)).toBeCloseTo(9 * 2 * (10 / 9) * 0.02, 9)
  })

  it('leaves nothing to a bot that loses to all, and all to one that beats all', () => {
    const [best = 0, middle = 0, worst = 0] = alphaRank([
      [0.5, 0.9, 0.9],
      [0.1, 0.5, 0.9],
      [0.1, 0.1, 0.5],
    ])
    expect(best).toBeGreaterThan(0.999)
    expect(middle).toBeGreaterThan(worst)
  })

  it('knows only who beats whom, at this intensity: a lopsided cycle is shared too', () => {
    const weights = alphaRank([
      [0.5, 0.2, 0.9],
      [0.8, 0.5, 0.3],
      [0.1, 0.7, 0.5],
    ])
    for (const w of weights) expect(Math.abs(w - 1 / 3)).toBeLessThan(0.03)
  })

  it('is a distribution that permutes with the entrants', () => {
    const square = fc.integer({ min: 1, max: 6 }).chain((n) =>
      fc.array(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: n, maxLength: n }), {
        minLength: n,
        maxLength: n,
      }),
    )
    fc.assert(
      fc.property(square, (payoffs) => {
        const weights = alphaRank(payoffs, { intensity: 2 })
        expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9)
        const back = alphaRank(payoffs.map((row) => [...row].reverse()).reverse(), { intensity: 2 })
        weights.forEach((w, i) => expect(back[weights.length - 1 - i]).toBeCloseTo(w, 6))
      }),
    )
  })
})

describe('the stationary distribution', () => {
  it('is the one in which as much leaves a state as enters it', () => {
    const rate = fc.double({ min: 1e-12, max: 1, noNaN: true })
    const rates = fc
      .integer({ min: 1, max: 14 })
      .chain((n) => fc.array(fc.array(rate, { minLength: n, maxLength: n }), { minLength: n, maxLength: n }))
    fc.assert(
      fc.property(rates, (chain) => {
        const n = chain.length
        const weights = stationary(
          Float64Array.from(chain.flatMap((row, i) => row.map((each, j) => (i === j ? 0 : each)))),
          n,
        )
        expect(weights).toHaveLength(n)
        weights.forEach((w, i) => {
          let out = 0
          let into = 0
          for (let j = 0; j < n; j++) {
            if (i === j) continue
            out += w * (chain[i]?.[j] ?? 0)
            into += (weights[j] ?? 0) * (chain[j]?.[i] ?? 0)
          }
          expect(Math.abs(out - into)).toBeLessThan(1e-9 * out + 1e-15)
        })
      }),
    )
  })
})
