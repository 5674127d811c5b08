import type { GameDefinition } from '../core/index.js'
import type { WorkerPool } from '../engine/index.js'
import { splitEntrants } from '../workers/entrants.js'
import type { RunSetup, Workplace } from '../workers/messages.js'
import { startThreads } from '../workers/pool.js'
import type { Admitted } from './admit.js'

/** What starts the threads that play a run's jobs; undefined: it is played by this thread alone. */
export function workerStarter(
  definition: GameDefinition,
  { entrants, prepared, isolation }: Admitted,
  shared: Omit<RunSetup, 'game' | 'entrants'>,
  place: Pick<Workplace, 'rooms' | 'timed' | 'gameFile' | 'parts'>,
  jobs: number,
  notice: (text: string) => void,
): (() => Promise<WorkerPool>) | undefined {
  // A thread that is ended leaves programs behind that live in no sandbox.
  const mayStart = jobs > 1 && entrants.every(({ run }) => run.kind !== 'process' || run.sandbox !== undefined)
  if (!mayStart) return undefined
  const { programs, ...field } = splitEntrants(prepared)
  const game = { id: definition.game.id, version: definition.game.version }
  return () => startThreads({ ...shared, game, ...field }, { ...place, programs, isolation }, jobs, notice)
}
