import { resolve } from 'node:path'
import { gameSource, toolsHere } from '../build/index.js'
import { loadGame } from '../contest/index.js'
import { UserError, message, option } from '../core/index.js'
import { distrust } from '../files/index.js'
import { isOnServer } from '../store/index.js'
import type { WorkerCard } from '../workers/queue/board-rows.js'
import { QueueWorker } from '../workers/queue/queue-worker.js'
import type { Context } from './context.js'
import { type IsolationOptions, findBotIsolation } from './isolation.js'
import { openStoreOf } from './open-store.js'
import { cardOf } from './workers-elsewhere.js'
import { roomsFolder } from './workspace.js'

export interface WorkerOptions extends IsolationOptions {
  /** What this machine has that entrants may need. */
  readonly labels: readonly string[]
  /** Jobs played at the same time. */
  readonly slots: number
  /** Files of games that do not come with agon: runs of the very same files are played. */
  readonly games?: readonly string[]
  /** So are those of whatever game a run brings. */
  readonly trustGames?: boolean
}

/** To the store, beside three to the queue. */
const CONNECTIONS = 4

/** The same as an entrant's labels in a contest file. */
const LABEL = /^[a-z0-9][a-z0-9-]{0,39}$/
const LABELS = 100

/**
 * Plays what is to be played of the runs on a server, until the context's signal. `on` is called once it is announced. What is under way then is played
 * to its end or handed back. Throws UserError where there is no server.
 */
export async function runWorker(
  options: WorkerOptions,
  context: Context,
  on: (card: WorkerCard) => void,
): Promise<void> {
  const { workspace, notice, signal, spell } = context
  const odd = options.labels.find((label) => !LABEL.test(label))
  if (odd !== undefined)
    throw new UserError(
      message`${option('labels', odd)}: a label consists of lower-case letters, digits and dashes, as in an entrant's labels = ["gpu"]`,
    )
  if (options.labels.length > LABELS)
    throw new UserError(
      message`${option('labels')}: a worker has ${LABELS} labels at most, and these are ${options.labels.length}`,
    )
  const files = await gameHashes(options.games ?? [])
  distrust(workspace)
  const store = await openStoreOf(context, true, CONNECTIONS)
  try {
    if (!isOnServer(store))
      throw new UserError(
        message`a worker needs a store on a server: give ${option('store', 'postgres://…')}, AGON_STORE or DATABASE_URL`,
      )
    const isolation = await findBotIsolation(options, [{ house: true }, { house: false }], context)
    const rooms = roomsFolder(workspace)
    try {
      const card = cardOf({ ...options, isolation, toolchains: await toolsHere(workspace) })
      const { slots } = options
      const games = { files, all: options.trustGames === true }
      const machine = { store, workspace, isolation, slots, agon: card.agon, note: notice, games }
      const setting = {
        ...machine,
        card,
        rooms: rooms.folder,
        spell,
      }
      const worker = await QueueWorker.start(setting)
      on(card)
      await until(signal)
      await worker.stop()
    } finally {
      rooms.remove()
    }
  } finally {
    await store.close()
  }
}

/** Files of games by the hashes of all that belongs to them. Throws UserError for one that is none. */
async function gameHashes(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>()
  for (const file of files) {
    const definition = await loadGame(resolve(file), process.cwd())
    const source = await gameSource(definition)
    if (source !== undefined) hashes.set(source.hash, resolve(file))
  }
  return hashes
}

const until = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((done) => {
    if (signal?.aborted === true) done()
    else signal?.addEventListener('abort', () => done(), { once: true })
  })
