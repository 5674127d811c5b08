import { withFlags } from '../app/run/parse.js'
import { secretSeed } from '../app/run/find.js'
import { join } from 'node:path'
import type { Entry } from '../contest/index.js'
import type { LoadedContest } from '../contest/parse.js'
import type { MatchRecord } from '../core/index.js'
import { runParsed } from '../app/run/run.js'
import { jobsOf } from '../app/jobs.js'
import { freshId } from './contestants.js'
import { trialFile } from './site-files.js'
import type { SiteContext } from './context.js'
import { Refusal } from './refusal.js'

/**
 * Plays one match by the workers that share the store, before all that waits for them; the store keeps nothing of it. `entries`: who plays, the
 * one on trial first. Throws UserError where one of them cannot play, and the signal's reason where it is aborted.
 */
export async function playElsewhere(
  loaded: LoadedContest,
  entries: readonly Entry[],
  context: SiteContext,
  signal: AbortSignal,
): Promise<{ readonly record: MatchRecord; readonly stderr: string }> {
  const { store } = context
  const file = trialFile(context)
  const format = { kind: 'free-for-all', repetitions: 1, swap: false, playoff: 0 } as const
  const contest = { ...loaded.contest, format, entrants: entries.map(({ spec }) => spec) }
  const wishes = { workersOnly: true, urgent: true, results: false, seed: secretSeed(), out: join(file, freshId()) }
  const runContext = { ...context, signal }
  const options = { ...jobsOf(undefined, undefined, runContext), ...wishes }
  let run: string | undefined
  try {
    const resolved = withFlags({ ...loaded, file, contest, entries }, options)
    const { result } = await runParsed(resolved, options, runContext, store, (news) => {
      if (news.type === 'began') run = news.run
    })
    signal.throwIfAborted()
    const [job] = result.jobKeys
    const [match] = job === undefined ? [] : ((await store.read([job])).get(job) ?? [])
    if (match === undefined) throw new Error('a trial ended without its match')
    return { record: match.record, stderr: result.stderr.get(entries[0]?.spec.name ?? '') ?? '' }
  } catch (error) {
    const why = run === undefined ? undefined : context.workers.waits(run)
    throw signal.aborted && why !== undefined ? new Refusal('conflict', `it was not played: ${why}`) : error
  } finally {
    if (run !== undefined) await store.removeRun(run)
  }
}

/** Removes what the trials of a killed site left. */
export async function removeOldTrials(context: SiteContext): Promise<void> {
  const file = trialFile(context)
  for (const run of await context.store.runs()) if (run.file === file) await context.store.removeRun(run.id)
}
