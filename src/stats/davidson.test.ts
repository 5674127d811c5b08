import fc from 'fast-check'
import { expect, it } from 'vitest'
import { davidson, maximizeLines } from './davidson.js'
import { leadOf, termOf, type Parameters, seatAt, sizeOf } from './terms.js'
import type { Line } from './lines.js'

const FIELD = 5

const line = fc.record({
  i: fc.integer({ min: 0, max: FIELD - 1 }),
  j: fc.integer({ min: 0, max: FIELD - 1 }),
  won: fc.integer({ min: 0, max: 9 }),
  drawn: fc.integer({ min: 0, max: 9 }),
  lost: fc.integer({ min: 0, max: 9 }),
  seated: fc.boolean(),
})
const lines = fc.array(
  line.filter(({ i, j }) => i !== j),
  { minLength: 1, maxLength: 20 },
)
const kinds: readonly Omit<Parameters, 'field'>[] = [
  { drawn: true, seated: true },
  { drawn: true, seated: false },
  { drawn: false, seated: false },
]

/** Of the lines alone: without the priors. */
function evaluated(games: readonly Line[], parameters: Parameters, at: Float64Array) {
  const size = sizeOf(parameters)
  const look = (list: readonly Line[]) => {
    const [gradient, information] = [new Float64Array(size), new Float64Array(size * size)]
    return { value: davidson(list, parameters)(at, gradient, information), gradient, information }
  }
  const [all, none] = [look(games), look([])]
  return {
    value: all.value - none.value,
    gradient: all.gradient.map((x, k) => x - (none.gradient[k] ?? 0)),
    information: all.information.map((x, k) => x - (none.information[k] ?? 0)),
  }
}

it.each([
  ['near each other', 3],
  ['so far apart that no power of e can hold it', 1400],
])('the likelihood is the sum of its terms, of strengths that are %s', (_, reach) => {
  const at = fc.array(fc.double({ min: -reach, max: reach, noNaN: true }), { minLength: 7, maxLength: 7 })
  fc.assert(
    fc.property(lines, at, fc.constantFrom(...kinds), (list, all, kind) => {
      const parameters = { field: FIELD, ...kind }
      const games = kind.drawn ? list : list.map((one) => ({ ...one, drawn: 0 }))
      const point = Float64Array.from(all.slice(0, sizeOf(parameters)))
      if (kind.drawn) point[FIELD] = (point[FIELD] ?? 0) / reach
      const eta = kind.drawn ? (point[FIELD] ?? 0) : -Infinity
      const found = evaluated(games, parameters, point)
      let value = 0
      const gradient = new Float64Array(point.length)
      let bends = 0
      for (const one of games) {
        const term = termOf(one, leadOf(one, point, seatAt(parameters)), eta)
        value += term.value
        gradient[one.i] = (gradient[one.i] ?? 0) + term.slope
        gradient[one.j] = (gradient[one.j] ?? 0) - term.slope
        bends += 2 * term.bend
      }
      const scale = 1 + Math.abs(value)
      expect(Math.abs(found.value - value) / scale).toBeLessThan(1e-12)
      let diagonal = 0
      for (let i = 0; i < FIELD; i++) {
        expect(found.gradient[i]).toBeCloseTo(gradient[i] ?? 0, 9)
        diagonal += found.information[i * point.length + i] ?? 0
      }
      expect(diagonal).toBeCloseTo(bends, 9)
      for (let i = 0; i < point.length; i++)
        for (let j = 0; j < i; j++)
          expect(found.information[i * point.length + j]).toBe(found.information[j * point.length + i])
    }),
  )
})

it('a last step that is not looked at leads where it would have led', () => {
  fc.assert(
    fc.property(lines, (games) => {
      const parameters = { field: FIELD, drawn: true, seated: true }
      const [exact, quick] = [0, 1e-5].map((trusted) => maximizeLines(games, parameters, { trusted }).at)
      exact?.forEach((x, k) => expect(quick?.[k]).toBeCloseTo(x, 3))
    }),
  )
})
