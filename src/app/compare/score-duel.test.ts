import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import dilemma from '../../../test/games/dilemma.js'
import { type DuelState, hostScoreDuel, scoreDuelDocument, scoreDuelText } from './duel.js'

type ScoreDuelOptions = Parameters<typeof hostScoreDuel>[2]
const place = mkdtempSync(join(tmpdir(), 'agon-score-duel-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))
const context = { workspace: join(place, 'workspace'), notice: () => undefined }

const bot = (name: string, action: string): string => {
  const folder = join(place, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'bot.toml'), `name = "${name}"\nmodule = "bot.mjs"\n`)
  writeFileSync(join(folder, 'bot.mjs'), `export default () => '${action}'\n`)
  return folder
}
const traitor = bot('Traitor', 'betray')
const friend = bot('Friend', 'trust')

const options = (more: Partial<ScoreDuelOptions> = {}): ScoreDuelOptions => ({
  seed: 'x',
  trust: true,
  noIsolation: true,
  jobs: 1,
  timed: 1,
  budget: 40,
  mean: { margin: 0, alpha: 0.05, beta: 0.05 },
  ...more,
})

it('decides for the bot that scores more, with the difference that the rules give', async () => {
  const states: DuelState[] = []
  const duel = await hostScoreDuel(dilemma, [traitor, friend], options({ on: (state) => states.push(state) }), context)
  expect(duel.names).toEqual(['Traitor', 'Friend'])
  // 200 turns of 5 against 0.
  expect(duel.test).toMatchObject({ decision: 'H1', mean: 1000 })
  expect(states.at(-1)).toMatchObject({ done: duel.matches })
  // Neither seat nor match changes what they do: one course a seating at most.
  expect(duel.distinct).toBeLessThanOrEqual(2)
  expect(scoreDuelDocument(duel)).toMatchObject({ first: 'Traitor', second: 'Friend', decision: 'H1', mean: 1000 })
  expect(scoreDuelText(duel)).toContain('\nTraitor scores 1000 more a match\n')
  const test = { ...duel.test, mean: -2.5, interval: [-3, -2] as const }
  expect(scoreDuelText({ ...duel, test })).toContain(
    '\nTraitor scores 2.5 less a match; 95 % interval of the difference: −3 … −2\n',
  )
})

it('ends where two repeat one game that leaves them level, however great the budget', async () => {
  const duel = await hostScoreDuel(dilemma, [friend, friend], options({ budget: 5000 }), context)
  expect(duel).toMatchObject({ matches: 100, test: { decision: 'undecided', mean: 0 } })
})

it('refuses a margin that no difference can reach', async () => {
  const mean = { margin: 5000, alpha: 0.05, beta: 0.05 }
  await expect(hostScoreDuel(dilemma, [traitor, friend], options({ mean }), context)).rejects.toThrow(
    /^the option "margin" \(5000\): /,
  )
})
