import { basename } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

const isSource = import.meta.url.endsWith('.ts')

/** A thread of agon's own. `name`: its file below `src`, without the ending; bundled under its last name. */
export function threadOf(name: string, wishes: WorkerOptions = {}): Worker {
  // Descriptors that sockets have closed would be closed again at the thread's end, when they are another thread's.
  const options = { ...wishes, trackUnmanagedFds: false }
  const bundle = new URL('../bundle/', import.meta.url)
  if (!isSource) return new Worker(new URL(`${basename(name)}.js`, bundle), options)
  // Node takes no loader for a thread's first module: where nothing was compiled, the file is loaded by the second.
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  const file = JSON.stringify(new URL(`../${name}.ts`, import.meta.url).href)
  return new Worker(`import(${loader}).then(({ register }) => (register(), import(${file})))`, {
    ...options,
    eval: true,
  })
}
