import { describe, expect, it } from 'vitest'
import { playedByTwo, roundRobinOf } from '../../test/kit/players.js'
import { stream } from './stream.js'
import { contendersApart, firstPlaces } from './first-place.js'
import { type Probability, type RatedGame, placesBy, bradleyTerry, meritsOf } from './index.js'
import { normalCdf } from './normal.js'

const WORTH = { win: 1, draw: 0.5, loss: 0 }

/** Errors that are independent, and of this variance. */
const alone = (variance: number) => (a: number, b: number) => (a === b ? variance : 0)
const none = alone(0)

const firstOf = (values: readonly number[], covariance: (a: number, b: number) => number) =>
  firstPlaces({ values, covariance })

const ends = (of: Probability = Number.NaN): readonly [number, number] => (typeof of === 'number' ? [of, of] : of)

describe('the first place', () => {
  it('is certain where values are known, and shared by equals', () => {
    expect(firstOf([3, 1, 3], none)).toEqual([0.5, 0, 0.5])
    expect(firstOf([1, 1], none)).toEqual([0.5, 0.5])
    expect(firstOf([Number.NaN, 2], none)).toEqual([Number.NaN, 1])
  })

  it('goes by the errors: a lead of five standard errors is all but certain, none is a half', () => {
    const covariance = alone(0.5)
    expect(ends(firstOf([0, 5], covariance)[1])[0]).toBeGreaterThan(0.9)
    expect(Math.abs((firstOf([2, 2], covariance)[0] as number) - 0.5)).toBeLessThan(0.03)
  })

  it('is between what the plausible spreads say, where the values do not tell which it is', () => {
    // By hand: errors of variance 1, a spread σ. Values shrink by σ²/(1 + σ²), and so does the variance about them.
    const values = [0.9, 0.3, 0, -0.4]
    const covariance = alone(1)
    const mean = values.reduce((sum, x) => sum + x, 0) / 4
    const squares = values.reduce((sum, x) => sum + (x - mean) ** 2, 0)
    const evidence = (v: number) => -(3 * Math.log(v) + squares / v) / 2
    const best = Math.max(...Array.from({ length: 400 }, (_, k) => evidence(1 + k / 50)))
    const plausible = Array.from({ length: 4000 }, (_, k) => 1 + k / 50).filter((v) => evidence(v) >= best - 1.92)
    const most = Math.max(...plausible)
    const shrunk = values.map((x) => Math.sqrt(1 - 1 / most) * x)
    const first = (e: number): number => {
      let p = 0
      for (let u = -8; u <= 8; u += 0.05) {
        const others = shrunk.reduce((all, x, i) => (i === e ? all : all * normalCdf(u + (shrunk[e] ?? 0) - x)), 1)
        p += 0.05 * Math.exp((-u * u) / 2) * others
      }
      return p / Math.sqrt(2 * Math.PI)
    }
    const said = firstOf(values, covariance)
    // Equals are plausible as well: then each is the first with ¼.
    const [low, high] = ends(said[0])
    expect(Math.abs(low - 0.25)).toBeLessThan(0.03)
    expect(Math.abs(high - first(0))).toBeLessThan(0.06)
    expect(first(0)).toBeGreaterThan(0.45)
  })

  it('of a field of two groups is shared by those at the top as a field of their own would share it', () => {
    // Two that are one standard error apart, far above six others, which tell nothing of how close such two are.
    const values = [1.2, 0, -20, -21, -22, -23, -24, -25]
    const [low, high] = ends(firstOf(values, alone(0.5))[0])
    expect(low).toBeLessThan(0.75)
    expect(high).toBeGreaterThan(0.8)
    expect(firstOf(values, alone(0.5)).slice(2)).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('is the same whoever stands where', () => {
    const values = [0.9, 0.3, 0, -0.4]
    const there = firstOf(values, alone(1))
    const near = [...there].reverse().map((of) => ends(of).map((end) => expect.closeTo(end, 6) as number))
    expect(firstOf([...values].reverse(), alone(1)).map(ends)).toEqual(near)
  })

  it('is one figure where many games tell strengths apart, and not where a few of near equals do not', () => {
    const luck = stream('first')
    const field = (elo: readonly number[], games: number) =>
      roundRobinOf(elo.length, games).map((pair) => playedByTwo(luck, elo, pair, 0.3))
    const merits = (games: readonly RatedGame[]) => placesBy(meritsOf(games, 6, WORTH)).first
    const clear = field([500, 200, 100, 0, -100, -200], 60)
    for (const said of [bradleyTerry(clear, 6).first(), merits(clear)]) {
      expect(said[0]).toBeGreaterThan(0.95)
      expect(said.reduce((sum: number, one) => sum + (one as number), 0)).toBeCloseTo(1, 1)
    }
    const open = field([20, 10, 0, 0, -10, -20], 4)
    for (const said of [bradleyTerry(open, 6).first(), merits(open)]) {
      const leader = said.map(ends).sort(([, x], [, y]) => y - x)[0] ?? [1, 0]
      expect(leader[0]).toBeLessThan(0.22)
      expect(leader[1]).toBeGreaterThan(0.3)
    }
  })
})

describe('those that may be the best, as a field of their own', () => {
  const apart = (values: readonly number[]) => contendersApart({ values, covariance: (a, b) => (a === b ? 0.02 : 0) })

  it('are drawn nearer to each other than they came out, and without those who cannot be', () => {
    const draw = apart([-3, 1.2, -3.1, 1, -2.9])
    const luck = stream('apart')
    let lead = 0
    for (let n = 0; n < 2000; n++) {
      const drawn = draw?.(luck) ?? []
      expect(drawn.map(({ entrant }) => entrant)).toEqual([1, 3])
      lead += ((drawn[0]?.value ?? 0) - (drawn[1]?.value ?? 0)) / 2000
    }
    expect(lead).toBeGreaterThan(0.02)
    expect(lead).toBeLessThan(0.15)
  })

  it('are not looked at if all may be', () => {
    expect(apart([1, 1.1, 0.9])).toBeUndefined()
  })
})
