import { findContest } from './contests.js'
import type { SiteContext } from './context.js'
import type { StoredRun } from '../store/index.js'
import { isTaken } from './db/data.js'
import type { MatchFacts } from '../core/site-facts.js'
import { matchFacts, versionsOf } from './matches.js'
import { Refusal } from './refusal.js'

/** How far a listener has read: how many matches of which run, and the newest event beside the matches. */
export interface FeedPosition {
  /** Its id; '': none has begun. */
  readonly run: string
  readonly matches: number
  readonly event: number
}

/** Something that happened, with how far a listener is that has received it. */
export interface FeedEvent {
  readonly at: FeedPosition
  readonly kind: string
  readonly data: unknown
}

/** Matches that one piece of news lists, the newest: of more it gives how many there were. */
const LISTED = 20
/** Events that are sent at once. */
const MOST_EVENTS = 500

/** Where a contest is now. Throws a Refusal where there is no such contest. */
export async function positionNow(context: SiteContext, id: string): Promise<FeedPosition> {
  const { run } = await findContest(context, id)
  return {
    run: run?.id ?? '',
    matches: run === undefined ? 0 : await context.store.count(run.id),
    event: await context.site.newestEvent(id),
  }
}

/** The contest as it is: what a listener is sent first. */
export async function firstEvent(context: SiteContext, id: string, at: FeedPosition): Promise<FeedEvent> {
  const { facts } = await findContest(context, id)
  return { at, kind: 'contest', data: facts }
}

/** All that has happened since, in order; empty: nothing. Of another run all matches are news. */
export async function eventsSince(
  context: SiteContext,
  id: string,
  since: FeedPosition,
): Promise<readonly FeedEvent[]> {
  const { run } = await findContest(context, id)
  const news: FeedEvent[] = []
  let { event } = since
  for (const { id: number, kind, data } of await context.site.eventsAfter(id, since.event, MOST_EVENTS)) {
    event = number
    news.push({ at: { ...since, event }, kind, data: kind === 'entry' ? entryEvent(data) : data })
  }
  if (run === undefined) return news
  const known = run.id === since.run ? since.matches : 0
  if ((await context.store.count(run.id)) > known || run.id !== since.run) {
    const data = await playedSince(context, id, run, known)
    news.push({ at: { run: run.id, matches: data.matches, event }, kind: 'matches', data })
  }
  return news
}

/** Listeners are not told whose a version is that is not (yet) accepted: they hear only that there is news. */
function entryEvent(data: unknown): unknown {
  const { state } = data as { readonly state?: unknown }
  return isTaken(state) ? data : { state }
}

/** What was played since: how many there were, and the newest of them, the oldest of these first. */
interface PlayedNews {
  readonly count: number
  /** Of the contest, these included. */
  readonly matches: number
  readonly items: readonly MatchFacts[]
}

async function playedSince(context: SiteContext, id: string, run: StoredRun, since: number): Promise<PlayedNews> {
  const page = await context.store.browse(run.id, { limit: LISTED })
  const count = Math.max(0, page.count - since)
  const versions = await versionsOf(context, id, run)
  const items = page.matches.slice(0, count).map((match) => matchFacts(run, match, versions))
  return { count, matches: page.count, items: items.reverse() }
}

/** 'coup-1f3a.1200.7', as an event's id has it. */
export const positionText = ({ run, matches, event }: FeedPosition): string => `${run}.${matches}.${event}`

/** The reverse. Throws a Refusal for what is no such text. */
export function positionOf(text: string): FeedPosition {
  const [, run, matches, event] = /^([\w-]{0,100})\.(\d{1,15})\.(\d{1,15})$/.exec(text) ?? []
  if (run === undefined || matches === undefined || event === undefined)
    throw new Refusal('invalid', 'Last-Event-ID is none of this server’s: leave it out')
  return { run, matches: Number(matches), event: Number(event) }
}
