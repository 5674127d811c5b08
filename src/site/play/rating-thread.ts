import { Worker } from 'node:worker_threads'
import type { Context } from '../../app/context.js'
import type { RatedRun } from './rate-run.js'

/** What a thread is to rate: a run of this workspace, or of its server. */
export interface RatingTask extends Pick<Context, 'workspace' | 'server'> {
  readonly run: string
}

const fromSource = import.meta.url.endsWith('.ts')
/** Node takes no loader for a thread's first module: where nothing was compiled, it is loaded by the second. */
const FROM_SOURCE = fromSource
  ? `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ register }) => (register(), import(${JSON.stringify(new URL('rating-worker.ts', import.meta.url).href)})))`
  : ''

/** Rates a run in a thread of its own, which ends with it and gives its memory back. Rejects where the thread fails, or the signal ends it. */
export function rateInThread(task: RatingTask, signal: AbortSignal): Promise<RatedRun> {
  const options = { workerData: task, trackUnmanagedFds: false }
  const worker = fromSource
    ? new Worker(FROM_SOURCE, { ...options, eval: true })
    : new Worker(new URL('../../bundle/rating-worker.js', import.meta.url), options)
  worker.unref()
  const end = (): void => void worker.terminate()
  signal.addEventListener('abort', end)
  return new Promise<RatedRun>((done, failed) => {
    worker.on('message', done)
    worker.on('error', failed)
    worker.on('exit', (code) => failed(new Error(`the thread ended with code ${code}`)))
  }).finally(() => signal.removeEventListener('abort', end))
}
