import { describe, expect, it } from 'vitest'
import { stream } from './stream.js'
import type { Probability } from './first-place.js'
import { type ScoredCompany, type ScoredGame, ScoredSums, scoredCompanies, scoredGamesOf } from './companies.js'
import { equalLuckOfScores } from './equal-luck.js'
import { placesBy, meansOf, probabilityAbove, studentInterval } from './means.js'
import { bootstrap } from './resample.js'
import { studentCdf, studentQuantile } from './student.js'

describe("Student's t", () => {
  it('has the published quantiles', () => {
    // Tables of the 97.5 % and 99.5 % points.
    for (const [confidence, df, t] of [
      [0.95, 1, 12.7062],
      [0.95, 5, 2.5706],
      [0.95, 30, 2.0423],
      [0.99, 10, 3.1693],
      [0.95, 1e6, 1.96],
    ] as const)
      expect(studentQuantile(confidence, df)).toBeCloseTo(t, 3)
    expect(studentCdf(1, 1)).toBeCloseTo(0.75, 12)
    expect(studentCdf(-2, 2)).toBeCloseTo(0.5 - 2 / (2 * Math.sqrt(6)), 12)
  })
})

const ends = (of: Probability = Number.NaN): readonly [number, number] => (typeof of === 'number' ? [of, of] : of)

const game = (entrants: readonly number[], scores: readonly number[], block: string): ScoredGame => ({
  entrants,
  scores,
  block,
})

describe('means', () => {
  it('of one pair without blocks are those of a paired t test', () => {
    // Student's own: the additional hours of sleep of ten patients (Biometrika 1908); t = 4.0621 with 9 degrees of freedom.
    const one = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]
    const other = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    const games = one.map((score, i) => game([0, 1], [score, other[i] ?? 0], String(i)))
    const means = meansOf(scoredCompanies(games), 2)
    const { value, variance, df } = means.difference(1, 0)
    expect([value, value / Math.sqrt(variance), df]).toEqual([expect.closeTo(1.58, 9), expect.closeTo(4.0621, 4), 9])
    expect(studentInterval(means.difference(1, 0), 0.95)).toEqual([
      expect.closeTo(0.7001, 4),
      expect.closeTo(2.4599, 4),
    ])
    expect(1 - (probabilityAbove(means.difference(1, 0)) ?? 0)).toBeCloseTo(0.002833 / 2, 5)
    expect(means.between(1, 0)?.value).toBeCloseTo(1.58, 9)
    expect(means.between(0, 2)).toBeUndefined()
  })

  it('vary by block: what a mirrored deal takes from one it gives back', () => {
    // Each deal is worth ±9 to the entrant that has it, and Bee gains 1 a match.
    const mirrored = [9, -9, 9, 9].flatMap((luck, deal) => [
      game([0, 1], [luck - 1, 1 - luck], `deal ${deal}`),
      game([1, 0], [luck + 1, -luck - 1], `deal ${deal}`),
    ])
    const means = meansOf(scoredCompanies(mirrored), 2)
    expect(means.of(1)).toMatchObject({ value: 1, variance: 0 })
    expect(equalLuckOfScores(mirrored)).toEqual({ effect: 0, blocks: 4 })
    const alone = mirrored.map((one, i) => ({ ...one, block: String(i) }))
    expect(meansOf(scoredCompanies(alone), 2).of(1).variance).toBeGreaterThan(9)
  })

  it('weigh matches, or companies alike; who has no game has no mean', () => {
    const games = [
      ...[4, 6].map((x, i) => game([0, 1], [x, 0], `a${i}`)),
      ...[1, 1, 1, 1].map((x, i) => game([0, 2], [x, 0], `b${i}`)),
    ]
    const companies = scoredCompanies(games)
    expect(meansOf(companies, 4).mean).toEqual([expect.closeTo(14 / 6, 12), 0, 0, Number.NaN])
    expect(meansOf(companies, 4, { weighing: 'companies' }).mean[0]).toBe(3)
  })

  it('of a single match borrow what the others have', () => {
    const single = [game([0, 1], [3, 1], 'x')]
    expect(studentInterval(meansOf(scoredCompanies(single), 2).of(0), 0.95)).toBeUndefined()
    expect(probabilityAbove(meansOf(scoredCompanies(single), 2).difference(0, 1))).toBeUndefined()
    const more = [...single, game([0, 2], [1, 0], 'y'), game([0, 2], [3, 0], 'z')]
    // Of the others a match has the variance (2 + 0) / 2 on average over its two members, and their scores none together.
    expect(meansOf(scoredCompanies(more), 3).between(0, 1)?.variance).toBe(2)
  })

  it('have two blocks of the others in their variance, so that a few equal ones are not certain', () => {
    const equal = ['a', 'b', 'c'].map((block) => game([0, 1], [5, 0], block))
    const others = ['d', 'e', 'f', 'g'].map((block, i) => game([1, 2], [i % 2 === 0 ? 1 : -1, 0], block))
    const means = meansOf(scoredCompanies([...equal, ...others]), 3)
    // Four blocks of ±1 on one side of two: 4/3 by 2 members, and nothing together. Of three equal blocks and two borrowed ones a
    // match has 2/4 of that, and so three of them together a third.
    const pool = 4 / 3 / 2
    expect(means.between(0, 1)).toMatchObject({
      variance: expect.closeTo((((2 / 4) * pool) / 3) * 2, 12) as number,
      // Two of its own, and a quarter of each borrowed one.
      df: 2.5,
    })
    const drawn = bootstrap(scoredCompanies([...equal, ...others]), (all) => [all[0]?.[0] ?? 0])
    const reach = (drawn.high[0] ?? 0) - (drawn.low[0] ?? 0)
    // 3.92 standard deviations, but for what 4,000 draws leave to chance.
    expect(Math.abs(reach - 3.92 * Math.sqrt(pool / 2 / 3))).toBeLessThan(0.3)
  })

  it('of very many blocks are drawn from some of them, as wide as from all', () => {
    const luck = stream('many blocks')
    const games = Array.from({ length: 2000 }, (_, i) => game([0, 1], [luck.uniform(), 0], String(i)))
    const companies = scoredCompanies(games)
    const { low, high } = bootstrap(companies, ([all]) => Array.from(all ?? []))
    const [from = 0, to = 0] = studentInterval(meansOf(companies, 2).of(0), 0.95) ?? []
    expect(((high[0] ?? 0) - (low[0] ?? 0)) / (to - from)).toBeCloseTo(1, 1)
  })

  it('are the same, added up one by one, in whatever order games come', () => {
    const games = ['x', 'y', 'z'].flatMap((block, i) => [
      game([0, 1], [0.1 * i, 0.7], block),
      game([1, 0], [0.3, i], block),
      game([2, 0], [i, -i], block),
    ])
    const added = (list: readonly ScoredGame[]) => {
      const sums = new ScoredSums()
      for (const one of list) sums.add(one)
      return sums.companies()
    }
    expect(added([...games].reverse())).toEqual(added(games))
    expect(added(games).map(({ members }) => members)).toEqual([
      [0, 1],
      [0, 2],
    ])
  })

  it('refuse what is no score', () => {
    expect(() => scoredCompanies([game([0, 1], [Number.NaN, 1], 'x')])).toThrow(RangeError)
    expect(() => bootstrap([], () => [])).toThrow(RangeError)
  })

  it('are read from results: who met itself has the mean of its seats', () => {
    const outcome = (score: readonly number[]) => ({ place: [1, 1], score, reason: '' })
    const games = scoredGamesOf(
      [
        { key: 'a', seats: [1, 0], outcome: outcome([5, 1]) },
        { key: 'b', seats: [1, 0], outcome: outcome([5, 1]) },
        { key: 'c', seats: [2, 2], outcome: outcome([4, 1]) },
        { key: 'd', seats: [0, 1], outcome: { place: [1, 2], reason: 'lost unplayed' } },
      ],
      { by: 'score', win: 1, draw: 0, loss: 0, ties: [] },
      { deal: ({ key }) => key },
    )
    expect(games).toEqual([
      { entrants: [1, 0], scores: [5, 1], block: '0-1/a' },
      { entrants: [1, 0], scores: [5, 1], block: '0-1/b' },
      { entrants: [2], scores: [2.5], block: '2-2/c' },
    ])
  })
})

describe('intervals of means', () => {
  /** A field of four whose true means are given, `blocks` mirrored deals a pair, a deal being worth as much as it is. */
  function tournament(truth: readonly number[], blocks: number, seed: string): ScoredGame[] {
    const luck = stream('coverage of means', seed)
    const noise = (): number => luck.uniform() + luck.uniform() + luck.uniform() - 1.5
    return truth.flatMap((mine, a) =>
      truth.slice(0, a).flatMap((theirs, b) =>
        Array.from({ length: blocks }, (_, deal) => {
          const shared = 4 * noise()
          return [1, -1].map((sign) => {
            const lead = mine - theirs + sign * shared + noise()
            const seats = sign === 1 ? [a, b] : [b, a]
            return game(seats, sign === 1 ? [lead, -lead] : [-lead, lead], `${a}-${b}/${deal}`)
          })
        }).flat(),
      ),
    )
  }

  it('hold the truth in 95 % of tournaments, give or take; the first place is as probable as it is computed to be', () => {
    const truth = [0.3, 0, 0, -0.3]
    const times = 150
    let held = 0
    let low = 0
    let high = 0
    let first = 0
    for (let n = 0; n < times; n++) {
      const companies = scoredCompanies(tournament(truth, 8, String(n)))
      const means = meansOf(companies, 4)
      const best = means.mean.indexOf(Math.max(...means.mean))
      const [least, most] = ends(placesBy(means).first[best])
      low += least
      high += most
      if (best === 0) first++
      truth.forEach((mean, e) => {
        // Against each of the others: the mean of the leads.
        const target = (4 * mean - truth.reduce((a, b) => a + b, 0)) / 3
        const [from, to] = studentInterval(means.of(e), 0.95) ?? [0, 0]
        if (from <= target && target <= to) held++
      })
    }
    expect(held / (4 * times)).toBeGreaterThan(0.92)
    expect(held / (4 * times)).toBeLessThan(0.985)
    expect(first).toBeGreaterThan(low - 0.1 * times)
    expect(first).toBeLessThan(high + 0.1 * times)
  })

  it('can be put together of pairs and of entrants that meet themselves, whose scores cannot vary', () => {
    const games = Array.from({ length: 6 }, (_, n) => [
      game([0, 1], [n % 3, -(n % 3)], `a${n}`),
      game([0, 2], [n % 2, -(n % 2)], `b${n}`),
      game([1, 2], [1, -1], `c${n}`),
      ...[0, 1, 2].map((e) => game([e], [0], `${e}${n}`)),
    ]).flat()
    const companies = scoredCompanies(games)
    for (const weighing of ['matches', 'companies'] as const) {
      const first = placesBy(meansOf(companies, 3, { weighing })).first
      expect(ends(first[0])[0]).toBeGreaterThan(0.6)
      expect(ends(first[0])[1]).toBeGreaterThan(0.9)
    }
  })

  it('of one whose variance is not known leave the others what is known of them', () => {
    // Cat was in a single match of three, and no other was of three.
    const games = [...[1, 2, 3].map((lead) => game([0, 1], [lead, -lead], `a${lead}`)), game([0, 1, 2], [2, 0, 1], 'b')]
    const first = placesBy(meansOf(scoredCompanies(games), 3)).first
    expect(first.flatMap(ends).every((p) => p >= 0 && p <= 1)).toBe(true)
    expect(ends(first[0])[1]).toBeGreaterThan(ends(first[1])[1])
  })

  it('leave nothing to say of equals: each is as likely the first', () => {
    const companies = scoredCompanies(
      [0, 1, 2].flatMap((n) => [game([0, 1], [1, -1], `x${n}`), game([1, 0], [1, -1], `x${n}`)]),
    )
    expect(placesBy(meansOf(companies, 2)).first).toEqual([0.5, 0.5])
  })
})

it('a bootstrap says how a ranking would have varied: 60 of 100 is 2 standard errors ahead', () => {
  const games = Array.from({ length: 100 }, (_, i) => game([0, 1], i < 60 ? [1, 0] : [0, 1], String(i)))
  const companies: readonly ScoredCompany[] = scoredCompanies(games)
  const { first, low, high, ranks } = bootstrap(companies, ([all]) => Array.from(all ?? []), { coin: 0.25 })
  expect((first[0] ?? 0) + (first[1] ?? 0)).toBeCloseTo(1, 9)
  // Φ(0.1 / (0.49 / √100)) = Φ(2.04) = 0.979.
  expect(Math.abs((first[0] ?? 0) - 0.979)).toBeLessThan(0.012)
  expect((high[0] ?? 0) - (low[0] ?? 0)).toBeCloseTo(2 * 1.96 * 0.049, 1)
  expect(ranks[0]).toEqual([1, 1])
})
