import { expect, it } from 'vitest'
import { type Wording, spelled } from '../core/index.js'
import type { MatchStore, RunSummary } from '../store/index.js'
import type { EntrantChanges } from './identity.js'
import { keptText, mendedText, otherGameText } from './league.js'

const run = {
  id: 'friday-1',
  out: 'friday',
  matches: 3,
  plan: { names: ['Ant', 'Bee', 'Cat'] },
} as unknown as RunSummary
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
  const of = { ...run, plan: { ...run.plan, gameFile: 'sticks.ts' } }
  expect(plainly(mendedText(of))).toMatch(/^sticks\.ts has changed .*rejudge friday-1.*fresh/)
  expect(plainly(otherGameText(of))).toMatch(/^sticks\.ts has changed since friday .*3 matches is kept.*resume/)
  expect(plainly(otherGameText(run))).toMatch(/^the game has changed/)
})
