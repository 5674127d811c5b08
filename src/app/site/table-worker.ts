import { parentPort, workerData } from 'node:worker_threads'
import { games } from '../../games/index.js'
import { openSiteStore } from './db/site-store.js'
import { openStoreOf } from '../open-store.js'
import type { TableRequest, TableResponse, TableWorkplace } from './table-thread.js'
import type { TableSource } from './table-source.js'
import { tableText } from './table-text.js'

/* The thread that reads large runs for their tables: it has the files open for itself, and only reads them. */

const { workspace, server } = workerData as TableWorkplace
const port = parentPort
if (port === null) throw new Error('started by agon as a thread, not by hand')
const source: TableSource = {
  workspace,
  store: await openStoreOf({ workspace, server, notice: () => undefined }),
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

/** Tables are made one after the other. */
let last = Promise.resolve()
port.on('message', (request: TableRequest) => {
  last = last.then(async () => port.postMessage(await respond(request)))
})
