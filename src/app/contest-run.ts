import { type Contest, type GameDefinition, spelled } from '../core/index.js'
import type { ResolvedContest } from '../contest/index.js'
import { type RunResult, backoffOf, runTournament, type WorkerPool } from '../engine/index.js'
import { type EntrantInfo, type RunChange, type Store, isOnServer } from '../store/index.js'
import { createTournament } from '../tournament/index.js'
import { SandboxPool } from '../bots/index.js'
import { openResults, reserveResults } from '../archive/write.js'
import { type Admitted, admitEntrants, muteOf } from './admit.js'
import { type OpenRun, acquireRunLease, openRun } from './open-run.js'
import type { Context } from './context.js'
import { Control } from './control.js'
import { contestFacts } from './document.js'
import { type EntrantChanges, entrantChanges, identityOf, sourceIn, sourceOf, tournamentKey } from './identity.js'
import type { Jobs } from './jobs.js'
import { hasCycles, idsOf, planOf, specOf } from './plan.js'
import { exploitabilities } from './exploitability.js'
import { type BegunRun, noteRunFacts, keptText, mendedText, ownDealsText } from './run-beginning.js'
import { disqualify, isRunStored, removeUnplayedRun } from './run-endings.js'
import { RunBoard } from './run-board.js'
import { factsMatter } from './results.js'
import type { RunEvent, RunOutcome } from './run-events.js'
import { type RunOptions, named, narrowed } from './run-options.js'
import { keepHeapSmall } from './small-heap.js'
import { workersElsewhere } from './play-elsewhere.js'
import { summarizeRun } from './summarize-run.js'
import { VERSION } from './version.js'
import { type Rooms, roomsFolder } from './workspace.js'
import { splitEntrants } from '../workers/entrants.js'
import type { RunSetup, Workplace } from '../workers/messages.js'
import { startThreads } from '../workers/pool.js'

/** One run of a contest: opened, its entrants admitted, begun, played, summarized. */
export class ContestRun {
  private readonly began = performance.now()
  private readonly definition: GameDefinition
  private readonly contest: Contest
  private readonly loaded: ResolvedContest
  private readonly wanted: ReturnType<typeof narrowed>['wanted']
  private readonly options: RunOptions & Jobs
  private readonly pool = new SandboxPool()
  private readonly signal: AbortSignal
  /** What a fresh run gives up is gone. */
  private cleared = false

  constructor(
    private readonly resolved: ResolvedContest,
    given: RunOptions & Jobs,
    private readonly context: Context,
    private readonly store: Store,
    private readonly on: (news: RunEvent) => void,
  ) {
    this.definition = resolved.definition
    const names = resolved.contest.entrants.map(({ name }) => name)
    this.options = named(given, names)
    const { contest, entries, wanted } = narrowed(resolved.contest, resolved.entries, this.options)
    this.contest = contest
    this.loaded = { ...resolved, contest, entries }
    this.wanted = wanted
    this.signal = context.signal ?? new AbortController().signal
  }

  async run(): Promise<RunOutcome> {
    const { store, resolved, definition, contest, options } = this
    const source = sourceOf(definition)
    const opened = await openRun(store, resolved.file, definition.game.id, contest.seed, options, source)
    reserveResults([opened.out])
    await acquireRunLease(this.store, opened.id)
    noteRunFacts(this.loaded, opened, options, this.context)
    const rooms = roomsFolder(this.context.workspace)
    try {
      const admitted = await this.admit(opened, rooms)
      this.on({ type: 'admitted' })
      const begun = await this.begin(opened, admitted)
      return await this.play(opened, begun, rooms)
    } finally {
      await this.pool.close()
      rooms.remove()
    }
  }

  private async admit({ seed, before }: OpenRun, rooms: Rooms): Promise<Admitted> {
    const { options, pool, store } = this
    const known = before === undefined ? [] : await store.entrants(before.id)
    const playing = new Map(known.map(({ name, hash }) => [name, hash]))
    const place = {
      seed,
      rooms: rooms.folder,
      jobs: options.jobs,
      pool,
      anyway: options.admitAnyway,
      elsewhere: isOnServer(store),
      calm: options.patience === undefined ? undefined : backoffOf(options.patience),
      before: before === undefined ? undefined : { playing, leftOut: before.plan.leftOut ?? [] },
    }
    this.signal.throwIfAborted()
    const admitted = await admitEntrants(this.loaded, place, options, this.context)
    this.signal.throwIfAborted()
    return admitted
  }

  /** Makes the run known to the store and its results folder its own. A format that does not fit throws, before anything is begun. */
  private async begin(opened: OpenRun, admitted: Admitted): Promise<BegunRun> {
    const { contest, definition, store, options } = this
    const { id, seed, out, before } = opened
    const { entrants, infos, leftOut } = admitted
    const cycles = hasCycles(contest, entrants, before?.plan)
    const identity = identityOf(contest, definition, seed, infos, options, cycles)
    const comings = before && entrantChanges(out, before.identity, identity)
    const goesOn = before !== undefined && comings === undefined
    const spec = specOf(
      contest,
      definition,
      entrants,
      seed,
      this.wanted,
      goesOn ? before.plan : undefined,
      options.history,
      cycles,
    )
    createTournament(spec)
    const ownDeals = before === undefined ? ownDealsText(contest, definition, entrants) : undefined
    if (ownDeals !== undefined && !this.cleared) this.context.notice(ownDeals)
    if (!this.cleared) await opened.clear(identity)
    this.cleared = true
    const facts = contestFacts(this.resolved, contest, seed)
    const tournament = tournamentKey(identity)
    const source = before === undefined ? sourceIn(identity) : before.plan.source
    const game = {
      gameFile: facts.gameFile,
      source,
    }
    const plan = planOf(contest, spec, options, game, muteOf(leftOut))
    const is = { agon: VERSION, title: contest.title, tournament, identity, plan }
    await this.enroll(opened, is, infos, comings)
    const names = new Set(spec.names)
    for (const one of options.excluded ?? []) if (names.has(one.name)) await store.exclude(id, one)
    if (options.results !== false) await openResults(out, facts)
    return { admitted, spec, facts, tournament, plan }
  }

  /** Makes the run known to the store, with its entrants: a new one, or one that goes on, as it was or with others. */
  private async enroll(
    { id, seed, out, before }: OpenRun,
    is: RunChange,
    infos: readonly EntrantInfo[],
    comings: EntrantChanges | undefined,
  ): Promise<void> {
    const { store, definition } = this
    if (before === undefined) {
      const { id: game, version } = definition.game
      const began = new Date().toISOString()
      await store.addRun(
        { id, ...is, contest: this.resolved.file, game, version, seed, out, began, state: 'open' },
        infos,
      )
      return
    }
    const { notice, spell } = this.context
    notice(await keptText(store, before, comings))
    if (sourceIn(before.identity) !== sourceIn(is.identity)) notice(spelled(mendedText(before), spell))
    await store.note(id, 'went on', {})
    if (comings === undefined) await store.setState(id, 'open')
    else await store.changeRun(id, is, infos, { ...comings })
  }

  private async play(opened: OpenRun, begun: BegunRun, rooms: Rooms): Promise<RunOutcome> {
    const { store, contest, definition, options } = this
    const { id, out, before } = opened
    const board = new RunBoard(this.contest.title, (results) => schedule.standings(results))
    const { notice, spell } = this.context
    const schedule = new Control(store, id, begun.spec, (text) => notice(spelled(text, spell)))
    try {
      await schedule.look()
      this.on({ type: 'began', run: id, out, board })
      const result = await this.playMatches(opened, begun, rooms, schedule, board)
      this.on({ type: 'ended' })
      const place = {
        definition,
        options: contest.options,
        limits: contest.limits,
        rooms: rooms.folder,
        signal: this.signal,
      }
      const measured = await exploitabilities(begun.admitted, place)
      const since = this.began
      const about = { store, contest, definition, options, opened, begun, schedule, board, result, measured, since }
      return await summarizeRun(about, (outcome) => {
        if (result.finished) this.on({ type: 'table', outcome })
      })
    } catch (error) {
      this.on({ type: 'ended' })
      if (before === undefined && (await removeUnplayedRun(store, id, out))) throw error
      if (await isRunStored(store, id)) this.on({ type: 'kept', out })
      throw error
    } finally {
      schedule.close()
    }
  }

  private async playMatches(
    { id, seed }: OpenRun,
    { admitted, spec, facts, tournament, plan }: BegunRun,
    rooms: Rooms,
    schedule: Control,
    board: RunBoard,
  ): Promise<RunResult> {
    const { contest, definition, options, context } = this
    const { jobs, timed, maxFaults } = options
    const { entrants, infos } = admitted
    const shared = {
      options: contest.options,
      ids: idsOf(seed, entrants),
      seed,
      limits: contest.limits,
      source: plan.source,
      steps: contest.steps,
    }
    const { gameFile } = facts
    keepHeapSmall(isOnServer(this.store))
    const place = { rooms: rooms.folder, timed, gameFile }
    const here = { id, loaded: this.loaded, admitted, shared, ...place }
    const workers = await workersElsewhere(here, options, this.store, context)
    const startWorkers =
      workers === undefined && workerStarter(definition, admitted, shared, place, jobs, context.notice)
    return runTournament({
      ...shared,
      ...place,
      definition,
      tournament,
      schedule,
      entrants,
      hashes: infos.map(({ hash }) => hash),
      scored: contest.scoring.by === 'score',
      factsMatter: factsMatter(spec),
      jobs,
      store: this.store,
      id,
      backoff: options.patience === undefined ? undefined : backoffOf(options.patience),
      startWorkers: startWorkers === false ? undefined : startWorkers,
      workers,
      signal: this.signal,
      isActive: (entrant) => schedule.isActive(entrant),
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
        this.on(event)
      },
    })
  }
}

/** What starts the threads that play a run's jobs; undefined: it is played by this thread alone. */
function workerStarter(
  definition: GameDefinition,
  { entrants, prepared, isolation }: Admitted,
  shared: Omit<RunSetup, 'game' | 'entrants'>,
  place: Pick<Workplace, 'rooms' | 'timed' | 'gameFile'>,
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
