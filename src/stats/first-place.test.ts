import { describe, expect, it } from 'vitest'
import { playedByTwo, roundRobinOf } from '../../test/kit/players.js'
import { stream } from '../core/stream.js'
import { type Probability, firstByPoints, firstByStrength, firstOf, fitOf, meritsOf, type RatedGame } from './index.js'
import { normalCdf } from './normal.js'

const WORTH = { win: 1, draw: 0.5, loss: 0 }

/** Errors that are independent, and of this variance. */
const alone = (variance: number) => (a: number, b: number) => (a === b ? variance : 0)
const none = alone(0)

const ends = (of: Probability = Number.NaN): readonly [number, number] => (typeof of === 'number' ? [of, of] : of)

describe('the first place', () => {
  it('is certain where values are known, and shared by equals', () => {
    expect(firstOf([3, 1, 3], none, 'x')).toEqual([0.5, 0, 0.5])
    expect(firstOf([1, 1], none, 'x')).toEqual([0.5, 0.5])
    expect(firstOf([Number.NaN, 2], none, 'x')).toEqual([Number.NaN, 1])
  })

  it('goes by the errors: a lead of five standard errors is all but certain, none is a half', () => {
    const covariance = alone(0.5)
    expect(ends(firstOf([0, 5], covariance, 'x')[1])[0]).toBeGreaterThan(0.9)
    expect(Math.abs((firstOf([2, 2], covariance, 'x')[0] as number) - 0.5)).toBeLessThan(0.03)
  })

  it('is between what the plausible spreads say, where the values do not tell which it is', () => {
    // By hand: errors of variance 1, a spread σ. Values shrink by σ²/(1 + σ²), and so does the variance about them.
    const values = [0.9, 0.3, 0, -0.4]
    const covariance = alone(1)
    const mean = values.reduce((sum, x) => sum + x, 0) / 4
    const squares = values.reduce((sum, x) => sum + (x - mean) ** 2, 0)
    const evidence = (v: number) => -(3 * Math.log(v) + squares / v) / 2
    const best = Math.max(...Array.from({ length: 400 }, (_, k) => evidence(1 + k / 50)))
    const plausible = Array.from({ length: 4000 }, (_, k) => 1 + k / 50).filter((v) => evidence(v) >= best - 3.32)
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
    const said = firstOf(values, covariance, 'x')
    // Equals are plausible as well: then each is the first with ¼.
    const [low, high] = ends(said[0])
    expect(Math.abs(low - 0.25)).toBeLessThan(0.03)
    expect(Math.abs(high - first(0))).toBeLessThan(0.06)
    expect(first(0)).toBeGreaterThan(0.45)
  })

  it('is one figure where many games tell strengths apart, and not where a few of near equals do not', () => {
    const luck = stream('first')
    const field = (elo: readonly number[], games: number) =>
      roundRobinOf(elo.length, games).map((pair) => playedByTwo(luck, elo, pair, 0.3))
    const merits = (games: readonly RatedGame[]) => firstByPoints(meritsOf(games, 6, WORTH), 'x')
    const clear = field([500, 200, 100, 0, -100, -200], 60)
    for (const said of [firstByStrength(clear, 6, 'x'), merits(clear)]) {
      expect(said[0]).toBeGreaterThan(0.95)
      expect(said.reduce((sum: number, one) => sum + (one as number), 0)).toBeCloseTo(1, 1)
    }
    const open = field([20, 10, 0, 0, -10, -20], 4)
    for (const said of [firstByStrength(open, 6, 'x'), merits(open)]) {
      const leader = said.map(ends).sort(([, x], [, y]) => y - x)[0] ?? [1, 0]
      expect(leader[0]).toBeLessThan(0.22)
      expect(leader[1]).toBeGreaterThan(0.3)
    }
  })
})

describe('the fit of one strength for each', () => {
  const field = (elo: readonly number[], games: number, seed: string, seat = 0): RatedGame[] => {
    const luck = stream('fit', seed)
    return roundRobinOf(elo.length, games).map((pair) => playedByTwo(luck, elo, pair, 0, seat))
  }

  it('has p as often below one half as above in fields that it explains, also where few games tell a lot apart', () => {
    const laws = [
      { games: 2, elo: [300, 200, 100, -100, -200, -300], seat: 0 },
      { games: 10, elo: [150, 100, 50, -50, -100, -150], seat: 300 },
    ]
    const found = laws.map(({ games, elo, seat }, law) =>
      Array.from({ length: 25 }, (_, n) => fitOf(field(elo, games, `fit ${law} ${n}`, seat), 6)?.p ?? 0),
    )
    for (const ps of found) {
      const mean = ps.reduce((sum, p) => sum + p, 0) / ps.length
      // Three standard errors of 25 fields.
      expect(Math.abs(mean - 0.5)).toBeLessThan(0.17)
    }
  })

  it('is refused where there is a cycle, and names who is misjudged', () => {
    const games = [
      [0, 1],
      [1, 2],
      [2, 0],
    ].flatMap((entrants) =>
      Array.from({ length: 12 }, (_, n): RatedGame => ({ entrants, place: n < 11 ? [1, 2] : [2, 1] })),
    )
    const fit = fitOf(games, 3)
    expect(fit?.df).toBe(1)
    expect(fit?.p).toBeLessThan(1e-4)
    expect(fit?.explained).toBeLessThan(0.05)
    expect(fit?.pairs[0]?.scored).toBeCloseTo(11 / 12, 9)
    expect(fitOf(games.slice(0, 12), 3)).toBeUndefined()
  })
})
