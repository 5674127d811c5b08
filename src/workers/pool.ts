import { join } from 'node:path'
import { WorkerLostError, type WorkerPool } from '../engine/index.js'
import { coresAllowed } from '../sandbox/index.js'
import type { Run } from '../core/index.js'
import { Thread, type ThreadPlace } from './thread.js'

/**
 * Threads of this process that play jobs, one a core at most. Where they take up all cores, each thread's bots are bound to its core: a
 * short turn then costs half as much, and no thread waits for another's. An ended thread is replaced.
 */
export async function startThreads(
  run: Run,
  { rooms, timed, ...place }: Omit<ThreadPlace, 'core'>,
  jobs: number,
  note: (text: string) => void,
): Promise<WorkerPool> {
  const cores = coresAllowed()
  const size = Math.min(jobs, Math.max(1, cores.length))
  let started = 0
  const start = (i: number): Thread => {
    const share = {
      rooms: join(rooms, `worker-${started++}`),
      timed: timed === undefined ? undefined : Math.max(1, Math.floor(timed / size)),
      core: size === cores.length ? (cores[i] as number) : undefined,
    }
    return new Thread({ run, place: { ...place, ...share } }, note)
  }
  const threads = Array.from({ length: size }, (_, i) => start(i))
  try {
    await Promise.all(threads.map(({ ready }) => ready))
  } catch (error) {
    await Promise.all(threads.map((thread) => thread.end()))
    throw error
  }
  const gone: Thread[] = []
  let closed = false
  return {
    async play(batch) {
      if (closed) throw new WorkerLostError('the workers have ended')
      for (const [i, thread] of threads.entries()) {
        if (!thread.isLost) continue
        gone.push(thread)
        threads[i] = start(i)
      }
      const idle = threads.reduce((least, one) => (one.load < least.load ? one : least))
      return idle.play(batch)
    },
    async look(keys, seen) {
      const parts = await Promise.all(threads.map((thread) => thread.look(keys, seen)))
      return parts.find((part) => part !== undefined)
    },
    abandon(keys) {
      for (const thread of threads) thread.abandon(keys)
    },
    async close() {
      closed = true
      const all = await Promise.all([...gone, ...threads].map((thread) => thread.end()))
      const stderr = new Map<string, string>()
      for (const [name, text] of all.flat()) stderr.set(name, (stderr.get(name) ?? '') + text)
      return stderr
    },
  }
}
