import { type Spell, UserError, command, message, option, spelled, visible } from '../../core/index.js'
import { type ServerStore, isOnServer } from '../../store/index.js'
import { aligned } from '../../text/index.js'
import { Registry, type WorkerSeen } from '../../workers/queue/registry.js'
import type { Context } from '../context.js'
import { openStoreOf } from '../open-store.js'

/** The workers on a server that had a heartbeat within the last hour, the oldest first. Throws UserError where there is no server. */
export const workersThere = (context: Context): Promise<readonly WorkerSeen[]> =>
  onServer(context, (store) => new Registry(store.sql).workers())

async function onServer<T>(context: Context, work: (store: ServerStore) => Promise<T>): Promise<T> {
  const store = await openStoreOf(context)
  try {
    if (!isOnServer(store))
      throw new UserError(
        message`workers share a store on a server: give ${option('store', 'postgres://…')}, AGON_STORE or DATABASE_URL`,
      )
    return await work(store)
  } finally {
    await store.close()
  }
}

/** A line a worker, for people. */
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

/** Matches a second since it came. */
function rateOf({ matches, since, heard }: WorkerSeen): string {
  const seconds = (Date.parse(heard) - Date.parse(since)) / 1000
  return seconds < 1 ? '' : (matches / seconds).toFixed(1)
}
