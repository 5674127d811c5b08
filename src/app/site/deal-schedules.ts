import { luckName, matchLuck } from '../../core/index.js'
import { paced } from '../../files/index.js'
import type { RunSummary, Store } from '../../store/index.js'
import { tournamentWithout } from '../../tournament/exclusions.js'
import { resultsOf } from '../results.js'
import { specOfRun } from '../stored.js'

/** A match, as far as the question goes whether others are dealt its luck. */
export interface DealtMatch {
  /** Its place in the tournament. */
  readonly key: string
  /** By seat. */
  readonly names: readonly string[]
  /** Of its luck. */
  readonly seed: string
}

/** What is still to be played of a run, as it was at a moment. */
interface Schedule {
  /** Matches that the run had then. */
  readonly matches: number
  /** When it was made, by performance.now(), and how many milliseconds that took. */
  readonly at: number
  readonly took: number
  /** Keys of the matches that were over. */
  readonly over: ReadonlySet<string>
  /** By company: the deals of which a match is to come. */
  readonly open: ReadonlyMap<string, ReadonlySet<number>>
  /** By company: the seeds of their luck, computed when they are first asked for. */
  readonly seeds: Map<string, Promise<ReadonlySet<string>>>
}

/** A run whose schedule is kept. */
interface KeptRun {
  schedule: Promise<Schedule>
  /** By company and deal: seeds, which stay the same from schedule to schedule. */
  readonly known: Map<string, Map<number, string>>
}

/** The share of time that may go into looking at one run again and again. */
const SHARE = 0.05
/** Runs whose schedules are kept. */
const KEPT = 8

/**
 * What is still to be played of runs. A look may be some seconds old: then it says of more matches that they are due, and of none that it
 * is not, too early.
 */
export class DealSchedules {
  private readonly kept = new Map<string, KeptRun>()

  /** Whether a match is to come in the run, or is not over there, that is dealt the same luck. */
  async isDue(store: Store, run: RunSummary, { key, names, seed }: DealtMatch): Promise<boolean> {
    const { schedule, known } = await this.scheduleOf(store, run)
    if (!schedule.over.has(key)) return true
    const company = companyOf(names)
    const deals = schedule.open.get(company)
    if (deals === undefined) return false
    const seeds = schedule.seeds.get(company) ?? paced(seedsOf(run, names, deals, known))
    schedule.seeds.set(company, seeds)
    return (await seeds).has(seed)
  }

  private async scheduleOf(store: Store, run: RunSummary): Promise<Omit<KeptRun, 'schedule'> & { schedule: Schedule }> {
    const there = this.kept.get(run.id)
    const before = await there?.schedule.catch(() => undefined)
    if (there !== undefined && before !== undefined)
      if (before.matches === run.matches || performance.now() - before.at < before.took / SHARE)
        return { schedule: before, known: there.known }
    const made = { schedule: scheduleNow(store, run), known: there?.known ?? new Map<string, Map<number, string>>() }
    this.kept.delete(run.id)
    this.kept.set(run.id, made)
    for (const old of [...this.kept.keys()].slice(0, -KEPT)) this.kept.delete(old)
    return { ...made, schedule: await made.schedule }
  }
}

/** The seeds of the luck of some deals of a company. */
function* seedsOf(
  run: RunSummary,
  names: readonly string[],
  deals: ReadonlySet<number>,
  known: KeptRun['known'],
): Generator<undefined, ReadonlySet<string>> {
  const dealt = names.map((name) => luckName({ name, version: versionIn(run, name) }))
  const company = companyOf(dealt)
  const own = known.get(company) ?? new Map<number, string>()
  known.set(company, own)
  const seeds = new Set<string>()
  for (const deal of deals) {
    const seed = own.get(deal) ?? matchLuck(run.seed, run.game, dealt, deal).seed
    own.set(deal, seed)
    seeds.add(seed)
    yield
  }
  return seeds
}

/** Which version of a bot plays in a run. */
export const versionIn = ({ plan }: RunSummary, name: string): number =>
  new Map(Object.entries(plan.versions ?? {})).get(name) ?? 1

const companyOf = (names: readonly string[]): string => JSON.stringify([...names].sort())

async function scheduleNow(store: Store, run: RunSummary): Promise<Schedule> {
  const began = performance.now()
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
  const over = new Set(results.keys())
  return { matches: run.matches, at: performance.now(), took: performance.now() - began, over, open, seeds: new Map() }
}
