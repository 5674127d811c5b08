import { expect, it } from 'vitest'
import type { FormatSpec } from '../core/index.js'
import { games } from '../games/index.js'
import { repeatedDeals } from './repeated-deals.js'

const game = (id: string) => games.find((one) => one.game.id === id) ?? expect.fail(id)
const format = (parts: Partial<FormatSpec> = {}): FormatSpec => ({
  kind: 'round-robin',
  repetitions: 2,
  swap: true,
  playoff: 0,
  ...parts,
})
const notice = (id: string, parts?: Partial<FormatSpec>, entrants: Parameters<typeof repeatedDeals>[2] = [stranger]) =>
  repeatedDeals({ format: format(parts), options: game(id).game.options }, game(id), entrants)
const stranger = { house: false, memory: 'series' } as const

it("a deal that is played again is reported where a stranger's bot remembers it, and in no other case", () => {
  expect(notice('kuhn')).toContain('set memory = "match" and strict_memory = true, or swap = false')
  expect(notice('kuhn', {}, [{ house: false, memory: 'tournament' }])).toBeDefined()
  expect(notice('coup', { kind: 'groups' })).toMatch(/set memory = "match" and strict_memory = true$/)
  expect(notice('kuhn', {}, [{ house: false, memory: 'match' }])).toBeUndefined()
  expect(notice('kuhn', {}, [{ house: true, memory: 'series' }])).toBeUndefined()
  expect(notice('kuhn', { swap: false })).toBeUndefined()
  expect(notice('kuhn', { repetitions: 1 })).toBeUndefined()
  // Nothing is drawn there.
  expect(notice('samurai')).toBeUndefined()
})
