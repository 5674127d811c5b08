import { availableParallelism } from 'node:os'
import type { Command } from 'commander'
import { runWorker, workersText, workersThere } from '../app/manage/workers.js'
import { flagOf } from '../app/flag.js'
import { type StoreFlags, addWorkspaceOption, contextOf, count, parted } from './options.js'
import { abortOnSignals } from './exit.js'
import { notify, print, printJson } from './terminal.js'

interface WorkerFlags extends StoreFlags {
  readonly unsafeNoIsolation?: true
  readonly labels?: readonly string[]
  readonly slots?: number
  readonly json?: boolean
}

export function workerCommand(command: Command): void {
  addWorkspaceOption(command)
    .option('--unsafe-no-isolation', 'run all bots among your own processes: they can read your files')
    .option('--labels <names>', 'labels that entrants may require, such as gpu, separated by commas', parted)
    .option('--slots <n>', 'matches played at the same time (default: one per core)', count)
    .option('--json', 'first a line of JSON with its id')
    .action(work)
}

async function work(given: WorkerFlags): Promise<void> {
  const { labels = [], slots = availableParallelism(), json, unsafeNoIsolation: noIsolation } = given
  const { signal } = abortOnSignals(() =>
    notify('stopping: matches are finished or handed back (Ctrl-C again ends at once)'),
  )
  const context = { ...contextOf(given), signal }
  await runWorker({ noIsolation, labels, slots }, context, ({ id, cores }) => {
    const what = `worker ${id}: ${slots} at once on ${cores} cores, for the runs of this store (Ctrl-C ends it)`
    if (json) printJson({ id }, 0)
    else print(what)
  })
}

export function workersCommand(command: Command): void {
  addWorkspaceOption(command)
    .option('--json', 'as JSON')
    .action(async (given: StoreFlags & { readonly json?: boolean }) => {
      const workers = await workersThere(contextOf(given))
      if (given.json) printJson(workers)
      else print(workersText(workers, flagOf))
    })
}
