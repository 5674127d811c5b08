import type { Batches } from './boss.js'
import type { Board } from './board.js'

/** Milliseconds between two looks whether workers have handed over what bots wrote. */
const LOOK_MS = 25
/** Milliseconds that they have for it. */
const END_MS = 15_000
/** A worker has a heartbeat every three seconds: one without any for so many seconds is not waited for. */
const SILENT_S = 6

interface Leaving {
  readonly run: string
  readonly board: Pick<Board, 'end' | 'hasPlaces' | 'written' | 'unpost'>
  readonly batches: Pick<Batches, 'clear' | 'remove'>
  /** Called when workers can see that the run has ended. */
  readonly onEnded?: () => void
}

/** Ends a run's queues, and removes what was posted of it. Resolves with the end of what its bots wrote to their standard error. */
export async function leaveRun(
  { run, board, batches, onEnded }: Leaving,
  queues: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  for (const queue of queues) await batches.clear(queue)
  await board.end(run)
  onEnded?.()
  for (const end = performance.now() + END_MS; performance.now() < end && (await board.hasPlaces(run, SILENT_S));)
    await new Promise((done) => setTimeout(done, LOOK_MS))
  const written = await board.written(run)
  await board.unpost(run)
  for (const queue of queues) await batches.remove(queue)
  return written
}
