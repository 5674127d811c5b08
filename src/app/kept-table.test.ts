import { existsSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { StoredRun } from '../../test/kit/stored-run.js'
import type { Store } from '../store/index.js'
import { excludeEntrant } from './exclude.js'
import { type Table, tableOf } from './kept-table.js'
import { withRun } from './stored.js'

describe('the table of a large run', () => {
  const place = new StoredRun()
  beforeAll(async () => void (await place.play()))

  /** The table, and how often results were read for it. */
  const look = (): Promise<readonly [Table, number]> =>
    withRun(place.contest, undefined, place.context, async (store, run) => {
      let reads = 0
      const counted: Store = Object.assign(Object.create(store) as Store, {
        results: (id: string) => {
          reads++
          return store.results(id)
        },
      })
      return [await tableOf(counted, run, place.context.workspace, 1), reads]
    })
  const folder = (): string => join(place.context.workspace, 'tables')

  it('is counted once, and kept as it was', async () => {
    const [first, reads] = await look()
    expect(reads).toBe(1)
    const [again, more] = await look()
    expect(more).toBe(0)
    expect(again).toEqual(first)
    // An entrant does not meet itself.
    expect(again.crosstable.rows[0]?.map(({ opponent }) => opponent)).toEqual([1, 2])
    expect([...again.faults]).toEqual([['Lost', { illegal: 7 }]])
  })

  it('is counted anew where what is kept is not whole', async () => {
    const [file = ''] = readdirSync(folder())
    const kept = readFileSync(join(folder(), file), 'utf8')
    for (const text of [kept.replace('"rank":2', '"rank":1'), kept.slice(0, kept.length / 2), '', '\n\n{}']) {
      writeFileSync(join(folder(), file), text)
      const [table, reads] = await look()
      expect([table.standings.rows.length, reads]).toEqual([3, 1])
    }
    expect((await look())[1]).toBe(0)
  })

  it('is counted anew where another user has kept it', async () => {
    vi.stubEnv('XDG_CACHE_HOME', join(place.context.workspace, 'cache of another'))
    expect((await look())[1]).toBe(1)
    vi.unstubAllEnvs()
    expect((await look())[1]).toBe(1)
    expect((await look())[1]).toBe(0)
  })

  it('is kept for a large field, too, however few its matches are', async () => {
    await withRun(place.contest, undefined, place.context, async (store, run) => {
      rmSync(folder(), { recursive: true, force: true })
      await tableOf(store, run, place.context.workspace)
      expect(existsSync(folder())).toBe(false)
      const names = [...run.plan.names, ...Array.from({ length: 1000 }, (_, i) => `Late ${i}`)]
      // A round robin would draw half a million pairs first.
      const format = { ...run.plan.format, kind: 'swiss', rounds: 1 } as const
      await tableOf(store, { ...run, plan: { ...run.plan, names, format } }, place.context.workspace)
      expect(readdirSync(folder())).toHaveLength(1)
    })
  })

  it('is not written through a link that lies in its way', async () => {
    const [file = ''] = readdirSync(folder())
    const victim = join(place.context.workspace, 'victim')
    writeFileSync(victim, 'mine')
    writeFileSync(join(folder(), file), '')
    symlinkSync(victim, join(folder(), `${file}.${process.pid}`))
    expect((await look())[1]).toBe(1)
    expect(readFileSync(victim, 'utf8')).toBe('mine')
    rmSync(join(folder(), `${file}.${process.pid}`))
  })

  it('is counted anew once an entrant is put out', async () => {
    const ref = { contest: place.contest, name: 'Lost', status: 'withdrawn', treatment: 'void', why: '' } as const
    await excludeEntrant(ref, place.context)
    const [table, reads] = await look()
    expect([table.standings.rows.length, reads]).toEqual([2, 1])
  })
})
