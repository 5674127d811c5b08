import { parentPort, workerData } from 'node:worker_threads'
import { games } from '../../games/index.js'
import { openSiteStore } from '../../store/index.js'
import { openStoreOf } from '../open-store.js'
import { DealSchedules } from './deal-schedules.js'
import { TableQueue } from './table-queue.js'
import type { TableRequest, TableResponse, TableWorkplace } from './table-thread.js'
import type { TableSource } from './table-source.js'
import { tableText } from './table-text.js'

/* The thread that reads large runs, for their tables and for what is still to be played: it has the files open for itself, and only reads them. */

const { workspace, server } = workerData as TableWorkplace
const port = parentPort
if (port === null) throw new Error('started by agon as a thread, not by hand')
const source: TableSource = {
  workspace,
  store: await openStoreOf({ workspace, server, notice: () => undefined }),
  site: openSiteStore(workspace),
  games,
}

const schedules = new DealSchedules()

async function respond({ n, asked }: TableRequest): Promise<TableResponse> {
  try {
    if (asked.kind === 'due') return { n, text: String(await schedules.isDue(source.store, asked.run, asked.match)) }
    return { n, text: await tableText(source, asked.found, asked.asked) }
  } catch (error) {
    return { n, failed: error instanceof Error ? error.message : String(error) }
  }
}

const queue = new TableQueue(async (request) => port.postMessage(await respond(request)))
port.on('message', (request: TableRequest) => queue.add(request))
