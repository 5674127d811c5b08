import { describe, expect, it } from 'vitest'
import { stream } from './stream.js'
import { MeanEvidence, meanInterval } from './betting.js'

const UNIT = { min: 0, max: 1 }
const wealth = (values: readonly number[], bounds = UNIT, mean = 0.5): number => {
  const evidence = new MeanEvidence(bounds, mean)
  for (const value of values) evidence.add(value)
  return Math.exp(evidence.log())
}
/** All sequences of so many of these items. */
const sequences = <T>(items: readonly T[], length: number): readonly (readonly T[])[] =>
  length === 0 ? [[]] : sequences(items, length - 1).flatMap((rest) => items.map((item) => [...rest, item]))

describe('evidence on a bounded mean', () => {
  it('is the arcsine mixture: its moments ½, 3/8, 5/16 are what one, two and three wins bring', () => {
    // (1 + f)^n with E f = 1/2, E f² = 3/8, E f³ = 5/16.
    expect(wealth([1])).toBeCloseTo(1.5, 12)
    expect(wealth([1, 1])).toBeCloseTo(1 + 1 + 3 / 8, 12)
    expect(wealth([1, 1, 1])).toBeCloseTo(1 + 3 / 2 + 9 / 8 + 5 / 16, 12)
    // A loss after a win: 1 − f².
    expect(wealth([1, 0])).toBeCloseTo(1 - 3 / 8, 12)
    expect(wealth([0.5, 0.5, 0.5])).toBeCloseTo(1, 12)
  })

  it.each([
    { law: 'a fair coin', items: [0, 1], chances: [0.5, 0.5], mean: 0.5 },
    { law: 'a rare prize', items: [0, 1], chances: [0.9, 0.1], mean: 0.1 },
    { law: 'three results', items: [0, 0.5, 1], chances: [0.2, 0.3, 0.5], mean: 0.65 },
  ])('is a fair game for $law, so its expectation stays 1', ({ items, chances, mean }) => {
    const expected = sequences(
      items.map((value, i) => ({ value, chance: chances[i] ?? 0 })),
      6,
    ).reduce(
      (sum, drawn) =>
        sum +
        drawn.reduce((product, { chance }) => product * chance, 1) *
          wealth(
            drawn.map(({ value }) => value),
            UNIT,
            mean,
          ),
      0,
    )
    expect(expected).toBeCloseTo(1, 10)
  })

  it('is no better than fair where only the mean of a run of values is what is tested', () => {
    // In turn from coins of 0.2 and 0.8.
    const expected = sequences([0, 1], 6).reduce(
      (sum, drawn) =>
        sum + drawn.reduce((product, x, i) => product * (x === (i % 2 === 0 ? 1 : 0) ? 0.2 : 0.8), 1) * wealth(drawn),
      0,
    )
    expect(expected).toBeLessThan(1)
  })

  it('forgets the order and the unit, and falls with the mean that is tested', () => {
    const drawn = [1, 0.25, 1, 0.75, 1, 0, 1, 1]
    expect(wealth([...drawn].reverse())).toBeCloseTo(wealth(drawn), 12)
    const scaled = drawn.map((x) => 40 * x - 30)
    expect(wealth(scaled, { min: -30, max: 10 }, -10)).toBeCloseTo(wealth(drawn), 10)
    expect(wealth(drawn, UNIT, 0.4)).toBeGreaterThan(wealth(drawn, UNIT, 0.6))
  })

  it('refuses what is no number within the bounds, and a mean that is none', () => {
    for (const value of [1.01, -0.01, NaN, Infinity]) expect(() => wealth([value])).toThrow(RangeError)
    expect(() => new MeanEvidence(UNIT, 0)).toThrow('the bounds 0 and 1')
    expect(() => new MeanEvidence(UNIT, NaN)).toThrow(RangeError)
  })

  it('errs as rarely as it promises however often one looks: skewed values whose mean is what is tested', () => {
    const luck = stream('betting')
    let wrong = 0
    for (let run = 0; run < 400; run++) {
      const evidence = new MeanEvidence(UNIT, 0.05)
      for (let n = 0; n < 200; n++) {
        evidence.add(luck.uniform() < 0.05 ? 1 : 0)
        if (evidence.log() < Math.log(20)) continue
        wrong++
        break
      }
    }
    // At most 5 %; two standard errors of 400 runs are 2.2 %.
    expect(wrong / 400).toBeLessThan(0.072)
  })
})

describe('the interval of a bounded mean', () => {
  it('is where the evidence against its ends is 2/α', () => {
    const drawn = [1, 1, 0.5, 1, 0, 1, 1, 1, 1, 0.5]
    const { low, high } = meanInterval(drawn, UNIT)
    expect(wealth(drawn, UNIT, low)).toBeCloseTo(40, 6)
    expect(
      wealth(
        drawn.map((x) => 1 - x),
        UNIT,
        1 - high,
      ),
    ).toBeCloseTo(40, 6)
    expect(meanInterval(new Map([[1, 7], [0.5, 2], [0, 1]]), UNIT)).toEqual({ low, high }) // prettier-ignore
    expect(meanInterval(drawn, UNIT, 0.5).low).toBeGreaterThan(low)
  })

  it('is all that can be before the first value', () => {
    expect(meanInterval([], { min: -2, max: 5 }).low).toBeCloseTo(-2, 9)
    expect(meanInterval([], { min: -2, max: 5 }).high).toBeCloseTo(5, 9)
  })
})
