import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepFreeze, randomMoves } from '../../kits/index.js'
import { below, newLuck } from '../../core/index.js'
import { OPTIONS } from './options.js'
import { negotiate } from './rules.js'
import type { State } from './rules.js'
import { settle } from './settle.js'

/** Every state of a random game of four. */
function game(seed: string, faults: number): readonly State[] {
  const states = [negotiate.setup(4, OPTIONS, newLuck(seed))]
  for (let state = states[0]; state && !negotiate.outcome(state); state = states.at(-1)) {
    states.push(
      negotiate.play(
        deepFreeze(state),
        randomMoves(negotiate, state, { seats: 4, text: `${seed}/${states.length}`, how: faults }),
      ),
    )
  }
  return states
}
const everyState = (check: (state: State, seed: string) => void): void =>
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 8 }), fc.constantFrom(0, 5), (seed, faults) => {
      for (const [n, state] of game(seed, faults).entries()) check(state, `${seed}/${n}`)
    }),
    { numRuns: 60 },
  )
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

describe('in every state of every game', () => {
  it('every daimyo has brought as much intimacy as the turns allow (rules 2.2, 2.3)', () => {
    everyState((state) => {
      const done = state.turn - 1
      const expected = 5 * Math.ceil(done / 2) + 4 * Math.floor(done / 2)
      for (let seat = 0; seat < 4; seat++) expect(sum(state.real.map((row) => row[seat] ?? 0))).toBe(expected)
    })
  })

  it('strengths are whole 24ths that cancel out: what one gains another loses (rule 3.1)', () => {
    everyState((state) => {
      expect(state.strength24.every(Number.isInteger)).toBe(true)
      expect(sum(state.strength24)).toBe(0)
    })
  })

  it('visible intimacies never exceed real ones, and visits add up to the night (rules 2.4, 2.5)', () => {
    everyState((state) => {
      state.open.forEach((row, lord) =>
        row.forEach((degree, seat) => expect(degree).toBeLessThanOrEqual(state.real[lord]?.[seat] ?? 0)),
      )
      expect(sum(state.visits)).toBe(state.turn > 1 && state.turn % 2 === 1 ? 8 : 0)
    })
  })
})

describe('nothing that is hidden shows', () => {
  it('to spread the concealed nights of others afresh changes no view (rule 5.3)', () => {
    let changed = 0
    everyState((state, seed) => {
      for (let seat = 0; seat < 4; seat++) {
        const other = conceal(state, seat, seed)
        changed += Number(JSON.stringify(other.real) !== JSON.stringify(state.real))
        expect(negotiate.view(other, seat)).toEqual(negotiate.view(state, seat))
      }
    })
    expect(changed).toBeGreaterThan(100)
  })
})

/** The same to a seat: others' concealed intimacies permuted among lords, their terminations turned over. */
function conceal(state: State, seat: number, text: string): State {
  const order = state.forces
    .map((_, lord) => lord)
    .sort((a, b) => below(2 ** 30, `${text}/${a}`) - below(2 ** 30, `${text}/${b}`))
  const real = state.real.map((row, lord) =>
    row.map((own, who) => {
      if (who === seat) return own
      const from = order[lord] ?? 0
      return (state.open[lord]?.[who] ?? 0) + (state.real[from]?.[who] ?? 0) - (state.open[from]?.[who] ?? 0)
    }),
  )
  return {
    ...state,
    luck: newLuck(text),
    real,
    terminated: state.terminated.map((out, who) => (who === seat ? out : !out)),
  }
}

describe('settling', () => {
  const rows = fc.array(fc.array(fc.nat({ max: 3 }), { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 6 })
  it('is fair: to swap two daimyo swaps their gains (rules 3.1, 3.2)', () => {
    fc.assert(
      fc.property(rows, (table) => {
        const forces = table.map((_, lord) => 3 + (lord % 4))
        const swapped = table.map(([a = 0, b = 0, ...rest]) => [b, a, ...rest])
        const [a = 0, b = 0, ...rest] = settle(forces, table)
        expect(settle(forces, swapped)).toEqual([b, a, ...rest])
      }),
    )
  })
})

describe('what a daimyo cannot know, dealt anew', () => {
  it('is who went where by night: lords have as many visits, and the daimyo sees the same', () => {
    let changed = 0
    everyState((state, seed) => {
      for (const seat of [0, 1, 2, 3]) {
        const other = negotiate.resample?.(state, seat, newLuck(`${seed}/${seat}`)) as State
        expect(negotiate.view(other, seat)).toEqual(negotiate.view(state, seat))
        const sums = ({ real }: State): readonly number[] => real.map((row) => row.reduce((a, b) => a + b, 0))
        expect(sums(other)).toEqual(sums(state))
        if (JSON.stringify(other.real) !== JSON.stringify(state.real)) changed++
      }
    })
    expect(changed).toBeGreaterThan(100)
  })
})
