import { describe, expect, it } from 'vitest'
import { stream } from '../core/stream.js'
import { type Answers, likeness } from './index.js'

/** Bots that answer at random, of which the last copies the first with the given fidelity. */
const field = (bots: number, views: number, fidelity: number, seed: number): Answers => {
  const luck = stream('likeness', bots, views, seed)
  const answers = Array.from({ length: bots }, () => Array.from({ length: views }, () => 'abc'[luck.below(3)]))
  const copy = answers.at(-1) ?? []
  answers[0]?.forEach((answer, v) => {
    if (luck.uniform() < fidelity) copy[v] = answer
  })
  return answers
}

describe('likeness of behaviour', () => {
  it('has the exact distribution of a small case', () => {
    // Three bots, two of them alike on each of two views: two drawn at random agree on a view with 1/3.
    const [closest] = likeness([
      ['x', 'y'],
      ['x', 'y'],
      ['z', 'z'],
    ])
    expect(closest).toMatchObject({ pair: [0, 1], views: 2, agreement: 1 })
    expect(closest?.expected).toBeCloseTo(1 / 3, 12)
    expect(closest?.p).toBeCloseTo(1 / 9, 12)
    expect(closest?.adjusted).toBeCloseTo(1 / 3, 12)
  })

  it('finds a copy that differs now and then', () => {
    const [closest, next] = likeness(field(8, 200, 0.7, 1))
    expect(closest?.pair).toEqual([0, 7])
    expect(closest?.adjusted).toBeLessThan(1e-6)
    expect(next?.adjusted).toBeGreaterThan(0.05)
  })

  it('learns nothing from views on which everybody answers the same', () => {
    const same = Array.from({ length: 5 }, () => Array.from({ length: 50 }, () => 'x'))
    for (const { p, agreement } of likeness(same)) expect({ p, agreement }).toEqual({ p: 1, agreement: 1 })
  })

  it('compares on common views only, and two alone with nobody', () => {
    const [pair] = likeness([
      ['x', undefined, 'y'],
      ['x', 'z', 'n'],
    ])
    expect(pair).toMatchObject({ views: 2, agreement: 0.5, p: 1 })
    expect(likeness([['x'], [undefined]])).toMatchObject([{ views: 0, agreement: 0, p: 1 }])
  })

  it('accuses strangers as rarely as it says: 5 % of fields, or less', () => {
    let accused = 0
    for (let n = 0; n < 400; n++) {
      if ((likeness(field(5, 40, 0, n))[0]?.adjusted ?? 1) < 0.05) accused++
    }
    // Bonferroni's bound is on the safe side; 5 % and three standard errors is 8.3 %.
    expect(accused / 400).toBeLessThan(0.083)
  })
})
