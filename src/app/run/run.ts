import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { type Run, type Wording, message, option, spelled } from '../../core/index.js'
import type { ResolvedContest } from '../../contest/index.js'
import { type RunResult, backoffOf, runTournament } from '../../engine/index.js'
import { endWithThread, playableRun } from '../../engine/seating.js'
import { distrust } from '../../files/index.js'
import { lookAhead } from '../../sandbox/index.js'
import { SandboxPool } from '../../bots/index.js'
import type { FaultCount } from '../../results/faults.js'
import { writeReport } from '../../results/index.js'
import { clearResults, writeResults } from '../../results/write.js'
import { type RunStore, type Store, type StoredRun, isOnServer } from '../../store/index.js'
import { counted } from '../../text/index.js'
import { startThreads } from '../../workers/pool.js'
import { countMatches, strengthsOf } from '../compare/strengths.js'
import type { Context } from '../context.js'
import { reportOfRun } from '../look/report-of-run.js'
import type { Jobs } from '../machine.js'
import { serverOf, withStore } from '../open-store.js'
import { standingsOfRun } from '../stored.js'
import { roomsFolder } from '../workspace.js'
import { LiveRun } from './live-run.js'
import type { RunEvent, RunOptions } from './options.js'
import { parse } from './parse.js'
import { type PlannedRun, contestFacts, planRun } from './plan.js'
import { specOf, factsMatter } from './spec.js'
import { type RunOutcome, tableDocument } from './table.js'
import { writeTranscripts } from './transcripts.js'

/**
 * Runs a contest to its end or the context's signal, and writes its results. Nothing is played twice. Throws UserError,
 * BusyError if the machine is too busy for too long, and the signal's reason if it comes before the first match.
 */
export async function runContest(
  ref: string,
  options: RunOptions & Jobs,
  context: Context,
  on: (news: RunEvent) => void = () => undefined,
): Promise<RunOutcome> {
  distrust(context.workspace)
  // The machine is looked at while the contest is read.
  if (!options.noIsolation) lookAhead()
  const resolved = await parse(ref, options)
  const work = (store: Store): Promise<RunOutcome> => {
    if (options.workersOnly) serverOf(store, message`${option('workersOnly')}`)
    return runParsed(resolved, options, { ...context, store }, on)
  }
  return withStore(context, work, true)
}

/** With an open store. Throws as `runContest`. */
export async function runParsed(
  resolved: ResolvedContest,
  options: RunOptions & Jobs,
  context: Context & { readonly store: Store },
  on: (news: RunEvent) => void,
): Promise<RunOutcome> {
  const since = performance.now()
  const { store } = context
  const { folder: rooms, release } = roomsFolder(context.workspace)
  const pool = new SandboxPool()
  const note = (text: Wording): void => context.notice(spelled(text, context.spell))
  try {
    const planned = await planRun({ resolved, options, context, store, rooms, pool, note, on })
    return await playRun(planned, since)
  } finally {
    await pool.close()
    release()
  }
}

/** `since`: when all began, as performance.now() tells. */
async function playRun(planned: PlannedRun, since: number): Promise<RunOutcome> {
  const { run, options, store, note, on } = planned
  const { isThere } = options
  const away = isThere && ((entrant: number) => !isThere(run.entrants[entrant]?.name ?? ''))
  const live = new LiveRun(store, run.id, { ...specOf(run), away }, note)
  try {
    await live.look()
    on({ type: 'began', run, live })
    const result = await playMatches(planned, live)
    on({ type: 'ended' })
    const outcome = await summarize(planned, result, live)
    const timed = { ...outcome, took: performance.now() - since }
    if (result.finished) on({ type: 'table', outcome: timed })
    if (options.results !== false) await writeRun(timed, planned)
    return timed
  } catch (error) {
    on({ type: 'ended' })
    if (await isKept(planned, store)) on({ type: 'kept', out: run.out })
    throw error
  } finally {
    live.close()
  }
}

async function playMatches(planned: PlannedRun, live: LiveRun): Promise<RunResult> {
  const { run, isolation, resolved, options, context, store, rooms, pool } = planned
  const { jobs, timed } = options
  setFlagsFromString(`--heap-growing-percent=${isOnServer(store) ? HEAP_GROWTH.server : HEAP_GROWTH.file}`)
  const playable = playableRun(run, resolved.definition, isolation, { from: pool, seats: context.seats })
  // pg-boss is loaded only if it is needed.
  const workers = isOnServer(store)
    ? await (await import('./publish.js')).startWorkersElsewhere(planned, playable, store)
    : undefined
  // An ended thread leaves programs behind that live in no sandbox.
  const threads = workers === undefined && jobs > 1 && endWithThread(run, isolation)
  const { maxFaults } = run.contest
  return runTournament(playable, {
    schedule: live,
    place: { rooms, timed },
    factsMatter: factsMatter(specOf(run)),
    jobs,
    store,
    backoff: options.patience === undefined ? undefined : backoffOf(options.patience),
    startWorkers: threads ? () => startThreads(run, { rooms, timed, isolation }, jobs, context.notice) : undefined,
    workers,
    signal: context.signal ?? new AbortController().signal,
    isActive: (entrant) => live.isActive(entrant),
    waitWhilePaused: async (matches = 0) => {
      if (maxFaults !== undefined) await disqualify(live, live.faults, maxFaults)
      await live.waitWhilePaused()
      if (matches > 0) await options.pace?.(matches)
    },
    onPause: (abandon) => (live.onPause = abandon),
    onBegin: (underWay) => {
      live.underWay = underWay
      options.watched?.(underWay)
    },
    on: (event) => {
      if (event.type === 'note') context.notice(event.text)
      for (const text of live.see(event)) context.notice(text)
      planned.on(event)
    },
  })
}

/**
 * Percent that heaps may grow over what lives before a full collection; V8's own is several times that. Over 200,000
 * matches this halves a run's growth, at no measurable time. On a server much waits for its batch and outlives a young
 * collection: 25 would take a fifth of the processor time.
 */
const HEAP_GROWTH = { file: 25, server: 100 }

/** Puts out who has that many faults: none of their matches counts. */
export async function disqualify(live: Pick<LiveRun, 'exclude'>, faults: FaultCount, most: number): Promise<void> {
  for (const [name, kinds] of faults) {
    const n = Object.values(kinds).reduce((sum, count) => sum + count, 0)
    if (n >= most) await live.exclude({ name, status: 'disqualified', treatment: 'void', why: `${most} faults` })
  }
}

/** The table of a run that is over or interrupted, stored. */
async function summarize({ run: { id }, leftOut, store }: PlannedRun, result: RunResult, live: LiveRun) {
  const { played, reused, finished, stderr, results } = result
  const run = (await store.run(id)) as StoredRun
  const current = await standingsOfRun(store, run, { schedule: live, results })
  const sums = await countMatches(store, run, current.standings)
  const { ratings, ...strengths } = strengthsOf(sums.played, run, current.standings)
  await store.saveStderr(id, stderr)
  await store.saveRatings(id, ratings)
  if (finished) await store.setState(id, 'finished')
  await store.note(id, finished ? 'finished' : 'interrupted', { played, reused })
  // The terminal, the archive and the report show the same.
  const crosstable = current.crosstable()
  const table = { run, ...current, crosstable: () => crosstable, finished, ...strengths }
  const document = tableDocument(table, { result, leftOut, stopped: live.stopped(results) })
  return { ...table, sums, result, leftOut, document }
}

/** Writes the results folder, with the report of a run that is over, which may take a while. */
async function writeRun(outcome: RunOutcome, { resolved, options, store, on }: PlannedRun): Promise<void> {
  const { run, result, standings, faults, leftOut, document } = outcome
  const { played, reused, finished, jobKeys, stderr } = result
  const { definition } = resolved
  await writeResults(run.out, {
    title: run.contest.title,
    summary: `${definition.title}, ${counted(played + reused, 'match', 'matches')}${finished ? '' : ' so far'}, seed ${run.seed}.`,
    contest: contestFacts(resolved, run),
    document,
    standings,
    entrants: run.entrants,
    crosstable: outcome.crosstable(),
    faults,
    leftOut,
    stderr,
    jobKeys,
    store,
    finished,
  })
  if (!finished) return
  const reported = { store, run: (await store.run(run.id)) as StoredRun, definition, current: outcome }
  const { source, data } = await reportOfRun(reported, (progress) => on({ type: 'reported', progress }))
  await writeReport(run.out, data)
  if (options.transcripts) await writeTranscripts(join(run.out, 'transcripts'), source, definition)
}

/** Whether a failed run is kept. A new one without a match would hide the run before it, and is taken back. */
export async function isKept(
  { run: { id, out }, isNew }: { readonly run: Pick<Run, 'id' | 'out'>; readonly isNew: boolean },
  store: Pick<RunStore, 'run' | 'removeRun'>,
): Promise<boolean> {
  try {
    const stored = await store.run(id)
    // Another agon may have removed it.
    if (stored === undefined) return false
    if (!isNew || stored.matches > 0) return true
    await store.removeRun(id)
    clearResults(out)
    return false
  } catch {
    // The store is damaged, too: the first error is reported.
    return true
  }
}
