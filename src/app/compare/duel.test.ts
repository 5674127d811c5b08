import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { UserError } from '../../core/index.js'
import { type DuelState, duelDocument, hostDuel } from './duel.js'
import { gameNamed } from '../look/games.js'

type DuelOptions = Parameters<typeof hostDuel>[2]
const workspace = mkdtempSync(join(tmpdir(), 'agon-duel-'))
afterAll(() => rmSync(workspace, { recursive: true, force: true }))

const context = { workspace, notice: () => undefined }
const TEST = { elo0: 0, elo1: 200, alpha: 0.05, beta: 0.05 }
const options = (more: Partial<DuelOptions> = {}): DuelOptions => ({
  seed: 'x',
  noIsolation: true,
  jobs: 1,
  timed: 1,
  budget: 20,
  test: TEST,
  ...more,
})
/** House modules, in this process. */
const BOTS = ['Storm', 'Weathercock'] as const

it('comes to the same however many pairs are played at once, and tells of each pair', async () => {
  const definition = await gameNamed('gunduel')
  const states: DuelState[] = []
  const one = await hostDuel(definition, [...BOTS], options({ on: (state) => states.push(state) }), context)
  const three = await hostDuel(definition, [...BOTS], options({ jobs: 3, timed: 3 }), context)
  expect(three).toEqual(one)
  expect(states.map(({ done }) => done)).toEqual(Array.from({ length: one.test.matches / 2 + 1 }, (_, i) => 2 * i))
  expect(states.at(-1)).toMatchObject({ names: BOTS, evidence: expect.stringMatching(/^for H1 /) as string })
  const [wins, draws, losses] = one.score
  expect(wins + draws + losses).toBe(one.test.matches)
  expect(duelDocument(one)).toMatchObject({
    game: 'gunduel',
    seed: 'x',
    first: 'Storm',
    second: 'Weathercock',
    ...TEST,
    score: { wins, draws, losses },
    faults: [0, 0],
  })
})

it('has a budget for whole pairs', async () => {
  const duel = await hostDuel(await gameNamed('gunduel'), ['Storm', 'Storm'], options({ budget: 5 }), context)
  expect([duel.test.matches, duel.test.decision, duel.names]).toEqual([4, 'undecided', ['Storm', 'Storm (2)']])
})

it('is for games of two', async () => {
  const duel = hostDuel(await gameNamed('negotiate'), ['Weaver', 'Jackdaw'], options(), context)
  await expect(duel).rejects.toThrow(UserError)
  await expect(duel).rejects.toThrow(
    /^negotiate is played by 4, and a duel is between two: a contest \(agon run\) finds out/,
  )
})

it('ends when the signal is aborted', async () => {
  const definition = await gameNamed('gunduel')
  const controller = new AbortController()
  const states: number[] = []
  const duel = hostDuel(
    definition,
    [...BOTS],
    options({
      budget: 10_000,
      test: { ...TEST, elo0: -1, elo1: 1 },
      on: ({ done }) => {
        states.push(done)
        if (done === 4) controller.abort(new Error('given up'))
      },
    }),
    { ...context, signal: controller.signal },
  )
  await expect(duel).rejects.toThrow('given up')
  expect(states).toEqual([0, 2, 4])
})
