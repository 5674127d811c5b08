import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../test/kit/postgres.js'
import { entrantsOf, keyOf, played, runOf } from '../../test/kit/records.js'
import { storeAs } from '../../test/kit/store-as.js'
import { alone } from '../../test/kit/store-opening.js'
import { UserError } from '../core/index.js'
import { MatchesTakenBack, WorkerDistrusted } from '../engine/index.js'
import { type ServerStore, openStore } from '../store/index.js'
import { openServerStore } from '../store/postgres/store.js'
import { untilBelieved } from './play-elsewhere.js'

const job = (n: number) => alone(n, played(String(n), [0, 1], [1, 2]))

/** Plays that end like this, one after the other: with an error, or with the number of plays. */
function playsOf(...ends: readonly (Error | undefined)[]) {
  let plays = 0
  return async (): Promise<number> => {
    const error = ends[plays++]
    if (error) throw error
    return plays
  }
}

/** A run of which two workers have played a match each. */
async function withRun(
  work: (
    store: ServerStore,
    left: () => Promise<readonly string[]>,
    believed: Believed,
    notes: string[],
  ) => Promise<void>,
): Promise<void> {
  const store = await openServerStore(await (await testServer()).database(), 'test', () => undefined)
  const notes: string[] = []
  const context = { workspace: '', notice: (text: string) => void notes.push(text) }
  try {
    await store.addRun(runOf('run'), entrantsOf())
    await storeAs('good', store, 'run', [job(1)])
    await storeAs('bad', store, 'run', [job(2)])
    const left = async () => [...(await store.readJobs('run', [keyOf(1), keyOf(2)])).keys()]
    await work(store, left, (...ends) => untilBelieved('run', store, context, playsOf(...ends)), notes)
  } finally {
    await store.close()
  }
}

type Believed = (...ends: readonly (Error | undefined)[]) => Promise<number>

describe.runIf(PROGRAMS !== undefined)('a run whose workers are not all believed', () => {
  beforeAll(async () => void (await testServer()), 300_000)

  it('is played again without the matches of a worker that was found out, which is set aside', () =>
    withRun(async (store, left, believed, notes) => {
      expect(await believed(new WorkerDistrusted('bad', 'it cannot be replayed'))).toBe(2)
      expect(await left()).toEqual([keyOf(1)])
      const { rows } = await store.query<{ id: string }>('SELECT id FROM agon.worker WHERE aside IS NOT NULL')
      expect(rows).toEqual([{ id: 'bad' }])
      expect(notes).toEqual([
        'the worker bad is set aside: it cannot be replayed; what it played is played again (1 match)',
      ])
    }))

  it('ends where a worker continues that was set aside', () =>
    withRun(async (_, left, believed) => {
      const found = new WorkerDistrusted('bad', 'it cannot be replayed')
      await expect(believed(found, found)).rejects.toThrow('the worker bad continues although it was set aside')
      await expect(believed(found, found)).rejects.toBeInstanceOf(UserError)
      expect(await left()).toEqual([keyOf(1)])
    }))

  it('takes back forged matches of no worker once each, and ends where they are forged again', () =>
    withRun(async (_, left, believed, notes) => {
      const [first, second] = [1, 2].map((n) => new WorkerDistrusted('', 'it is forged', [keyOf(n)]))
      expect(await believed(first, second)).toBe(3)
      expect(await left()).toEqual([])
      expect(notes).toHaveLength(2)
      await expect(believed(first, second, first)).rejects.toThrow('written into the database by hand')
      const unknown = new WorkerDistrusted('', 'it is forged')
      await expect(believed(unknown, unknown)).rejects.toThrow('written into the database by hand')
    }))

  it('is played again where another run took matches back, and ends with any other error', () =>
    withRun(async (_, left, believed, notes) => {
      expect(await believed(new MatchesTakenBack(), new MatchesTakenBack())).toBe(3)
      expect(notes).toHaveLength(2)
      await expect(believed(new Error('the disk is full'))).rejects.toThrow('the disk is full')
      expect(await left()).toHaveLength(2)
    }))
})

it('has no workers to set aside where a file is the store', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'agon-elsewhere-'))
  const store = openStore(workspace, 'test')
  try {
    const context = { workspace, notice: () => undefined }
    const found = new WorkerDistrusted('bad', 'it cannot be replayed')
    await expect(untilBelieved('run', store, context, playsOf(found))).rejects.toBe(found)
  } finally {
    await store.close()
    rmSync(workspace, { recursive: true })
  }
})
