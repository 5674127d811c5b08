import { entrantsOf } from '../../../test/kit/records.js'
import { expect, it } from 'vitest'
import { type FormatSpec, type Memory, type Wording, spelled } from '../../core/index.js'
import type { MatchStore, StoredRun } from '../../store/index.js'
import type { EntrantChanges } from './same.js'
import { keptText, mendedText, otherGameText, ownDealsText } from './notes.js'
import { games } from '../../games/index.js'

const run = {
  id: 'friday-1',
  out: 'friday',
  matches: 3,
  entrants: entrantsOf(['Ant', 'Bee', 'Cat']),
  game: {},
} as unknown as StoredRun
const results = new Map([[0, 1] as const, [0, 2] as const, [1, 2] as const].map((seats) => [seats.join(), { seats }]))
const store = { results: async () => results } as unknown as MatchStore

const plainly = (text: Wording): string => spelled(text, undefined)

it('a run of the same entrants keeps all its matches', async () => {
  expect(await keptText(store, run, undefined)).toBe('resuming friday: 3 matches are kept')
  expect(await keptText(store, { ...run, matches: 1 }, undefined)).toBe('resuming friday: 1 match is kept')
})

it('a league keeps the matches of bots that stay as they were', async () => {
  const none: EntrantChanges = { joined: [], changed: [], left: [] }
  const text = (more: Partial<EntrantChanges>) => keptText(store, run, { ...none, ...more })
  expect(await text({ joined: ['Dog'] })).toMatch(
    /^resuming friday \(.*Dog.*\): 3 of its 3 matches are of bots that stay/,
  )
  expect(await text({ changed: ['Ant'] })).toContain(': 1 of its 3 matches')
  expect(await text({ changed: ['Ant'], left: ['Bee'] })).toContain(': 0 of its 3 matches')
})

it('a game’s file that has changed is named, with what can be done', () => {
  const of = { ...run, game: { ...run.game, file: 'sticks.ts' } }
  expect(plainly(mendedText(of))).toMatch(/^sticks\.ts has changed .*rejudge friday-1.*fresh/)
  expect(plainly(otherGameText(of))).toMatch(/^sticks\.ts has changed since friday .*3 matches is kept.*resume/)
  expect(plainly(otherGameText(run))).toMatch(/^the game has changed/)
})

const game = (id: string) => games.find((one) => one.game.id === id) ?? expect.fail(id)
const format = (parts: Partial<FormatSpec> = {}): FormatSpec => ({
  kind: 'round-robin',
  repetitions: 2,
  swap: true,
  playoff: 0,
  ...parts,
})
const entrant = (name: string, memory: Memory) => ({ name, memory })
const notice = (
  id: string,
  parts?: Partial<FormatSpec>,
  entrants = [entrant('Ant', 'match'), entrant('Bee', 'series')],
) => ownDealsText({ format: format(parts), options: game(id).game.options }, game(id), entrants)

it('a note says that deals are not shared where a bot remembers the match before, and in no other case', () => {
  expect(notice('kuhn')).toMatch(
    /^each match of bots that remember the match before has a deal of its own \(Bee\): memory = "match"/,
  )
  expect(notice('kuhn', {}, [entrant('Cat', 'tournament')])).toContain('(Cat)')
  expect(notice('coup', { kind: 'free-for-all' })).toBeDefined()
  const many = Array.from({ length: 7 }, (_, n) => entrant(`Bot${n}`, 'series'))
  expect(notice('kuhn', {}, many)).toContain('(Bot0, Bot1, Bot2, Bot3, Bot4, and 2 more)')
  expect(notice('kuhn', {}, [entrant('Ant', 'match'), entrant('Bee', 'turn')])).toBeUndefined()
  expect(notice('kuhn', { swap: false })).toBeUndefined()
  expect(notice('kuhn', { repetitions: 1 })).toBeUndefined()
  // Nothing is drawn there.
  expect(notice('samurai')).toBeUndefined()
})
