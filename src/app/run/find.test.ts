import { runOf } from '../../../test/kit/records.js'
import type { GameDefinition } from '../../core/index.js'
import { games } from '../../games/index.js'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Store, StoredRun } from '../../store/index.js'
import { type FoundRun, findRun } from './find.js'
import type { RunOptions } from './options.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-open-run-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SAMURAI = games.find(({ game }) => game.id === 'samurai') as GameDefinition
const FILE = '/c/contest.toml'
const whole = { ...runOf('samurai-1', { file: FILE, seed: 'secret' }), state: 'open', matches: 0 } as const

/** A store with these runs; what of one lies in a folder is what an archive that was imported may say of any. */
const holding = (...runs: Partial<StoredRun>[]): Store =>
  ({
    where: 'here',
    runs: async () => runs.map((run) => ({ ...whole, ...run })),
    acquireLease: async () => undefined,
  }) as unknown as Store
const found = (
  store: Store,
  { league = false, only, ...options }: RunOptions & { readonly league?: boolean },
): Promise<FoundRun> => {
  const { contest } = runOf('one')
  const resolved = { file: FILE, definition: SAMURAI, league, contest: { ...contest, only, entrants: [] }, entries: [] }
  return findRun(store, resolved, options)
}
const outOf = async (out: string, options: Parameters<typeof found>[1]): Promise<string> =>
  (await found(holding({ out }), options)).out

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
  expect((await found(holding({ out: named }), { resume: true, out: named })).out).toBe(named)
})

describe('a league', () => {
  const at = join(folder, 'league')
  const final: Partial<StoredRun> = {
    id: 'final',
    out: join(folder, 'final'),
    contest: { ...whole.contest, only: ['Ant', 'Bee'] },
  }
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, 'contest.json'), '{"seed":"secret"}')

  it('goes on with its own run, whatever was played of some entrants since, and wherever its results are to lie', async () => {
    const store = holding(final, { out: at })
    expect(await found(store, { league: true })).toMatchObject({ id: 'samurai-1', out: at })
    const there = join(folder, 'there')
    expect(await found(store, { league: true, out: there })).toMatchObject({ id: 'samurai-1', out: there })
  })

  it('is not moved while another agon plays it', async () => {
    const store = { ...holding({ out: at }), acquireLease: async () => '7' }
    await expect(found(store, { league: true, out: join(folder, 'there') })).rejects.toThrow('another agon (process 7)')
  })

  it('has another run for some of its entrants', async () => {
    const { before, out } = await found(holding({ out: at }), { league: true, only: ['Ant', 'Bee'], out: final.out })
    expect([before, out]).toEqual([undefined, final.out])
    expect(await found(holding(final, { out: at }), { league: true, only: ['Ant', 'Bee'] })).toMatchObject({
      id: 'final',
    })
  })

  it('that is begun afresh gives up its own run, or the one in the folder that is named, and no other', async () => {
    const store = holding(final, { out: at })
    expect((await found(store, { league: true, fresh: true })).replaced?.id).toBe('samurai-1')
    expect((await found(store, { league: true, fresh: true, out: final.out })).replaced?.id).toBe('final')
    const elsewhere = join(folder, 'elsewhere')
    expect((await found(store, { league: true, fresh: true, out: elsewhere })).replaced).toBeUndefined()
    await expect(found(store, { league: true, out: final.out })).rejects.toThrow('already holds a run')
  })
})
