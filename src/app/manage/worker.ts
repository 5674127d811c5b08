import { setTimeout as sleep } from 'node:timers/promises'
import { toolsHere } from '../../build/index.js'
import { UserError, message, option, spelled, wordingOf } from '../../core/index.js'
import { distrust } from '../../files/index.js'
import { type Store, isLost, isOnServer } from '../../store/index.js'
import { QueueWorker } from '../../workers/queue/queue-worker.js'
import type { WorkerInfo } from '../../workers/queue/registry.js'
import type { Context } from '../context.js'
import { type IsolationOptions, findBotIsolation } from '../isolation.js'
import { openStoreOf } from '../open-store.js'
import { workerInfoOf } from '../run/publish.js'
import { roomsFolder } from '../workspace.js'

export interface WorkerOptions extends Pick<IsolationOptions, 'noIsolation'> {
  /** What this machine has that entrants may need. */
  readonly labels: readonly string[]
  /** Jobs played at the same time. */
  readonly slots: number
}

/** Milliseconds until a server is asked again that was not there. */
const AGAIN_MS = 1000

/** The same as an entrant's labels in a contest file. */
const LABEL = /^[a-z0-9][a-z0-9-]{0,39}$/

/**
 * Plays what is to be played of the runs on a server, until the context's signal. `on` is called once it is announced. What is under way then is played
 * to its end or handed back. Throws UserError where there is no server.
 */
export async function runWorker(
  options: WorkerOptions,
  context: Context,
  on: (info: WorkerInfo) => void,
): Promise<void> {
  const { workspace, notice, signal, spell } = context
  const odd = options.labels.find((label) => !LABEL.test(label))
  if (odd !== undefined)
    throw new UserError(
      message`${option('labels', odd)}: a label consists of lower-case letters, digits and dashes, as in an entrant's labels = ["gpu"]`,
    )
  distrust(workspace)
  const store = await storeThere(context)
  if (store === undefined) return
  try {
    if (!isOnServer(store))
      throw new UserError(
        message`a worker needs a store on a server: give ${option('store', 'postgres://…')}, AGON_STORE or DATABASE_URL`,
      )
    const isolation = await findBotIsolation(options, [{ house: true }, { house: false }], context)
    const rooms = roomsFolder(workspace)
    try {
      const info = workerInfoOf({ ...options, isolation, toolchains: await toolsHere() })
      const { slots } = options
      const machine = { store, workspace, isolation, slots, agon: info.agon, note: notice }
      const worker = await QueueWorker.start({ ...machine, info, rooms: rooms.folder, spell })
      on(info)
      await until(signal)
      await worker.stop()
    } finally {
      rooms.remove()
    }
  } finally {
    await store.close()
  }
}

/** The store, once its server is there: like a server that goes away later, it is waited for. Undefined: the signal came before. */
async function storeThere(context: Context): Promise<Store | undefined> {
  for (let told = false; context.signal?.aborted !== true; told = true) {
    try {
      return await openStoreOf(context)
    } catch (error) {
      if (!isLost(error)) throw error
      if (!told) context.notice(`${spelled(wordingOf(error), context.spell)}; the worker waits for it`)
      await sleep(AGAIN_MS, undefined, { signal: context.signal }).catch(() => undefined)
    }
  }
  return undefined
}

const until = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((done) => {
    if (signal?.aborted === true) done()
    else signal?.addEventListener('abort', () => done(), { once: true })
  })
