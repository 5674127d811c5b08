import { expect, it } from 'vitest'
import { halfOf } from './entrants.js'

it('tells half of an interval, or the one end that it has', () => {
  expect(halfOf({ low: -20, high: 60 })).toEqual({ half: 40 })
  expect(halfOf({ low: -Number.MAX_VALUE, high: -151.6 })).toEqual({ bound: { below: -152 } })
  expect(halfOf({ low: 88.2, high: Number.MAX_VALUE })).toEqual({ bound: { above: 88 } })
  expect(halfOf({ low: -Number.MAX_VALUE, high: Number.MAX_VALUE })).toEqual({})
})
