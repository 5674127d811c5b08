import { availableParallelism } from 'node:os'
import { runWorker, workersText, workersThere } from '../app/manage/workers.js'
import { flagOf } from '../app/flag.js'
import { abortOnSignals } from './exit.js'
import { ISOLATION, STORE, contextOf } from './options.js'
import { notify, print, printEither, printJson } from './terminal.js'
import { count, flag, parted, value, verb } from './verb.js'

export const workerCommand = verb({
  options: {
    ...STORE,
    unsafeNoIsolation: ISOLATION.unsafeNoIsolation,
    labels: value('<names>', 'labels that entrants may require, such as gpu, separated by commas', parted),
    slots: value('<n>', 'matches played at the same time (default: one per core)', count),
    json: flag('first a line of JSON with its id'),
  },
  async run(given) {
    const { labels = [], slots = availableParallelism(), json, unsafeNoIsolation: noIsolation } = given
    const { signal } = abortOnSignals(() =>
      notify('stopping: matches are finished or handed back (Ctrl-C again ends at once)'),
    )
    await runWorker({ noIsolation, labels, slots }, { ...contextOf(given), signal }, ({ id, cores }) => {
      if (json) printJson({ id }, 0)
      else print(`worker ${id}: ${slots} at once on ${cores} cores, for the runs of this store (Ctrl-C ends it)`)
    })
  },
})

export const workersCommand = verb({
  options: { ...STORE, json: flag('as JSON') },
  async run(given) {
    const workers = await workersThere(contextOf(given))
    printEither(given, workers, () => workersText(workers, flagOf))
  },
})
