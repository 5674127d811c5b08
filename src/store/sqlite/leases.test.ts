import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keyOf, played, runOf, TOURNAMENT } from '../../../test/kit/records.js'
import { thisProcess } from '../../files/index.js'
import { type Store, LeaseLostError, openStore } from '../index.js'
import type { Database } from './database.js'
import { openDatabase } from './open.js'

let workspace = ''
let store: Store
let db: Database
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'agon-leases-'))
  store = openStore(workspace, 'test')
  db = openDatabase(workspace)
})
afterEach(async () => {
  vi.useRealTimers()
  await store.close()
  db.close()
  rmSync(workspace, { recursive: true, force: true })
})

/** Another container's process on this machine, and a process that has ended. */
const [pid = '', start = '', , space = ''] = thisProcess().split('-')
const elsewhere = `${pid}-${start}-00000000-1`
const ended = (): string => `${spawnSync('true').pid}-1-${thisProcess().split('-')[2]}-${space}`

const holds = (process: string, secondsAgo: number): void => {
  const heartbeat = Date.now() - 1000 * secondsAgo
  const values = [Buffer.from(TOURNAMENT, 'hex'), `${process}/other`, heartbeat]
  db.write(() => db.run('INSERT OR REPLACE INTO lease (key, owner, heartbeat) VALUES (?, ?, ?)', ...values))
}
const heartbeat = (): number => db.get<{ heartbeat: number }>('SELECT heartbeat FROM lease')?.heartbeat ?? 0
const acquired = (): Promise<string | undefined> => store.acquireLease(TOURNAMENT)

describe('a lease', () => {
  it('of an owner that cannot be seen is its own while its heartbeats come, and free after a minute without one', async () => {
    holds(elsewhere, 40)
    expect(await acquired()).toBe(pid)
    holds(elsewhere, 80)
    expect(await acquired()).toBeUndefined()
  })

  it('of a process here that runs and gives no heartbeat is free, too', async () => {
    const living = [process.ppid, '', ...thisProcess().split('-').slice(2)].join('-')
    holds(living, 40)
    expect(await acquired()).toBe(String(process.ppid))
    holds(living, 80)
    expect(await acquired()).toBeUndefined()
  })

  it.runIf(process.platform === 'linux')('of a process here that has ended is free at once', async () => {
    holds(ended(), 0)
    expect(await acquired()).toBeUndefined()
  })

  it('whose heartbeat lies in the future is free: the clock was set back', async () => {
    holds(elsewhere, -80)
    expect(await acquired()).toBeUndefined()
  })

  it('is renewed for as long as the store is open', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await acquired()
    db.write(() => db.run('UPDATE lease SET heartbeat = 1'))
    vi.advanceTimersByTime(6000)
    // What is asked next comes behind the heartbeat.
    await store.has([keyOf(1)])
    expect(Math.abs(heartbeat() - Date.now())).toBeLessThan(600_000)
    await store.close()
    expect(db.all('SELECT 1 FROM lease')).toEqual([])
  })

  it('that was lost is reported when its owner writes what it is for, and nothing of that is written', async () => {
    await store.addRun(runOf('one'))
    const job = (n: number) => ({
      key: keyOf(n),
      matches: [played(`a/${n}`, [0, 1], [1, 2])],
      kept: { tournament: TOURNAMENT, by: { Ant: { now: {} } } },
    })
    await acquired()
    await store.record('one', [job(1)])
    holds(elsewhere, 0)
    await expect(store.record('one', [job(2)])).rejects.toThrow(LeaseLostError)
    db.write(() => db.run('DELETE FROM lease'))
    await expect(store.record('one', [job(2)]), 'the other one has ended').rejects.toThrow(LeaseLostError)
    expect((await store.has([keyOf(2)])).size).toBe(0)
    expect(await acquired()).toBeUndefined()
    await store.record('one', [job(2)])
    expect((await store.has([keyOf(2)])).size).toBe(1)
  })
})
