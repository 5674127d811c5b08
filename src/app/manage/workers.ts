import { setTimeout as sleep } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { type BotIsolation, toolsHere } from '../../build/index.js'
import { UserError, message, option, spelled, wordingOf, type Spell, command, visible } from '../../core/index.js'
import { distrust } from '../../files/index.js'
import { type Store, isLost } from '../../store/index.js'
import { QueueWorker } from '../../workers/queue/queue-worker.js'
import { type WorkerInfo, Registry, type WorkerSeen } from '../../workers/queue/registry.js'
import { type Context, whenAborted } from '../context.js'
import { type IsolationOptions, findBotIsolation } from '../machine.js'
import { roomsFolder } from '../workspace.js'
import { openStoreOf, serverOf, withStore } from '../open-store.js'
import { VERSION } from '../version.js'
import { aligned } from '../../text/index.js'

/** Milliseconds until a server is asked again that was not there. */
const AGAIN_MS = 1000

/** The same as an entrant's labels in a contest file. */
const LABEL = /^[a-z0-9][a-z0-9-]{0,39}$/

/**
 * Plays the runs on a server, `slots` jobs at the same time, until the context's signal; what is under way then is played to its end or handed back.
 * `labels`: what this machine has that entrants may need. `on` is called once the worker is announced. Throws UserError if the store is on no server.
 */
export async function runWorker(
  { noIsolation, labels, slots }: Pick<IsolationOptions, 'noIsolation'> & Pick<WorkerInfo, 'labels' | 'slots'>,
  context: Context,
  on: (info: WorkerInfo) => void,
): Promise<void> {
  const { workspace, notice, signal, spell } = context
  const odd = labels.find((label) => !LABEL.test(label))
  if (odd !== undefined)
    throw new UserError(
      message`${option('labels', odd)}: a label consists of lower-case letters, digits and dashes, as in an entrant's labels = ["gpu"]`,
    )
  distrust(workspace)
  const store = await storeThere(context)
  if (store === undefined) return
  const { folder: rooms, release } = roomsFolder(workspace)
  try {
    const server = serverOf(store, 'a worker')
    const isolation = await findBotIsolation({ noIsolation }, [{ house: true }, { house: false }], context)
    const info = workerInfoOf({ slots, labels, toolchains: await toolsHere() }, isolation)
    const machine = { store: server, workspace, isolation, slots, agon: info.agon, note: notice }
    const worker = await QueueWorker.start({ ...machine, info, rooms, spell })
    on(info)
    await new Promise<void>((done) => whenAborted(signal, done))
    await worker.stop()
  } finally {
    release()
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

export function workerInfoOf(
  terms: Pick<WorkerInfo, 'labels' | 'slots' | 'toolchains'>,
  { maker }: BotIsolation,
): WorkerInfo {
  const host = hostname()
  return {
    id: `${host.replace(/[^\w-]/g, '_').slice(0, 40)}-${randomBytes(4).toString('hex')}`,
    host,
    pid: process.pid,
    agon: VERSION,
    cores: availableParallelism(),
    ...terms,
    isolation: maker === undefined ? 'none' : 'cells',
  }
}

/** The workers on a server that had a heartbeat within the last hour, the oldest first. Throws UserError if the store is on no server. */
export function workersThere(context: Context): Promise<readonly WorkerSeen[]> {
  const work = async (store: Store) => new Registry(serverOf(store, message`${command('workers')}`).sql).workers()
  return withStore(context, work, true)
}

export function workersText(workers: readonly WorkerSeen[], spell?: Spell): string {
  if (workers.length === 0) return spelled(message`no workers: ${command('worker')} starts one`, spell)
  const column = (head: string, cell: (worker: WorkerSeen) => string, right = false) => ({
    head,
    cells: workers.map((one) => visible(cell(one))),
    right,
  })
  const table = aligned([
    column('Worker', ({ id }) => id),
    column('Cores', ({ cores }) => String(cores), true),
    column('Slots', ({ slots }) => String(slots), true),
    column('Labels', ({ labels }) => labels.join(', ')),
    column('Plays', ({ playing }) => [...new Set(playing.map(({ run }) => run))].join(', ')),
    column('Matches', ({ matches }) => String(matches), true),
    column('A second', (worker) => rateOf(worker), true),
    column('Faults', ({ faults }) => String(faults), true),
    column('Seen', ({ silent }) => `${Math.round(silent)} s ago`, true),
  ]).trimEnd()
  const notes = workers.flatMap(({ id, aside }) =>
    aside === undefined ? [] : [visible(`${id} gets nothing more until it is started anew: ${aside}`)],
  )
  return [table, ...notes].join('\n')
}

function rateOf({ matches, since, heard }: WorkerSeen): string {
  const seconds = (Date.parse(heard) - Date.parse(since)) / 1000
  return seconds < 1 ? '' : (matches / seconds).toFixed(1)
}
