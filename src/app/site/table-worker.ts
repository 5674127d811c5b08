import { parentPort, workerData } from 'node:worker_threads'
import { games } from '../../games/index.js'
import { openSiteStore } from '../../store/index.js'
import { openStoreOf } from '../open-store.js'
import type { TableRequest, TableResponse, TableWorkplace } from './table-thread.js'
import { type TableSource, tableText } from './table-text.js'

/* The thread that makes tables of large runs: it has the files open for itself, and only reads them. */

const { workspace, server } = workerData as TableWorkplace
const port = parentPort
if (port === null) throw new Error('started by agon as a thread, not by hand')
const source: TableSource = {
  workspace,
  store: await openStoreOf({ workspace, ...(server !== undefined && { server }), notice: () => undefined }),
  site: openSiteStore(workspace),
  games,
}

async function respond({ n, found, asked }: TableRequest): Promise<TableResponse> {
  try {
    return { n, text: await tableText(source, found, asked) }
  } catch (error) {
    return { n, failed: error instanceof Error ? error.message : String(error) }
  }
}

let last: Promise<void> = Promise.resolve()
port.on('message', (request: TableRequest) => {
  last = last.then(async () => port.postMessage(await respond(request)))
})
