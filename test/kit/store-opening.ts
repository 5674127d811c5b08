import type { Match } from '../../src/core/index.js'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import type { PlayedJob, JobStore, Store } from '../../src/store/port.js'
import { keyOf, runOf } from './records.js'

/** Stores of one test, closed and removed after it. */
export interface Opening {
  /** A new workspace. */
  folder(): string
  /** The store of a workspace, of a new one where none is named. */
  opened(workspace?: string): Promise<Store>
  /** The same, with a run 'one' of Ant, Bee, Cat and Dog. */
  begun(workspace?: string): Promise<Store>
  /** Closes a store before the test ends. */
  close(store: Store): Promise<void>
}

export function openings(open: (workspace: string) => Promise<Store>): Opening {
  const folders: string[] = []
  const stores: Store[] = []
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'agon-store-'))
    folders.push(made)
    return made
  }
  const opened = async (workspace = folder()): Promise<Store> => {
    const store = await open(workspace)
    stores.push(store)
    return store
  }
  const begun = async (workspace?: string): Promise<Store> => {
    const store = await opened(workspace)
    await store.addRun(runOf('one'))
    return store
  }
  const close = async (store: Store): Promise<void> => {
    stores.splice(stores.indexOf(store), 1)
    await store.close()
  }
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()))
    for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true })
  })
  return { folder, opened, begun, close }
}

/** A job of one match. */
export const alone = (n: number, match: Match): PlayedJob => ({ key: keyOf(n), matches: [match] })

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

export const recordsOf = async (store: JobStore, job: string) =>
  ((await store.read([job])).get(job) ?? []).map(({ record }) => record)
