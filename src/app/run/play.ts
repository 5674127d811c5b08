import { spelled } from '../../core/index.js'
import { type ResolvedContest } from '../../contest/index.js'
import { type RunResult, type WorkerPool, backoffOf, runTournament } from '../../engine/index.js'
import { isOnServer } from '../../store/index.js'
import type { Context } from '../context.js'
import type { Jobs } from '../jobs.js'
import { endWithThread, playableRun } from '../../engine/seating.js'
import { startThreads } from '../../workers/pool.js'
import type { ReportProgress } from '../look/report-of-run.js'
import { RunBoard } from './board.js'
import { Control } from './control.js'
import { disqualify, isRunStored, removeUnplayedRun } from './endings.js'
import type { RunEvent, RunOutcome } from './events.js'
import type { RunOptions, RunPlace } from './options.js'
import type { PlannedRun } from './plan.js'
import { keepHeapSmall } from './small-heap.js'
import { specOf, factsMatter } from './spec.js'
import { summarizeRun, writeRun } from './summarize.js'

/** How a planned run is played. */
export interface PlayRunSetting {
  readonly resolved: ResolvedContest
  readonly options: RunOptions & Jobs
  readonly place: RunPlace
  readonly context: Context
  readonly on: (news: RunEvent) => void
  /** When all began, as performance.now() tells. */
  readonly since: number
}

/** Plays what is missing of a run, stores its table and writes its results. */
export async function playRun(planned: PlannedRun, setting: PlayRunSetting): Promise<RunOutcome> {
  const { run, isNew } = planned
  const { resolved, options, place, context, on, since } = setting
  const { store } = place
  const { notice, spell } = context
  const { isThere } = options
  const away = isThere && ((entrant: number) => !isThere(run.entrants[entrant]?.name ?? ''))
  const schedule = new Control(store, run.id, { ...specOf(run), away }, (text) => notice(spelled(text, spell)))
  const board = new RunBoard(run.contest.title, (results) => schedule.standings(results))
  try {
    await schedule.look()
    on({ type: 'began', run: run.id, out: run.out, board })
    const result = await playMatches(planned, setting, schedule, board)
    on({ type: 'ended' })
    const outcome = await summarizeRun(planned, { result, schedule, board, since }, store)
    if (result.finished) on({ type: 'table', outcome })
    const onReport = (progress: ReportProgress): void => on({ type: 'reported', progress })
    if (options.results !== false) await writeRun(outcome, { resolved, options, store, on: onReport })
    return outcome
  } catch (error) {
    on({ type: 'ended' })
    if (isNew && (await removeUnplayedRun(store, run.id, run.out))) throw error
    if (await isRunStored(store, run.id)) on({ type: 'kept', out: run.out })
    throw error
  } finally {
    schedule.close()
  }
}

async function playMatches(
  planned: PlannedRun,
  setting: PlayRunSetting,
  schedule: Control,
  board: RunBoard,
): Promise<RunResult> {
  const { run, isolation } = planned
  const { resolved, options, place, context, on } = setting
  const { store, rooms, pool } = place
  const { jobs, timed } = options
  keepHeapSmall(isOnServer(store))
  const playable = playableRun(run, resolved.definition, isolation, { from: pool, seats: context.seats })
  const workers = await workersElsewhere(planned, playable, setting)
  // A thread that is ended leaves programs behind that live in no sandbox.
  const threads = workers === undefined && jobs > 1 && endWithThread(run, isolation)
  const { maxFaults } = run.contest
  return runTournament(playable, {
    schedule,
    place: { rooms, timed },
    factsMatter: factsMatter(specOf(run)),
    jobs,
    store,
    backoff: options.patience === undefined ? undefined : backoffOf(options.patience),
    startWorkers: threads ? () => startThreads(run, { rooms, timed, isolation }, jobs, context.notice) : undefined,
    workers,
    signal: context.signal ?? new AbortController().signal,
    isActive: (entrant) => schedule.isActive(entrant) && schedule.isThere(entrant),
    waitWhilePaused: async (matches = 0) => {
      if (maxFaults !== undefined) await disqualify(schedule, board.faults, maxFaults)
      await schedule.waitWhilePaused()
      if (matches > 0) await options.pace?.(matches)
    },
    onPause: (abandon) => schedule.onPause(abandon),
    onBegin: (underWay) => {
      board.begin(underWay)
      options.watched?.(underWay)
    },
    on: (event) => {
      if (event.type === 'note') context.notice(event.text)
      for (const text of board.see(event)) context.notice(text)
      on(event)
    },
  })
}

/** Workers that share the store, if it is on a server; pg-boss is loaded only then. */
async function workersElsewhere(
  planned: PlannedRun,
  playable: ReturnType<typeof playableRun>,
  { resolved, options, place: { store, rooms }, context }: PlayRunSetting,
): Promise<WorkerPool | undefined> {
  if (!isOnServer(store)) return undefined
  const { startWorkersElsewhere } = await import('./publish.js')
  return startWorkersElsewhere(planned, playable, { resolved, options, rooms, store, context })
}
