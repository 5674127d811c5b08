import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Store } from '../store/index.js'
import { openRun } from './open-run.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-open-run-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A store with a run whose results are said to lie in a folder, as an archive that was imported may say of any. */
const holding = (out: string): Store => {
  const run = { id: 'samurai-1', contest: '/c/contest.toml', seed: 'secret', state: 'interrupted', identity: {}, out }
  return { where: 'here', runs: async () => [run] } as unknown as Store
}
const outOf = async (out: string, options: Parameters<typeof openRun>[4]): Promise<string> =>
  (await openRun(holding(out), '/c/contest.toml', 'samurai', undefined, options)).out

describe.each([['resumed', { resume: true }] as const, ['that is a league', { league: true }] as const])(
  'a run %s',
  (_, options) => {
    it('leaves its results where they lie', async () => {
      const own = join(folder, 'own')
      mkdirSync(own, { recursive: true })
      writeFileSync(join(own, 'contest.json'), '{"seed":"secret"}')
      expect(await outOf(own, options)).toBe(own)
    })

    it.each([
      ['that is not there', undefined],
      ['of another run', '{"seed":"another"}'],
      ['of nothing that can be read', '['],
      ['of no contest', 'null'],
    ])('writes into no folder %s', async (name, contest) => {
      const theirs = join(folder, name)
      if (contest !== undefined) {
        mkdirSync(theirs, { recursive: true })
        writeFileSync(join(theirs, 'contest.json'), contest)
      }
      expect(await outOf(theirs, options)).toBe(resolve('agon-results', 'samurai-1'))
    })
  },
)

it('a run is resumed where its user says', async () => {
  const named = join(folder, 'named')
  const store = holding(named)
  const { out } = await openRun(store, '/c/contest.toml', 'samurai', undefined, { resume: true, out: named })
  expect(out).toBe(named)
})
