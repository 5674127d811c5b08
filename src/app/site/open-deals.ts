import type { MatchRecord } from '../../core/index.js'
import type { HostedContest, RunSummary } from '../../store/index.js'
import { contestFile } from './site-files.js'
import { type DealtMatch, DealSchedules, versionIn } from './deal-schedules.js'
import type { RunsInProgress } from './progress.js'
import type { TableSource } from './table-source.js'
import type { TableThread } from './table-thread.js'

/** Matches from which on a run's schedule is looked at in a thread of its own, so that no other request waits for it. */
const MANY = 5000
/** Milliseconds until luck is taken to be in use because the thread has not answered. */
const PATIENCE_MS = 1000
/** Matches whose luck was found to be free that are remembered. */
const FREE = 50_000
/** Matches of which it is remembered what the thread said, and for how many milliseconds while nothing more is played. */
const ASKED = 1000
const ASKED_MS = 2000

type Where = Pick<TableSource, 'store' | 'site' | 'workspace'> & { readonly progress: RunsInProgress }

/**
 * Tells whether a match is still to be played with the luck of this one. Matches of the same entrants and deal share it, so it is secret
 * until all of them are over; from then on it is public.
 */
export class OpenDeals {
  private readonly schedules = new DealSchedules()
  /** Numbers of matches. */
  private readonly free = new Set<number>()
  /** By number: what the thread says, or will say, of a run as it was then. */
  private readonly asked = new Map<
    number,
    { readonly of: string; readonly at: number; readonly due: Promise<boolean> }
  >()

  constructor(private readonly thread?: Pick<TableThread, 'isDue'>) {}

  /** `match`: its number; `holding`: the runs that hold it. */
  async isOpen(context: Where, match: number, holding: readonly RunSummary[], record: MatchRecord): Promise<boolean> {
    if (this.free.has(match)) return false
    const hosted = await context.site.contests()
    for (const run of holding) {
      const contest = hosted.find(({ id }) => contestFile(context, id) === run.contest)
      const current = contest === undefined ? run : await currentRun(context, contest)
      if (current === undefined) return true
      if (
        current.state !== 'finished' &&
        isDealtIn(current, run, record) &&
        (await this.isDue(context, match, contest?.id ?? run.id, current, record))
      )
        return true
    }
    this.free.add(match)
    if (this.free.size > FREE) for (const [oldest] of this.free.entries()) return (this.free.delete(oldest), false)
    return false
  }

  private async isDue(
    context: Where,
    number: number,
    contest: string,
    run: RunSummary,
    record: MatchRecord,
  ): Promise<boolean> {
    // A pairing may be played on in a later round, with the deal of its last match.
    if (run.plan.format.kind === 'elimination') return true
    const { key = '', seats, luck } = record
    const known = context.progress.isDealDue(contest, key)
    // What an entrant that is out has not played is not played any more: the schedule tells.
    if (known === false || (known === true && !(await isAnyOut(context, run, seats)))) return known
    const match = { key, names: seats.map(({ entrant }) => entrant), seed: luck.seed }
    const { planned = run.matches } = context.progress.of(contest, run)
    if (this.thread === undefined || Math.max(planned, run.matches) < MANY)
      return this.schedules.isDue(context.store, run, match)
    const due = this.askThread(this.thread, number, run, match)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<true>((done) => (timer = setTimeout(() => done(true), PATIENCE_MS).unref()))
    return Promise.race([due, late]).finally(() => clearTimeout(timer))
  }

  /** Asks once for all who look at a match before anything more is played: many look at the newest. */
  private askThread(
    thread: Pick<TableThread, 'isDue'>,
    number: number,
    run: RunSummary,
    match: DealtMatch,
  ): Promise<boolean> {
    const of = JSON.stringify([run.id, run.state, run.matches])
    const known = this.asked.get(number)
    if (known?.of === of && performance.now() - known.at < ASKED_MS) return known.due
    const asked = { of, at: performance.now(), due: thread.isDue(run, match) }
    asked.due.catch(() => this.asked.get(number) === asked && this.asked.delete(number))
    this.asked.delete(number)
    this.asked.set(number, asked)
    for (const oldest of this.asked.keys()) {
      if (this.asked.size <= ASKED) break
      this.asked.delete(oldest)
    }
    return asked.due
  }
}

/** The run that decides what is still to be played in a contest: the one that counts. */
const currentRun = async ({ store }: Where, { run }: HostedContest): Promise<RunSummary | undefined> =>
  run === undefined ? undefined : store.run(run)

async function isAnyOut({ store }: Where, run: RunSummary, seats: MatchRecord['seats']): Promise<boolean> {
  const out = await store.exclusions(run.id)
  return seats.some(({ entrant }) => out.some(({ name }) => name === entrant))
}

/** Whether the same versions play in both runs: another version is dealt other luck. */
const isDealtIn = (current: RunSummary, run: RunSummary, { seats }: MatchRecord): boolean =>
  seats.every(
    ({ entrant }) => current.plan.names.includes(entrant) && versionIn(current, entrant) === versionIn(run, entrant),
  )
