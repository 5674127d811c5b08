import { expect, it } from 'vitest'
import type { Contest, FormatSpec } from '../core/index.js'
import samurai from '../games/samurai/index.js'
import { identityOf } from './identity.js'

it('a contest stays the same where its matches come at another pace, and no other where more of them are played', () => {
  const formatOf = (format: Partial<FormatSpec>): string | undefined => {
    const whole: FormatSpec = { kind: 'ladder', repetitions: 2, swap: true, playoff: 0, ...format }
    const contest = { options: {}, limits: {}, scoring: {}, format: whole } as unknown as Contest
    return identityOf(contest, samurai, 'seed', [], {})['format']
  }
  expect(formatOf({ hourly: 100 })).toBe(formatOf({}))
  expect(formatOf({ hourly: 100 })).toBe(formatOf({ hourly: 200 }))
  expect(formatOf({ placing: 30 })).not.toBe(formatOf({}))
})
