import { availableParallelism } from 'node:os'
import type { Command } from 'commander'
import { runWorker } from '../app/worker.js'
import {
  type IsolationFlags,
  type StoreFlags,
  addIsolationOptions,
  addWorkspaceOption,
  contextOf,
  isolationOf,
  count,
  parted,
} from './options.js'
import { untilSignal } from './signals.js'
import { notify, print, printJson } from './terminal.js'

interface WorkerFlags extends IsolationFlags, StoreFlags {
  readonly labels?: readonly string[]
  readonly slots?: number
  readonly game?: readonly string[]
  readonly trustGames?: boolean
  readonly json?: boolean
}

export function workerCommand(command: Command): void {
  addIsolationOptions(addWorkspaceOption(command))
    .option('--labels <names>', 'labels that entrants may require, such as gpu, separated by commas', parted)
    .option('--slots <n>', 'matches played at the same time (default: one per core)', count)
    .option('--game <file...>', 'the file of a game that does not come with agon: runs of the same files are played')
    .option(
      '--trust-games',
      'run the game of any run in this store: everyone who can write to the store can then run code here',
    )
    .option('--json', 'first a line of JSON with its id')
    .action(work)
}

async function work(given: WorkerFlags): Promise<void> {
  const { labels = [], slots = availableParallelism(), json, game: games = [], trustGames = false } = given
  const ending = new AbortController()
  void untilSignal().then(() => {
    notify('stopping: matches are finished or handed back (Ctrl-C again ends at once)')
    ending.abort()
  })
  const context = { ...contextOf(given), signal: ending.signal }
  await runWorker({ ...isolationOf(given), labels, slots, games, trustGames }, context, ({ id, cores }) => {
    const what = `worker ${id}: ${slots} at once on ${cores} cores, for the runs of this store (Ctrl-C ends it)`
    if (json) printJson({ id }, 0)
    else print(what)
  })
}
