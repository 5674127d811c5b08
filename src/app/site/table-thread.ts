import { Worker } from 'node:worker_threads'
import type { StoredRun } from '../../store/index.js'
import type { Context } from '../context.js'
import type { FoundContest } from './found-contest.js'
import type { TableAsked } from './table-source.js'

/** A request to the thread, and its answer: a text. */
export interface TableRequest {
  readonly n: number
  readonly found: FoundContest
  readonly asked: TableAsked
}
export type TableResponse = { readonly n: number } & ({ readonly text: string } | { readonly failed: string })

/** What the thread opens. */
export type TableWorkplace = Pick<Context, 'workspace' | 'server'>

/** Milliseconds without work after which the thread ends, and gives back its memory. */
const IDLE_MS = 30_000

const fromSource = import.meta.url.endsWith('.ts')
/** Node takes no loader for a thread's first module: where nothing was compiled, it is loaded by the second. */
const FROM_SOURCE = fromSource
  ? `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ register }) => (register(), import(${JSON.stringify(new URL('table-worker.ts', import.meta.url).href)})))`
  : ''

interface Waiting {
  done(text: string): void
  failed(error: Error): void
}

/** Matches from which on a run is read in a thread apart: it ends when no request needs it any more, and gives its memory back. */
const LARGE = 50_000

/** Reads runs in threads of their own, the largest apart: all others are answered meanwhile. */
export class TableThread {
  private readonly usual: Thread
  private readonly large: Thread

  constructor(place: TableWorkplace, start = startWorker) {
    this.usual = new Thread(() => start(place))
    this.large = new Thread(() => start(place))
  }

  /** Makes a table. Rejects where it cannot be made. */
  make(found: FoundContest, asked: TableAsked): Promise<string> {
    return this.of(found.run).ask({ found, asked })
  }

  close(): void {
    this.usual.close()
    this.large.close()
  }

  private of(run: StoredRun | undefined): Thread {
    return (run?.matches ?? 0) < LARGE ? this.usual : this.large
  }
}

function startWorker({ workspace, server }: TableWorkplace): Worker {
  const options = { workerData: { workspace, server }, trackUnmanagedFds: false }
  return fromSource
    ? new Worker(FROM_SOURCE, { ...options, eval: true })
    : new Worker(new URL('../../bundle/table-worker.js', import.meta.url), options)
}

/** A thread, started when it is needed. */
class Thread {
  private worker: Worker | undefined
  private readonly waiting = new Map<number, Waiting>()
  private sent = 0
  private idle: NodeJS.Timeout | undefined

  constructor(private readonly startOne: () => Worker) {}

  ask(request: Omit<TableRequest, 'n'>): Promise<string> {
    const worker = (this.worker ??= this.start())
    clearTimeout(this.idle)
    const n = this.sent++
    return new Promise((done, failed) => {
      this.waiting.set(n, { done, failed })
      worker.postMessage({ n, ...request } satisfies TableRequest)
    })
  }

  close(): void {
    clearTimeout(this.idle)
    void this.worker?.terminate()
  }

  private start(): Worker {
    const worker = this.startOne()
    worker.unref()
    worker.on('message', (response: TableResponse) => this.receive(response))
    const over = (why: string): void => {
      if (this.worker !== worker) return
      this.worker = undefined
      for (const one of this.waiting.values()) one.failed(new Error(`the thread of tables ended: ${why}`))
      this.waiting.clear()
    }
    worker.on('error', (error) => over(error.message))
    worker.on('exit', (code) => over(`code ${code}`))
    return worker
  }

  private receive(response: TableResponse): void {
    const waiting = this.waiting.get(response.n)
    this.waiting.delete(response.n)
    if ('text' in response) waiting?.done(response.text)
    else waiting?.failed(new Error(response.failed))
    if (this.waiting.size > 0) return
    const { worker } = this
    this.idle = setTimeout(() => {
      this.worker = undefined
      void worker?.terminate()
    }, IDLE_MS)
    this.idle.unref()
  }
}
