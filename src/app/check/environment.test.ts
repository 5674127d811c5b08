import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type GameDefinition, type Outcome, UserError, allActions } from '../../core/index.js'
import { games } from '../../games/index.js'
import {
  type Environment,
  type EnvironmentTerms,
  type Scene,
  answerLine,
  openEnvironment,
  rewardOf,
} from './environment.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-environment-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const samurai = games.find(({ game }) => game.id === 'samurai') as GameDefinition
const context = { workspace: join(folder, 'workspace'), notice: () => undefined }

/** An environment of samurai, closed after `work`; with no opponent the learner plays both seats. */
async function learning<T>(
  terms: Partial<EnvironmentTerms>,
  work: (environment: Environment) => Promise<T>,
): Promise<T> {
  const environment = await openEnvironment(samurai, { opponents: [], noIsolation: true, ...terms }, context)
  try {
    return await work(environment)
  } finally {
    await environment.close()
  }
}

/** Plays an episode in which every seat that is due takes the first action that it may. */
async function played(environment: Environment, seed: string): Promise<Scene[]> {
  const scenes = [await environment.reset(seed)]
  for (;;) {
    const scene = scenes.at(-1) as Scene
    if (scene.outcome !== undefined) return scenes
    scenes.push(
      await environment.step(new Map([...scene.seats].map(([seat, { legal }]) => [seat, allActions(legal)[0] ?? '']))),
    )
  }
}

describe('an environment', () => {
  it('gives both seats what they see and may do, and the outcome with the rewards at the end', async () => {
    const scenes = await learning({ options: { turns: 3 } }, (environment) => played(environment, '1'))
    // Three turns of bowing, in which both seats are due, then the end.
    expect(scenes.map(({ seats }) => [...seats.keys()])).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
      [0, 1],
    ])
    expect(scenes[0]?.seats.get(0)?.legal).toContain('B')
    expect(scenes.at(-1)?.outcome?.place).toEqual([1, 1])
    expect([0, 1].map((seat) => rewardOf(scenes.at(-1)?.outcome as Outcome, seat))).toEqual([0, 0])
  })

  it('plays the same episode again by the seeds, against a house bot', async () => {
    const terms = { opponents: ['Abacus'], seed: 'a', options: { turns: 9 } }
    const [one, other] = [0, 1].map(() =>
      learning(terms, (environment) => {
        expect(environment.only).toBe(0)
        return played(environment, '7')
      }),
    )
    expect((await one)?.length).toBeGreaterThan(1)
    expect(await other).toEqual(await one)
  })

  it('plays the same episode again by its own seed alone, whatever was played before', async () => {
    const terms = { opponents: ['Abacus'], seed: undefined, options: { turns: 9 } }
    const [one, another, again] = await learning(terms, async (environment) => [
      await played(environment, '7'),
      await played(environment, '8'),
      await played(environment, '7'),
    ])
    expect(again).toEqual(one)
    expect(another).not.toEqual(one)
    expect(await learning(terms, (environment) => played(environment, '7'))).toEqual(one)
  })

  it('refuses what is not legal, not due or missing, and the episode goes on as it was', async () => {
    await learning({ options: { turns: 3 } }, async (environment) => {
      await expect(environment.step(new Map())).rejects.toThrow('reset begins one')
      await environment.reset('1')
      await expect(environment.step(new Map([[0, 'B']]))).rejects.toThrow('seat 1 is due, and has no action')
      const illegal = environment.step(new Map([[0, 'X'], [1, 'B']])) // prettier-ignore
      await expect(illegal).rejects.toThrow(UserError)
      const extra = environment.step(new Map([[0, 'B'], [1, 'B'], [2, 'B']])) // prettier-ignore
      await expect(extra).rejects.toThrow('seat 2 is not due now')
      expect((await environment.step(new Map([[0, 'B'], [1, 'B']]))).seats.size).toBe(2) // prettier-ignore
    })
    await expect(learning({ opponents: ['Abacus'], seat: 2 }, async () => undefined)).rejects.toThrow('no seat 2')
  })

  it('answers lines, and errors with a line that changes nothing', async () => {
    await learning({ options: { turns: 2 } }, async (environment) => {
      const ask = async (message: unknown) =>
        JSON.parse(
          await answerLine(environment, typeof message === 'string' ? message : JSON.stringify(message)),
        ) as object
      expect(await ask('{')).toMatchObject({ error: expect.stringContaining('JSON object') as string })
      expect(await ask({ type: 'reset', seed: '1' })).toMatchObject({ terminated: false })
      expect(await ask({ type: 'step', action: 'B' })).toHaveProperty('error')
      expect(await ask({ type: 'step', actions: { 0: 'B', 1: 'B' } })).toMatchObject({ terminated: false })
      expect(await ask({ type: 'step', actions: { 0: 'B', 1: 'B' } })).toMatchObject({ terminated: true })
    })
  })
})
