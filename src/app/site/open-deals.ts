import { type MatchRecord, luckName, matchLuck } from '../../core/index.js'
import type { HostedContest, RunSummary } from '../../store/index.js'
import { tournamentWithout } from '../../tournament/exclusions.js'
import { resultsOf } from '../results.js'
import { specOfRun } from '../stored.js'
import { contestFile } from './contest-file.js'
import type { SiteContext } from './context.js'

/** What is still to be played of a run, as it was at a moment. */
interface Schedule {
  /** Matches that the run had then. */
  readonly matches: number
  /** Milliseconds since the epoch, and how many of them it took. */
  readonly at: number
  readonly took: number
  /** Keys of the matches that were over. */
  readonly over: ReadonlySet<string>
  /** By company: the deals of which a match is to come. */
  readonly open: ReadonlyMap<string, ReadonlySet<number>>
}

/** The share of time that may go into looking at one run again and again. */
const SHARE = 0.05
/** Runs whose schedules are kept. */
const KEPT = 8

type Where = Pick<SiteContext, 'store' | 'site' | 'workspace'>

/**
 * Tells whether somebody still plays with the luck of a match. Matches of the same entrants and deal share it, so it is nobody's to see
 * until all of them are over. A look may be some seconds old: then it says of more matches that their luck is in use, and of none that
 * it is free too early.
 */
export class OpenDeals {
  private readonly kept = new Map<string, Promise<Schedule>>()

  /** `holding`: the runs that hold the match. */
  async isOpen(context: Where, holding: readonly RunSummary[], record: MatchRecord): Promise<boolean> {
    const hosted = await context.site.contests()
    for (const run of holding) {
      const contest = hosted.find(({ id }) => contestFile(context, id) === run.contest)
      const current = contest === undefined ? run : await currentRun(context, contest)
      if (current === undefined) return true
      if (
        current.state !== 'finished' &&
        isDealtIn(current, run, record) &&
        (await this.isDue(context, current, record))
      )
        return true
    }
    return false
  }

  private async isDue(context: Where, run: RunSummary, record: MatchRecord): Promise<boolean> {
    // A pairing may be played on in a later round, with the deal of its last match.
    if (run.plan.format.kind === 'elimination') return true
    const { over, open } = await this.scheduleOf(context, run)
    if (!over.has(record.key ?? '')) return true
    const names = record.seats.map(({ entrant }) => entrant)
    const dealt = names.map((name) => luckName({ name, version: versionIn(run, name) }))
    const deals = open.get(companyOf(names)) ?? new Set<number>()
    return [...deals].some((deal) => matchLuck(run.seed, run.game, dealt, deal).seed === record.luck.seed)
  }

  private async scheduleOf(context: Where, run: RunSummary): Promise<Schedule> {
    const known = await this.kept.get(run.id)?.catch(() => undefined)
    if (known !== undefined && (known.matches === run.matches || Date.now() - known.at < known.took / SHARE))
      return known
    const made = scheduleNow(context, run)
    this.kept.delete(run.id)
    this.kept.set(run.id, made)
    for (const old of [...this.kept.keys()].slice(0, -KEPT)) this.kept.delete(old)
    return made
  }
}

/** The run that decides what is still to be played in a contest: the one that counts. */
const currentRun = async ({ store }: Where, { run }: HostedContest): Promise<RunSummary | undefined> =>
  run === undefined ? undefined : store.run(run)

/** Whether the same versions play in both runs: another version is dealt other luck. */
const isDealtIn = (current: RunSummary, run: RunSummary, { seats }: MatchRecord): boolean =>
  seats.every(
    ({ entrant }) => current.plan.names.includes(entrant) && versionIn(current, entrant) === versionIn(run, entrant),
  )

const versionIn = ({ plan }: RunSummary, name: string): number =>
  new Map(Object.entries(plan.versions ?? {})).get(name) ?? 1

const companyOf = (names: readonly string[]): string => JSON.stringify([...names].sort())

async function scheduleNow({ store }: Where, run: RunSummary): Promise<Schedule> {
  const began = Date.now()
  const spec = specOfRun(run)
  const results = await resultsOf(store, run.id, spec)
  const schedule = tournamentWithout(spec, await store.exclusions(run.id), (key) => results.has(key))
  const open = new Map<string, Set<number>>()
  for (const { pairings } of schedule.next(results)?.series ?? [])
    for (const { key, seats, deal } of pairings) {
      if (results.has(key)) continue
      const company = companyOf(seats.map((entrant) => spec.names[entrant] ?? ''))
      const deals = open.get(company) ?? new Set()
      open.set(company, deals.add(deal))
    }
  return { matches: run.matches, at: Date.now(), took: Date.now() - began, over: new Set(results.keys()), open }
}
