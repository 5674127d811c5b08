import { describe, expect, it } from 'vitest'
import { stream } from './stream.js'
import { MeanTest } from './mean-test.js'

describe('a sequential test of a mean difference', () => {
  const decide = (draw: (n: number) => number, most: number, test: MeanTest) => {
    for (let n = 0; n < most; n++) if (test.add(draw(n)).state().decision !== 'undecided') break
    return test.state()
  }

  it('decides for who has more, one way and the other, with bounds and without', () => {
    for (const bounds of [undefined, { min: 0, max: 4 }]) {
      const luck = stream('mean test')
      const up = decide(() => 1 + 2 * (luck.uniform() - 0.5), 400, new MeanTest({}, bounds))
      expect(up).toMatchObject({ decision: 'H1', exact: bounds !== undefined })
      const down = decide(() => -1 + 2 * (luck.uniform() - 0.5), 400, new MeanTest({}, bounds))
      expect(down.decision).toBe('H0')
      expect(down.mean).toBeLessThan(0)
    }
  })

  it('is not misled by a rare score that outweighs the others, before it has come up', () => {
    // Nine times of ten a chip is lost, and then fifteen are won: 0.6 a block.
    const state = decide((n) => (n % 10 === 9 ? 15 : -1), 5000, new MeanTest({}))
    expect(state.decision).toBe('H1')
    expect(new MeanTest({}).add(-1).add(-1).add(-1).state().decision).toBe('undecided')
  })

  it('calls equals wrongly in no more than a share of 5 % each', () => {
    let wrong = 0
    for (let run = 0; run < 100; run++) {
      const luck = stream('equals', run)
      if (
        decide(() => luck.uniform() - luck.uniform(), 60, new MeanTest({}, { min: 0, max: 1 })).decision !== 'undecided'
      )
        wrong++
    }
    // 10 % and three standard errors.
    expect(wrong).toBeLessThanOrEqual(10 + 3 * Math.sqrt(100 * 0.1 * 0.9))
  })

  it('with a margin decides against who is no better, and refuses one that cannot be', () => {
    const luck = stream('margin')
    const draw = () => luck.uniform() - luck.uniform()
    expect(decide(draw, 3000, new MeanTest({ margin: 0.3 }, { min: 0, max: 1 })).decision).toBe('H0')
    expect(() => new MeanTest({ margin: 2 }, { min: 0, max: 1 })).toThrow(RangeError)
  })
})
