import { createWriteStream, existsSync, openSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { UserError } from '../../core/index.js'
import { archiveOf, readRun, readJobs } from '../../results/file.js'
import { replaceFile } from '../../results/folder-files.js'
import type { Context } from '../context.js'
import { type RunRef, withRun, standingsOfRun, gameOf } from '../stored.js'
import type { JobDump, RatingRow, StoredRun, Store } from '../../store/index.js'
import { counted } from '../../text/index.js'
import { withStore } from '../open-store.js'
import { countMatches, strengthsOf } from '../compare/strengths.js'
import { checkArchive } from './archive-check.js'

/** Writes a new file whole or not at all. Throws UserError if it is there or the run is not; AbortError. */
export async function exportRun(ref: RunRef, file: string, context: Context) {
  if (existsSync(file)) throw new UserError(`${file} is there already: name a new file, or remove it`)
  const { signal } = context
  return withRun(ref.contest, ref.run, context, async (store, run) => {
    const bytes = archiveOf(await store.dump(run.id), store.jobs(run.id))
    await replaceFile(file, (own) => {
      // Opened at once: a stream still opening it at an abort would make it after it was removed.
      const into = createWriteStream(own, { fd: openSync(own, 'wx') })
      return pipeline(Readable.from(bytes), createGzip(), into, { signal })
    })
    return { run: run.id, matches: run.matches }
  })
}

/**
 * Rebuilds a run from a file that `exportRun` wrote; nothing in it is believed, and each match is judged again. `gameFile`: of a game that does not
 * come with agon; it is run. Throws UserError and the signal's reason, and then nothing is imported. `contest`: its contest's file, as then.
 */
export async function importRun(file: string, gameFile: string | undefined, context: Context) {
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
  const load = async (store: Store) => {
    // Not ended halfway: half a run would be left.
    await store.load({ ...dump, ratings: [] }, () => readJobs(file))
    const run = await store.run(dump.run.id)
    if (run !== undefined && dump.ratings.length > 0) await rateAnew(store, run, dump.ratings)
    return { run: dump.run.id, matches: run?.matches ?? 0, store: store.where, contest: dump.run.file }
  }
  return withStore(context, load, true)
}

/**
 * Keeps ratings as the matches give them; where rounding alone differs, as told: the next archive has the same bytes.
 */
async function rateAnew(store: Store, run: StoredRun, told: readonly RatingRow[]): Promise<void> {
  const { standings } = await standingsOfRun(store, run)
  const { ratings } = strengthsOf((await countMatches(store, run, standings)).played, run, standings)
  const by = new Map(told.map((row) => [`${row.kind} ${row.entrant}`, row]))
  const kept = ratings.map((row) => {
    const before = by.get(`${row.kind} ${row.entrant}`)
    const numbers = ['value', 'low', 'high'] as const
    return before !== undefined && numbers.every((number) => isClose(before[number], row[number])) ? before : row
  })
  await store.saveRatings(run.id, kept)
}

const isClose = (a: number, b: number): boolean => a === b || Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b))

/** Throws the signal's reason. */
async function* until(signal: AbortSignal | undefined, jobs: AsyncIterable<JobDump>): AsyncGenerator<JobDump> {
  for await (const job of jobs) {
    signal?.throwIfAborted()
    yield job
  }
}
