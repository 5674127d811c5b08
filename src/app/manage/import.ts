import { existsSync } from 'node:fs'
import { UserError } from '../../core/index.js'
import { readRun, readJobs } from '../../results/file.js'
import type { JobDump, RatingRow, StoredRun, Store } from '../../store/index.js'
import { counted } from '../../text/index.js'
import { checkArchive } from './archive-check.js'
import type { Context } from '../context.js'
import type { Exported } from './export.js'
import { openStoreOf } from '../open-store.js'
import { strengthsAtEnd } from '../compare/run-strengths.js'
import { standingsOfRun, gameOf } from '../stored.js'

export interface Imported extends Exported {
  /** The file of the store that holds it now. */
  readonly store: string
  /** The file of its contest, where it was played. */
  readonly contest: string
}

/**
 * Rebuilds a run from a file that `exportRun` wrote. Nothing in it is believed: all that can be computed is compared first, and each
 * match judged again. `gameFile`: of a game that does not come with agon; it is run. Throws UserError for a file that is not there,
 * or the first thing in it that does not fit, and the signal's reason; then nothing is imported.
 */
export async function importRun(file: string, gameFile: string | undefined, context: Context): Promise<Imported> {
  if (!existsSync(file)) throw new UserError(`${file}: no such file`)
  const { signal, notice } = context
  const dump = await readRun(file)
  const definition = await gameOf(dump.run, gameFile)
  const unjudged = await checkArchive(file, dump, until(signal, readJobs(file)), definition)
  if (unjudged > 0)
    notice(
      `${counted(unjudged, 'match was', 'matches were')} played by version ${dump.run.game.version} of ${definition.game.id}, and this agon has version ${definition.game.version}: not judged again, taken as the archive tells`,
    )
  signal?.throwIfAborted()
  const store = await openStoreOf(context)
  try {
    // Once begun it is done: half a run would be there otherwise.
    await store.load({ ...dump, ratings: [] }, () => readJobs(file))
    const run = await store.run(dump.run.id)
    if (run !== undefined && dump.ratings.length > 0) await rateAnew(store, run, dump.ratings)
    return { run: dump.run.id, matches: run?.matches ?? 0, store: store.where, contest: dump.run.file }
  } finally {
    await store.close()
  }
}

/**
 * Keeps the ratings of a run as its matches give them. Those of the archive that are the same but for the order of sums stay, so that the
 * run's next archive has the same bytes.
 */
async function rateAnew(store: Store, run: StoredRun, told: readonly RatingRow[]): Promise<void> {
  const { ratings } = await strengthsAtEnd(store, run, await standingsOfRun(store, run))
  const by = new Map(told.map((row) => [`${row.kind} ${row.entrant}`, row]))
  const kept = ratings.map((row) => {
    const same = by.get(`${row.kind} ${row.entrant}`)
    return same !== undefined &&
      isClose(same.value, row.value) &&
      isClose(same.low, row.low) &&
      isClose(same.high, row.high)
      ? same
      : row
  })
  await store.saveRatings(run.id, kept)
}

const isClose = (a: number, b: number): boolean => a === b || Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b))

/** The jobs up to where the signal ends them: then its reason is thrown. */
async function* until(signal: AbortSignal | undefined, jobs: AsyncIterable<JobDump>): AsyncGenerator<JobDump> {
  for await (const job of jobs) {
    signal?.throwIfAborted()
    yield job
  }
}
