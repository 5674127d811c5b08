import { describe, expect, it } from 'vitest'
import { stream } from '../stats/stream.js'
import { type Answers, likeness } from './index.js'

/** Bots that answer at random; the last copies the first with that fidelity. */
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
  it('expects of two what they would answer alike by chance: with halves of each, 1/4 + 1/4, and half of the rest', () => {
    const [pair] = likeness([
      ['x', 'x', 'y', 'y'],
      ['x', 'y', 'x', 'y'],
    ])
    expect(pair).toMatchObject({ pair: [0, 1], views: 4, agreement: 0.5, p: 1 })
    expect(pair?.expected).toBeCloseTo(0.75, 12)
  })

  it('finds a copy that differs now and then', () => {
    const [closest, next] = likeness(field(8, 200, 0.7, 1))
    expect(closest?.pair).toEqual([0, 7])
    expect(closest?.adjusted).toBeLessThan(1e-6)
    expect(next?.adjusted).toBeGreaterThan(0.05)
  })

  it('learns nothing from views on which everybody answers the same', () => {
    const same = Array.from({ length: 5 }, () => Array.from({ length: 50 }, () => 'x'))
    for (const { adjusted, agreement } of likeness(same))
      expect({ adjusted, agreement }).toEqual({ adjusted: 1, agreement: 1 })
  })

  it('compares on common views only, and does not where there are only two', () => {
    const [pair] = likeness([
      ['x', undefined, 'y'],
      ['x', 'z', 'n'],
    ])
    expect(pair).toMatchObject({ views: 2, agreement: 0.5, p: 1 })
    expect(likeness([['x'], [undefined]])).toMatchObject([{ views: 0, agreement: 0, p: 1 }])
  })

  /** Bots as often right as their skill says, 20 views a match; one may copy another but for 2 % of answers. */
  const skilled = (skills: readonly number[], seed: number, { hard = 0, copy = -1 } = {}) => {
    const luck = stream('skilled', skills.join(), seed)
    const answers = skills.map((): string[] => [])
    const matches: number[] = []
    for (let v = 0; v < 200; v++) {
      matches.push(Math.floor(v / 20))
      const ease = hard * (luck.uniform() - 0.5)
      const right = luck.below(4)
      skills.forEach((skill, bot) => {
        const p = 1 / (1 + Math.exp(-Math.log(skill / (1 - skill)) - ease))
        const answer = luck.uniform() < p ? right : (right + 1 + luck.below(3)) % 4
        answers[bot]?.push(bot === copy && luck.uniform() < 0.98 ? (answers[0]?.[v] ?? '') : String(answer))
      })
    }
    return likeness(answers, matches)
  }
  const unlike = [0.7, 0.95, 0.85, 0.7, 0.55, 0.4, 0.3, 0.25]

  it('accuses strangers as rarely as it promises, be they of unlike skill, on easy views and hard ones: 5 % of fields, or less', () => {
    for (const hard of [0, 4]) {
      let accused = 0
      for (let n = 0; n < 100; n++) if ((skilled(unlike, n, { hard })[0]?.adjusted ?? 1) < 0.05) accused++
      // 5 % and three standard errors of 100 fields is 11.5 %.
      expect(accused / 100).toBeLessThan(0.115)
    }
  })

  it('finds a copy among them', () => {
    let accused = 0
    for (let n = 0; n < 30; n++) {
      const [closest, next] = skilled(unlike, n, { copy: 3 })
      expect(closest?.pair).toEqual([0, 3])
      expect(closest?.adjusted).toBeLessThan(0.05)
      if ((next?.adjusted ?? 1) < 0.05) accused++
    }
    // 5 % and three standard errors of 30 fields is 17 %.
    expect(accused / 30).toBeLessThan(0.17)
  })

  it('accuses strangers as rarely as it promises: 5 % of fields, or less', () => {
    let accused = 0
    for (let n = 0; n < 400; n++) {
      if ((likeness(field(5, 40, 0, n))[0]?.adjusted ?? 1) < 0.05) accused++
    }
    // Bonferroni's bound is safe; 5 % and three standard errors are 8.3 %.
    expect(accused / 400).toBeLessThan(0.083)
  })
})
