import type { StoredRun } from '../store/index.js'
import type { SiteContext } from './context.js'
import { type FoundContest, findContest } from './contests.js'
import { isTaken } from './db/site-store.js'
import { Refusal } from './http/problems.js'
import { type ApiRoute, contestId, get } from './http/route.js'
import { Channels, type EventSource, type SentEvent, type Streams } from './http/streams.js'
import { type Match, matchFacts, versionsOf } from './matches.js'

/** How far a listener has read: how many matches of which run, and the newest event beside the matches. */
export interface FeedPosition {
  /** Its id; '': none has begun. */
  readonly run: string
  readonly matches: number
  readonly event: number
}

/** Matches that one piece of news lists, the newest: of more it gives how many there were. */
const LISTED = 20
/** Events that are sent at once. */
const MOST_EVENTS = 500
/** Milliseconds between two looks at a contest of which nothing was announced. */
const LOOK_MS = 1000

/** What happens to a contest. A listener is sent the contest as it is first. */
export class ContestEvents implements EventSource {
  constructor(
    private readonly context: SiteContext,
    private readonly contest: string,
  ) {}

  async since(last: string | undefined, isNew: boolean): Promise<readonly SentEvent[]> {
    const found = await findContest(this.context, this.contest)
    const from = last === undefined ? await this.now(found) : positionOf(last)
    const first = isNew ? [{ id: positionText(from), kind: 'contest', data: found.facts }] : []
    return [...first, ...(await this.news(found, from))]
  }

  listen(look: () => void): () => void {
    const { hub } = this.context
    const hear = (contest: string): void => void (contest === this.contest && look())
    hub.on('touch', hear)
    return () => void hub.off('touch', hear)
  }

  private async now({ run }: FoundContest): Promise<FeedPosition> {
    const { store, site } = this.context
    const matches = run === undefined ? 0 : await store.count(run.id)
    return { run: run?.id ?? '', matches, event: await site.newestEvent(this.contest) }
  }

  /** All that has happened since, in order. Of another run all matches are news. */
  private async news({ run }: FoundContest, since: FeedPosition): Promise<readonly SentEvent[]> {
    const { site, store } = this.context
    const news: SentEvent[] = []
    let { event } = since
    for (const { id: number, kind, data } of await site.eventsAfter(this.contest, since.event, MOST_EVENTS)) {
      event = number
      const shown = kind === 'entry' ? entryEvent(data) : data
      news.push({ id: positionText({ ...since, event }), kind, data: shown })
    }
    if (run === undefined) return news
    const known = run.id === since.run ? since.matches : 0
    if ((await store.count(run.id)) > known || run.id !== since.run) {
      const data = await playedSince(this.context, this.contest, run, known)
      news.push({ id: positionText({ run: run.id, matches: data.matches, event }), kind: 'matches', data })
    }
    return news
  }
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
  readonly items: readonly Match[]
}

async function playedSince(context: SiteContext, id: string, run: StoredRun, since: number): Promise<PlayedNews> {
  const page = await context.store.browse(run.id, { limit: LISTED })
  const count = Math.max(0, page.count - since)
  const versions = await versionsOf(context, id, run)
  const items = page.matches.slice(0, count).map((match) => matchFacts(run, match, versions))
  return { count, matches: page.count, items: items.reverse() }
}

/** 'coup-1f3a.1200.7', as an event's id has it. */
const positionText = ({ run, matches, event }: FeedPosition): string => `${run}.${matches}.${event}`

/** The reverse. Throws a Refusal for what is no such text. */
export function positionOf(text: string): FeedPosition {
  const [, run, matches, event] = /^([\w-]{0,100})\.(\d{1,15})\.(\d{1,15})$/.exec(text) ?? []
  if (run === undefined || matches === undefined || event === undefined)
    throw new Refusal('invalid', 'Last-Event-ID is none of this server’s: leave it out')
  return { run, matches: Number(matches), event: Number(event) }
}

/** The channels of contests. */
export const contestChannels = (site: SiteContext): Channels =>
  new Channels((contest) => new ContestEvents(site, contest), LOOK_MS)

/** What happens to a contest, as it happens. */
export const eventRoutes = (site: SiteContext, channels: Channels, streams: Streams): readonly ApiRoute[] => [
  get(
    '/contests/{id}/events',
    'What happens to a contest, as server-sent events',
    {
      description:
        'First comes `contest`, the contest as it is; then `matches` (count: how many were played since the event before; items: the newest of them), and what happens to the contest and its entries: `entry` has the `id`, `name` and `version` of one that was taken, and of one that was not only its `state`. Each has an id: a client that sends the last one back as `Last-Event-ID` misses nothing.',
      params: contestId,
      media: 'text/event-stream',
    },
    async ({ c, params }) => {
      await findContest(site, params.id)
      const last = c.req.header('last-event-id') ?? ''
      if (last !== '') positionOf(last)
      return streams.answer(c, channels, params.id)
    },
  ),
]
