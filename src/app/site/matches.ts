import { type FaultKind, type MatchRecord, didYouMean } from '../../core/index.js'
import type { BrowseFilter, BrowsedMatch, RunSummary } from '../../store/index.js'
import { findContest } from './contests.js'
import type { SiteContext } from './context.js'
import { Refusal } from './refusal.js'

/** Which matches of a contest are asked for. */
export interface MatchQuery extends Pick<BrowseFilter, 'result' | 'fault' | 'least' | 'most'> {
  /** Names of entrants. */
  readonly bot?: string
  readonly opponent?: string
  /** What a page's `next` said. */
  readonly cursor?: string
  readonly limit: number
}

/** A match as lists show it. */
export interface MatchFacts {
  readonly id: number
  /** Its place in the tournament, '1/Ant-Bee/3'. */
  readonly key: string
  /** By seat. */
  readonly seats: readonly {
    readonly name: string
    /** Of a bot that was entered: which of its versions played. */
    readonly version?: number
    readonly place: number
    readonly faults: readonly FaultKind[]
  }[]
  readonly reason: string
  /** Steps. */
  readonly turns: number
  /** ISO 8601. */
  readonly at: string
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
    ...(bot !== undefined && { entrant: entrantOf(run, bot) }),
    ...(opponent !== undefined && { opponent: entrantOf(run, opponent) }),
    ...(result !== undefined && { result }),
    ...(fault !== undefined && { fault }),
    ...(least !== undefined && { least }),
    ...(most !== undefined && { most }),
    ...(before !== undefined && { before }),
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
  { site, store }: Pick<SiteContext, 'site' | 'store'>,
  contest: string,
  run: RunSummary,
): Promise<ReadonlyMap<string, number>> {
  const entered = await site.versions(contest)
  if (entered.length === 0) return new Map()
  const hashes = new Map((await store.entrants(run.id)).map(({ name, hash }) => [name, hash]))
  return new Map(entered.flatMap(({ name, version, hash }) => (hashes.get(name) === hash ? [[name, version]] : [])))
}

export function matchFacts(
  { plan }: RunSummary,
  { id, place, seats, outcome, at, turns, faults }: BrowsedMatch,
  versions: ReadonlyMap<string, number>,
): MatchFacts {
  return {
    id,
    key: place,
    turns,
    seats: seats.map((entrant, seat) => ({
      name: plan.names[entrant] ?? '',
      ...versionAt(versions, plan.names[entrant]),
      place: outcome.place[seat] ?? 0,
      faults: faults.flatMap((one) => (one.seat === seat ? [one.fault] : [])),
    })),
    reason: outcome.reason,
    at,
  }
}

function versionAt(versions: ReadonlyMap<string, number>, name = ''): { readonly version?: number } {
  const version = versions.get(name)
  return version === undefined ? {} : { version }
}

/** A match's record, and whether all of it is shown: then it never changes. */
export interface ShownRecord {
  readonly record: Omit<MatchRecord, 'luck'> & Partial<Pick<MatchRecord, 'luck'>>
  readonly final: boolean
}

/** The record of a match by its number. Its luck is left out while a match that shares it is still to be played. */
export async function recordOfMatch(context: SiteContext, id: number): Promise<ShownRecord> {
  const { store, deals } = context
  const holding = await Promise.all((await store.runsHolding(id)).map((run) => store.run(run)))
  if (holding.length === 0) throw new Refusal('unknown', 'there is no such match')
  const record = await store.recordOf(id)
  const runs = holding.flatMap((run) => run ?? [])
  if (!(await deals.isOpen(context, runs, record))) return { record, final: true }
  const { luck: _hidden, ...shown } = record
  return { record: shown, final: false }
}

export function cursorOf(text: string): number {
  const number = /^p(\d{1,15})$/.exec(text)?.[1]
  if (number === undefined)
    throw new Refusal('invalid', 'this cursor is none: give what the page before it had as next')
  return Number(number)
}

function entrantOf({ plan }: RunSummary, name: string): number {
  const index = plan.names.indexOf(name)
  if (index < 0) throw new Refusal('invalid', `no entrant ${JSON.stringify(name)}${didYouMean(name, plan.names)}`)
  return index
}
