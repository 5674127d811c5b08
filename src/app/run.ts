import { type Contest, type Result, type Standings, UserError, visible } from '../core/index.js'
import type { ResolvedContest } from '../contest/index.js'
import { type RunEvent, type RunResult, patienceOf, runTournament } from '../engine/index.js'
import { writeReport } from '../report/index.js'
import { type RunInfo, type Store } from '../store/index.js'
import { type Crosstable, createTournament, crosstable } from '../tournament/index.js'
import { Vacancies } from '../bots/index.js'
import { type Admitted, type LeftOut, admitEntrants, muteOf } from './admit.js'
import { claimArchive, clearArchive, reserveArchives, writeArchive } from '../archive/write.js'
import { claim, holdRun } from './claim.js'
import { Control } from './control.js'
import { hireCrew } from '../workers/pool.js'
import { contestFacts, runDocument } from './document.js'
import { type EloTable, eloTable } from './elo.js'
import { interrupt } from '../cli/exit.js'
import type { Jobs } from './jobs.js'
import { type FaultCount, countFaults } from '../archive/faults.js'
import { VERSION } from './version.js'
import { openTold } from './open-store.js'
import {
  type RunOptions,
  differences,
  goOnCommand,
  identityOf,
  idsOf,
  named,
  narrowed,
  planOf,
  shortSeed,
  specOf,
  tournamentKey,
} from './plan.js'
import { printedBy } from '../workers/entrants.js'
import { Progress } from '../cli/progress.js'
import { type Rated, gamesPlayed, ratedOf, ratingRows } from './ratings.js'
import { counted, tell } from '../cli/terminal.js'
import { roomsFolder } from './workspace.js'

/** What came of a run. */
export interface Hosted {
  readonly contest: Contest
  readonly seed: string
  /** The archive's folder. */
  readonly out: string
  readonly result: RunResult
  readonly standings: Standings
  /** Of games of two. */
  readonly elo: EloTable | undefined
  readonly crosstable: Crosstable
  readonly faults: FaultCount
  readonly leftOut: readonly LeftOut[]
  /** The document that --json prints. */
  readonly document: unknown
  /** Milliseconds, set-up included. */
  readonly took: number
}

/**
 * Runs a contest to its end, or to where the signal ends it, and writes its archive. What was done before is not played again.
 * `ref` is what the user calls the contest.
 */
export async function hostContest(
  ref: string,
  resolved: ResolvedContest,
  options: RunOptions & Jobs,
  workspace: string,
  signal: AbortSignal,
): Promise<Hosted> {
  const store = openTold(workspace)
  try {
    return await host(ref, resolved, options, workspace, store, signal)
  } finally {
    await store.close()
  }
}

async function host(
  ref: string,
  resolved: ResolvedContest,
  given: RunOptions & Jobs,
  workspace: string,
  store: Store,
  signal: AbortSignal,
): Promise<Hosted> {
  const began = performance.now()
  const { kit } = resolved
  const entrantNames = resolved.contest.entrants.map(({ name }) => name)
  const options = named(given, entrantNames)
  const { contest, entries, wanted } = narrowed(resolved.contest, resolved.entries, options)
  const claimed = await claim(store, resolved.file, kit.game.id, contest.seed, options)
  const { id, seed, out, before } = claimed
  reserveArchives([out])
  await holdRun(store, id)
  if (resolved.authors !== undefined && options.matches === undefined) {
    const { repetitions } = contest.format
    tell(`a first look, with ${repetitions} repetitions; --matches ${resolved.authors} is the author's figure`)
  }
  const short = before === undefined ? shortSeed(seed, entries) : undefined
  if (short !== undefined) tell(visible(short))
  if (claimed.nothing) tell('nothing to go on with: a new run begins')
  const rooms = roomsFolder(workspace)
  const vacancies = new Vacancies()
  const calm = options.patience === undefined ? undefined : patienceOf(options.patience)
  try {
    const place = {
      seed,
      workspace,
      rooms: rooms.folder,
      jobs: options.jobs,
      vacancies,
      ...(options.admitAnyway !== undefined && { anyway: options.admitAnyway }),
      ...(calm && { calm }),
      ...(before !== undefined && { before: before.plan }),
    }
    const admission = admitEntrants({ ...resolved, contest, entries }, place, options)
    const admitted = await unlessInterrupted(signal, admission)
    const { entrants, infos, leftOut } = admitted
    const spec = specOf(contest, kit, entrants, seed, wanted, before?.plan)
    // A format that does not fit throws, before anything is begun.
    createTournament(spec)
    const identity = identityOf(contest, kit, seed, infos, options)
    if (before !== undefined) refuseChanges(out, before.identity, identity)
    await claimed.clear()
    const facts = contestFacts(resolved, contest, seed)
    const tournament = tournamentKey(identity)
    if (before === undefined) {
      const info: RunInfo = {
        id,
        agon: VERSION,
        contest: resolved.file,
        title: contest.title,
        game: kit.game.id,
        version: kit.game.version,
        seed,
        out,
        began: new Date().toISOString(),
        state: 'open',
        tournament,
        identity,
        plan: planOf(contest, spec, options, facts.gameFile, muteOf(leftOut)),
      }
      await store.addRun(info, infos)
    } else {
      await store.note(id, 'went on', {})
      await store.setState(id, 'open')
    }
    if (store.lost !== undefined) await store.note(id, 'lost', { ...store.lost })
    await claimArchive(out, facts)
    const watch = new Watch(contest.title, (results) => schedule.standings(results))
    const schedule = new Control(store, id, spec, (text) => watch.note(text))
    const { jobs, timed } = options
    const ids = idsOf(seed, entrants)
    const steps = contest.steps === undefined ? {} : { steps: contest.steps }
    const crewed = {
      game: { id: kit.game.id, ...(facts.gameFile !== undefined && { file: facts.gameFile }) },
      options: contest.options,
      entrants: admitted.prepared,
      ids,
      seed,
      limits: contest.limits,
      ...steps,
      holding: admitted.holding,
      rooms: rooms.folder,
      timed,
    }
    // A thread that is ended leaves programs behind that live in no cell.
    const mayHire = jobs > 1 && entrants.every(({ run }) => run.kind !== 'process' || run.cell !== undefined)
    try {
      await schedule.look()
      const result = await runTournament({
        kit,
        options: contest.options,
        tournament,
        schedule,
        entrants,
        hashes: infos.map(({ hash }) => hash),
        ids,
        seed,
        limits: contest.limits,
        ...steps,
        ...(facts.gameFile !== undefined && { gameFile: facts.gameFile }),
        jobs,
        store,
        id,
        rooms: rooms.folder,
        timed,
        ...(calm && { patience: calm }),
        ...(mayHire && { hire: () => hireCrew(crewed, jobs, (text) => watch.note(text)) }),
        signal,
        sits: (entrant) => schedule.sits(entrant),
        gate: async () => {
          if (options.maxFaults !== undefined) await disqualify(schedule, watch.faults, options.maxFaults)
          await schedule.gate()
        },
        on: (event) => watch.see(event),
      }).finally(() => watch.end())
      const { faults } = watch
      const standings = schedule.standings(result.results)
      const ranked = standings.rows.map(({ entrant }) => entrant)
      const counts = ({ seats }: Result): boolean => !seats.some((one) => schedule.isVoid(one))
      const counting = [...result.results.values()].filter(counts)
      const table = crosstable(spec.names, contest.scoring, counting, ranked)
      const rated = watch.rated(counts)
      const elo = eloTable(standings, gamesPlayed(rated))
      const document = runDocument({
        contest,
        game: kit.game.id,
        seed,
        result,
        standings,
        faults,
        leftOut,
        excluded: schedule.exclusions,
        stopped: schedule.stopped(result.results),
        elo,
      })
      const stderr = stderrOf(admitted, result)
      await store.saveStderr(id, stderr)
      await store.saveRatings(id, ratingRows(rated, spec.names.length))
      if (result.finished) await store.setState(id, 'finished')
      await store.note(id, result.finished ? 'finished' : 'interrupted', {
        played: result.played,
        reused: result.reused,
      })
      await writeArchive(out, {
        title: contest.title,
        summary: `${kit.title}, ${counted(result.played + result.reused, 'match', 'matches')}${result.finished ? '' : ' so far'}, seed ${seed}.`,
        contest: facts,
        document,
        standings,
        crosstable: table,
        faults,
        leftOut,
        stderr,
        units: result.units,
        store,
        finished: result.finished,
      })
      if (result.finished) await writeReport(out, kit)
      const took = performance.now() - began
      return { contest, seed, out, result, standings, elo, crosstable: table, faults, leftOut, document, took }
    } catch (error) {
      watch.end()
      if (before === undefined && (await leftNothing(store, id, out))) throw error
      if (await isThere(store, id)) tell(`what was played is kept. To go on: ${goOnCommand(ref, options, out)}`)
      throw error
    } finally {
      schedule.close()
    }
  } finally {
    await vacancies.close()
    rooms.remove()
  }
}

/** Takes back a run that failed before its first match: as the latest of its contest it would hide the one before it. */
async function leftNothing(store: Store, id: string, out: string): Promise<boolean> {
  try {
    if (((await store.run(id))?.matches ?? 0) > 0) return false
    await store.removeRun(id)
    clearArchive(out)
    return true
  } catch {
    // The file is damaged there, too: what went wrong first is told.
    return false
  }
}

/** Another agon may have removed the run, or the store itself cannot be read any more. */
const isThere = async (store: Store, id: string): Promise<boolean> => {
  try {
    return (await store.run(id)) !== undefined
  } catch {
    return true
  }
}

/** Puts those out who have that many faults. What it was that they played before does not matter then: none of it counts. */
async function disqualify(control: Control, faults: FaultCount, most: number): Promise<void> {
  for (const [name, kinds] of faults) {
    const n = Object.values(kinds).reduce((sum, count) => sum + count, 0)
    if (n >= most) await control.exclude({ name, status: 'disqualified', treatment: 'void', why: `${most} faults` })
  }
}

/** Before the first match there is nothing to keep: a signal then ends all at once. */
async function unlessInterrupted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const stop = () => interrupt('interrupted before the first match')
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  return work.finally(() => signal.removeEventListener('abort', stop))
}

function refuseChanges(
  out: string,
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): void {
  const changed = differences(before, now)
  if (changed.length === 0) return
  throw new UserError(
    `${out} cannot be gone on with, as this has changed since it began: ${changed.join(', ')}; put it back, or start again with --fresh`,
  )
}

/** Programs write to their standard error, modules print. */
function stderrOf({ entrants }: Admitted, result: RunResult): ReadonlyMap<string, string> {
  return new Map(entrants.map(({ name }) => [name, `${result.stderr.get(name) ?? ''}${printedBy(name)}`]))
}

/** Follows a run: counts faults, and shows how far it is. */
class Watch {
  readonly faults: FaultCount = new Map()
  private readonly results = new Map<string, Rated>()
  private readonly progress: Progress
  private reused = 0
  private label = ''
  private total = 0

  constructor(
    title: string,
    private readonly standings: (results: ReadonlyMap<string, Result>) => Standings,
  ) {
    this.progress = new Progress(title, () => ({
      done: this.results.size,
      total: this.total,
      reused: this.reused,
      leaders: this.leaders(),
    }))
  }

  note(text: string): void {
    this.progress.note(visible(text))
  }

  see(event: RunEvent): void {
    if (event.type === 'note') return this.note(event.text)
    if (event.type === 'round') {
      this.total = event.total
      this.label = event.round.label
      return
    }
    this.results.set(event.result.key, ratedOf(event.result, event.match.record))
    if (event.reused) this.reused++
    for (const text of countFaults(this.faults, event.match)) if (!event.reused) this.note(text)
  }

  /** Those that count, with what tells a repeated game. */
  rated(counts: (result: Result) => boolean): Rated[] {
    return [...this.results.values()].filter(counts)
  }

  end(): void {
    this.progress.end()
  }

  private leaders(): string {
    const rows = this.standings(this.results).rows.slice(0, 3)
    const leaders = rows.map(({ name, points }) => `${name} ${Math.round(points * 1000) / 1000}`)
    return [this.label, leaders.join(', ')].filter((part) => part !== '').join('; ')
  }
}
