import { type MatchRecord, didYouMean } from '../../core/index.js'
import type { MatchFacts } from '../../core/site-facts.js'
import type { BrowseFilter, StoredMatch, StoredRun } from '../../store/index.js'
import { ownPartsFor } from '../../match/index.js'
import { contestFile } from './site-files.js'
import { findContest } from './contests.js'
import type { SiteContext } from './context.js'
import { maySeeEntrantOf } from './entries.js'
import { Refusal } from './refusal.js'
import type { Caller } from './tokens.js'

/** Which matches of a contest are asked for. */
export interface MatchQuery extends Pick<BrowseFilter, 'result' | 'fault' | 'least' | 'most'> {
  /** Names of entrants. */
  readonly bot?: string
  readonly opponent?: string
  /** What a page's `next` said. */
  readonly cursor?: string
  readonly limit: number
}

export interface MatchList {
  readonly items: readonly MatchFacts[]
  readonly next: string | null
}

/** Matches of a contest, the newest first. Throws a Refusal for a contest, a name or a cursor that is none. */
export async function matchesOfContest(context: SiteContext, id: string, query: MatchQuery): Promise<MatchList> {
  const before = query.cursor === undefined ? undefined : cursorOf(query.cursor)
  const { run } = await findContest(context, id)
  if (run === undefined) return { items: [], next: null }
  const { bot, opponent, result, fault, least, most, limit } = query
  const page = await context.store.browse(run.id, {
    entrant: bot === undefined ? undefined : entrantOf(run, bot),
    opponent: opponent === undefined ? undefined : entrantOf(run, opponent),
    result,
    fault,
    least,
    most,
    before,
    limit,
  })
  const versions = await versionsOf(context, id, run)
  return {
    items: page.matches.map((match) => matchFacts(run, match, versions)),
    next: page.next === undefined ? null : `p${page.next}`,
  }
}

/** By name: which version of a bot that was entered plays in a run of the contest. */
export async function versionsOf(
  { site }: Pick<SiteContext, 'site'>,
  contest: string,
  run: StoredRun,
): Promise<ReadonlyMap<string, number>> {
  const entered = await site.versions(contest)
  if (entered.length === 0) return new Map()
  const hashes = new Map(run.entrants.map(({ name, hash }) => [name, hash]))
  return new Map(entered.flatMap(({ name, version, hash }) => (hashes.get(name) === hash ? [[name, version]] : [])))
}

export function matchFacts(
  { entrants }: StoredRun,
  { id, key, seats, outcome, at, turns, faults }: StoredMatch,
  versions: ReadonlyMap<string, number>,
): MatchFacts {
  return {
    id,
    key,
    turns,
    seats: seats.map((entrant, seat) => ({
      name: entrants[entrant]?.name ?? '',
      ...versionAt(versions, entrants[entrant]?.name),
      place: outcome.place[seat] ?? 0,
      faults: faults.flatMap((one) => (one.seat === seat ? [one.fault] : [])),
    })),
    reason: outcome.reason,
    at: new Date(at).toISOString(),
  }
}

function versionAt(versions: ReadonlyMap<string, number>, name = ''): { readonly version?: number } {
  const version = versions.get(name)
  return version === undefined ? {} : { version }
}

/** A match's record, and whether all of it is shown: then it never changes. */
interface ShownRecord {
  readonly record: MatchRecord
  readonly final: boolean
  /** Others may be shown less. */
  readonly own: boolean
}

/**
 * The record of a match by its number. What a bot printed of itself, and its parameters, are left out for callers that may not read its
 * standard error.
 */
export async function recordOfMatch(context: SiteContext, id: number, caller: Caller): Promise<ShownRecord> {
  const { store } = context
  const holding = await Promise.all((await store.runsHolding(id)).map((run) => store.run(run)))
  if (holding.length === 0) throw new Refusal('unknown', 'there is no such match')
  const kept = await store.recordOf(id)
  const runs = holding.flatMap((run) => run ?? [])
  const figured = kept.figures !== undefined || kept.with !== undefined
  const record = figured ? await withoutOthersParts(context, runs, kept, caller) : kept
  // Those of a bot are shown to more people once its contest is published.
  return { record, final: !figured, own: figured && caller.role !== 'anonymous' }
}

/** A record with what those of its bots printed, and were given, whose standard error the caller may read. */
async function withoutOthersParts(
  context: SiteContext,
  runs: readonly StoredRun[],
  record: MatchRecord,
  caller: Caller,
): Promise<MatchRecord> {
  const files = new Set(runs.map(({ file }) => file))
  const contests = (await context.site.contests()).filter(({ id }) => files.has(contestFile(context, id)))
  const maySee = await Promise.all(
    record.seats.map(async ({ entrant }) => {
      if (caller.role === 'host') return true
      for (const hosted of contests) if (await maySeeEntrantOf(context, hosted, entrant, caller)) return true
      return false
    }),
  )
  return ownPartsFor(record, (seat) => maySee[seat] === true)
}

export function cursorOf(text: string): number {
  const number = /^p(\d{1,15})$/.exec(text)?.[1]
  if (number === undefined)
    throw new Refusal('invalid', 'this cursor is none: give what the page before it had as next')
  return Number(number)
}

function entrantOf({ entrants }: StoredRun, name: string): number {
  const names = entrants.map((entrant) => entrant.name)
  const index = names.indexOf(name)
  if (index < 0) throw new Refusal('invalid', `no entrant ${JSON.stringify(name)}${didYouMean(name, names)}`)
  return index
}
