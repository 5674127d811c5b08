import { createWriteStream, existsSync, openSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { UserError } from '../../core/index.js'
import { archiveOf } from '../../results/file.js'
import { replaceFile } from '../../results/replace-file.js'
import type { Context } from '../context.js'
import { type RunRef, withRun } from '../stored.js'

/** A run that was written into one file, or read from one. */
export interface Exported {
  /** Its id. */
  readonly run: string
  readonly matches: number
}

/**
 * Writes all that the store knows of a run into a new file, which is there whole or not at all. Throws UserError where the file is
 * there already or there is no such run, and an AbortError at the context's signal.
 */
export async function exportRun(ref: RunRef, file: string, context: Context): Promise<Exported> {
  if (existsSync(file)) throw new UserError(`${file} is there already: name a new file, or remove it`)
  const { signal } = context
  return withRun(ref.contest, ref.run, context, async (store, run) => {
    const bytes = archiveOf(await store.dump(run.id), store.jobs(run.id))
    await replaceFile(file, (own) => {
      // Opened at once: a stream that is still opening it when the work is called off would make it after it was removed.
      const into = createWriteStream(own, { fd: openSync(own, 'wx') })
      return pipeline(Readable.from(bytes), createGzip(), into, { signal })
    })
    return { run: run.id, matches: run.matches }
  })
}
