import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TestContest } from '../../../test/kit/stored-run.js'
import { openStore } from '../../store/index.js'
import type { RunEvent } from './options.js'
import { disqualify, isKept, runContest } from './run.js'
import { tableOfRun } from './table.js'
import { VERSION } from '../version.js'

const place = new TestContest()
const wished = (out: string) => ({ out: place.path(out), trust: true, jobs: 1, timed: 1, fresh: true })

describe('an entrant with as many faults as the run bears', () => {
  it('is disqualified while it plays, and none of its matches counts', async () => {
    const contest = place.write(
      'faulty.toml',
      readFileSync(place.contest, 'utf8').replace('repetitions = 1', 'repetitions = 40'),
    )
    const { standings, result } = await runContest(
      contest,
      { ...wished('faulty'), maxFaults: 8 },
      place.context,
      () => undefined,
    )
    expect(standings.rows.map(({ name }) => name)).toEqual(['Strike', 'Wait'])
    expect(standings.notes).toContain('Lost is disqualified (8 faults): none of its matches counts')
    expect(place.notices).toContain('Lost is disqualified (8 faults): none of its matches counts')
    // The two who are left play all of theirs; of the others' 80 most were not played any more.
    expect(result.finished).toBe(true)
    expect(standings.rows.map(({ points }) => points)).toEqual([40, 0])
    expect((await tableOfRun({ contest }, place.context)).exclusions).toMatchObject([
      { name: 'Lost', status: 'disqualified', treatment: 'void' },
    ])
  })

  it('is out with the last of them, and no other is', async () => {
    const out: unknown[] = []
    const control = { exclude: async (one: unknown) => void out.push(one) }
    const faults = new Map([
      ['Ant', { crash: 2, timeout: 1 }],
      ['Bee', { illegal: 2 }],
    ])
    await disqualify(control, faults, 3)
    expect(out).toEqual([{ name: 'Ant', status: 'disqualified', treatment: 'void', why: '3 faults' }])
  })

  it('plays on where it has fewer', async () => {
    const { standings } = await runContest(place.contest, { ...wished('few'), maxFaults: 8 }, place.context, () => 0)
    expect(standings.rows).toHaveLength(3)
  })
})

describe('a run that fails', () => {
  /** Fails when the first, or the last, match has been told. */
  const failing = async (out: string, at: 'began' | 'match'): Promise<RunEvent['type'][]> => {
    const news: RunEvent['type'][] = []
    const failed = runContest(place.contest, wished(out), place.context, ({ type }) => {
      news.push(type)
      if (type === at) throw new Error('the disk is gone')
    })
    await expect(failed).rejects.toThrow('the disk is gone')
    return news
  }
  const runs = async () => {
    const store = openStore(place.context.workspace, VERSION)
    try {
      return await store.runs()
    } finally {
      await store.close()
    }
  }

  it('before its first match leaves nothing behind', async () => {
    const before = (await runs()).map(({ id }) => id)
    expect(await failing('early', 'began')).not.toContain('kept')
    expect((await runs()).map(({ id }) => id)).toEqual(before)
    expect(existsSync(join(place.path('early'), 'contest.json'))).toBe(false)
  })

  it('after it is kept, and says where', async () => {
    expect(await failing('late', 'match')).toContain('kept')
    const [latest] = await runs()
    expect([latest?.out, latest?.state]).toEqual([place.path('late'), 'open'])
    expect(latest?.matches).toBeGreaterThan(0)
    expect(existsSync(join(place.path('late'), 'contest.json'))).toBe(true)
  })

  it('is taken for stored where the store itself cannot be read', async () => {
    const broken = async (): Promise<never> => {
      throw new Error('no such disk')
    }
    const run = { id: 'x', out: place.path('none') }
    const removeRun = broken
    expect(await isKept({ run, isNew: true }, { run: broken, removeRun })).toBe(true)
    expect(await isKept({ run, isNew: false }, { run: async () => undefined, removeRun })).toBe(false)
  })
})
