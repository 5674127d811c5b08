import { type Contest, type GameDefinition, type Result, type TournamentSpec, spelled } from '../core/index.js'
import type { ResolvedContest } from '../contest/index.js'
import { type RunResult, patienceOf, runTournament } from '../engine/index.js'
import { STDERR_KEPT } from '../sandbox/index.js'
import { type EntrantInfo, type RunChange, type Store, isOnServer } from '../store/index.js'
import { counted } from '../text/index.js'
import { createTournament, crosstable } from '../tournament/index.js'
import { SandboxPool } from '../bots/index.js'
import { openResults, reserveResults, writeResults } from '../archive/write.js'
import { type Admitted, admitEntrants, muteOf } from './admit.js'
import { type OpenRun, acquireRunLease, openRun } from './open-run.js'
import type { Context } from './context.js'
import { Control } from './control.js'
import { type ContestFacts, contestFacts, exploitabilityFacts, runDocument } from './document.js'
import { type Comings, comingsOf, identityOf, tournamentKey } from './identity.js'
import { keptText } from './league.js'
import type { Jobs } from './jobs.js'
import { idsOf, planOf, specOf } from './plan.js'
import { exploitabilities, exploitabilityRows } from './exploitability.js'
import type { Measured } from './policy.js'
import { ratingRowsOf, repeatOf } from './ranking/results-to-games.js'
import { strengthsOf } from './ranking/strengths.js'
import { announce } from './run-beginning.js'
import { disqualify, isThere, leftNothing, writePages } from './run-endings.js'
import { RunBoard } from './run-board.js'
import type { RunNews, RunOutcome } from './run-news.js'
import { type RunOptions, named, narrowed } from './run-options.js'
import { workerStarter } from './start-workers.js'
import { untilBelieved, workersElsewhere } from './play-elsewhere.js'
import { VERSION } from './version.js'
import { type Rooms, roomsFolder } from './workspace.js'

/** What is known once a run may begin. */
interface Begun {
  readonly admitted: Admitted
  readonly spec: TournamentSpec
  readonly facts: ContestFacts
  readonly tournament: string
}

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

  constructor(
    private readonly resolved: ResolvedContest,
    given: RunOptions & Jobs,
    private readonly context: Context,
    private readonly store: Store,
    private readonly on: (news: RunNews) => void,
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
    const opened = await openRun(store, resolved.file, definition.game.id, contest.seed, options)
    reserveResults([opened.out])
    await acquireRunLease(this.store, opened.id)
    announce(this.loaded, opened, options, this.context)
    const rooms = roomsFolder(this.context.workspace)
    try {
      const admitted = await this.admit(opened, rooms)
      this.on({ type: 'admitted' })
      const begun = await this.begin(opened, admitted)
      return await untilBelieved(opened.id, store, this.context, () => this.play(opened, begun, rooms))
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
      ...(options.admitAnyway !== undefined && { anyway: options.admitAnyway }),
      elsewhere: isOnServer(store),
      ...(options.patience !== undefined && { calm: patienceOf(options.patience) }),
      ...(before !== undefined && { before: { playing, leftOut: before.plan.leftOut ?? [] } }),
    }
    this.signal.throwIfAborted()
    const admitted = await admitEntrants(this.loaded, place, options, this.context)
    this.signal.throwIfAborted()
    return admitted
  }

  /** Makes the run known to the store and its results folder its own. A format that does not fit throws, before anything is begun. */
  private async begin(opened: OpenRun, admitted: Admitted): Promise<Begun> {
    const { contest, definition, store, options } = this
    const { id, seed, out, before } = opened
    const { entrants, infos, leftOut } = admitted
    const identity = identityOf(contest, definition, seed, infos, options)
    const comings = before && comingsOf(out, before.identity, identity)
    const goesOn = before !== undefined && comings === undefined
    const spec = specOf(
      contest,
      definition,
      entrants,
      seed,
      this.wanted,
      goesOn ? before.plan : undefined,
      options.history,
    )
    createTournament(spec)
    await opened.clear(identity)
    const facts = contestFacts(this.resolved, contest, seed)
    const tournament = tournamentKey(identity)
    const plan = planOf(contest, spec, options, facts.gameFile, muteOf(leftOut))
    const is = { agon: VERSION, title: contest.title, tournament, identity, plan }
    await this.enroll(opened, is, infos, comings)
    const names = new Set(spec.names)
    for (const one of options.excluded ?? []) if (names.has(one.name)) await store.exclude(id, one)
    if (store.lost !== undefined) await store.note(id, 'lost', { ...store.lost })
    if (options.results !== false) await openResults(out, facts)
    return { admitted, spec, facts, tournament }
  }

  /** Makes the run known to the store, with its entrants: a new one, or one that goes on, as it was or with others. */
  private async enroll(
    { id, seed, out, before }: OpenRun,
    is: RunChange,
    infos: readonly EntrantInfo[],
    comings: Comings | undefined,
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
    this.context.notice(await keptText(store, before, comings))
    await store.note(id, 'went on', {})
    if (comings === undefined) await store.setState(id, 'open')
    else await store.changeRun(id, is, infos, { ...comings })
  }

  private async play(opened: OpenRun, begun: Begun, rooms: Rooms): Promise<RunOutcome> {
    const { store } = this
    const { id, out, before } = opened
    const board = new RunBoard(this.contest.title, (results) => schedule.standings(results))
    const { notice, spell } = this.context
    const schedule = new Control(store, id, begun.spec, (text) => notice(spelled(text, spell)))
    try {
      await schedule.look()
      this.on({ type: 'began', run: id, out, board })
      const result = await this.playMatches(opened, begun, rooms, schedule, board)
      this.on({ type: 'ended' })
      const { options, limits } = this.contest
      const place = { definition: this.definition, options, limits, rooms: rooms.folder }
      const measured = await exploitabilities(begun.admitted, place)
      return await this.summarize(opened, begun, schedule, board, result, measured)
    } catch (error) {
      this.on({ type: 'ended' })
      if (before === undefined && (await leftNothing(store, id, out))) throw error
      if (await isThere(store, id)) this.on({ type: 'kept', out })
      throw error
    } finally {
      schedule.close()
    }
  }

  private async playMatches(
    { id, seed }: OpenRun,
    { admitted, facts, tournament }: Begun,
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
      ...(contest.steps !== undefined && { steps: contest.steps }),
    }
    const { gameFile } = facts
    const place = { rooms: rooms.folder, timed, ...(gameFile !== undefined && { gameFile }) }
    const here = { id, tournament, loaded: this.loaded, admitted, shared, ...place }
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
      jobs,
      store: this.store,
      id,
      ...(options.patience !== undefined && { patience: patienceOf(options.patience) }),
      ...(startWorkers && { startWorkers }),
      ...(workers && { workers }),
      signal: this.signal,
      isActive: (entrant) => schedule.isActive(entrant),
      waitWhilePaused: async (matches = 0) => {
        if (maxFaults !== undefined) await disqualify(schedule, board.faults, maxFaults)
        await schedule.waitWhilePaused()
        if (matches > 0) await options.pace?.(matches)
      },
      ...(options.watched && { onBegin: options.watched }),
      on: (event) => {
        if (event.type === 'note') context.notice(event.text)
        for (const text of board.see(event)) context.notice(text)
        this.on(event)
      },
    })
  }

  /** The table and all that belongs to it, stored and written to the results folder. */
  private async summarize(
    { id, seed, out }: OpenRun,
    { admitted, spec, facts }: Begun,
    schedule: Control,
    board: RunBoard,
    result: RunResult,
    measured: readonly (Measured | undefined)[],
  ): Promise<RunOutcome> {
    const { contest, definition, store } = this
    const { leftOut } = admitted
    const { faults } = board
    const standings = schedule.standings(result.results)
    const ranked = standings.rows.map(({ entrant }) => entrant)
    const counts = ({ seats }: Result): boolean => !seats.some((one) => schedule.isVoid(one))
    const repeated = schedule.repeated(result.results)
    const counting = [...result.results.values(), ...repeated.values()].filter(counts)
    const table = crosstable(spec.names, contest.scoring, counting, ranked)
    const rated = [...board.rated(counts), ...[...repeated.values()].filter(counts).map(repeatOf)]
    const strengths = strengthsOf(standings, rated, contest, seed)
    const { exclusions: excluded } = schedule
    const stopped = schedule.stopped(result.results)
    const game = definition.game.id
    const exploitability = exploitabilityFacts(spec.names, measured)
    const ends = { standings, faults, leftOut, excluded, stopped, strengths, exploitability }
    const about = { contest, game, seed, result, repeated, ...ends }
    const document = runDocument(about)
    const { played, reused, finished, jobKeys } = result
    // Of each entrant the end of it, whatever it wrote in the whole run.
    const stderr = new Map([...result.stderr].map(([name, text]) => [name, text.slice(-STDERR_KEPT)]))
    await store.saveStderr(id, stderr)
    const rows = ratingRowsOf(standings, strengths.elo, rated, spec.names.length, contest.scoring)
    await store.saveRatings(id, [...rows, ...exploitabilityRows(measured)])
    if (finished) await store.setState(id, 'finished')
    await store.note(id, finished ? 'finished' : 'interrupted', { played, reused })
    if (this.options.results !== false) {
      await writeResults(out, {
        title: contest.title,
        summary: `${definition.title}, ${counted(played + reused, 'match', 'matches')}${finished ? '' : ' so far'}, seed ${seed}.`,
        contest: facts,
        document,
        standings,
        crosstable: table,
        faults,
        leftOut,
        stderr,
        jobKeys,
        store,
        finished,
      })
      if (finished) await writePages(out, definition, this.options)
    }
    const took = performance.now() - this.began
    return { contest, seed, out, result, standings, ...strengths, crosstable: table, faults, leftOut, document, took }
  }
}
