import type { StoredRun } from '../store/index.js'
import type { SiteContext } from './context.js'
import { findContest } from './contests.js'
import { isTaken } from './store.js'
import type { Places } from './http/limits.js'
import { Refusal } from './http/answers.js'
import { type ApiRoute, get } from './http/route.js'
import { Channels, type EventSource, type SentEvent } from './http/streams.js'
import { matchFacts, versionsOf } from './matches.js'

/** How far a listener has read: how many matches of which run ('': none has begun), and the newest event beside the matches. */
interface FeedPosition {
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
    const { facts, run } = await findContest(this.context, this.contest)
    const from = last === undefined ? await this.now(run) : positionOf(last)
    const first = isNew ? [{ id: positionText(from), kind: 'contest', data: facts }] : []
    return [...first, ...(await this.news(run, from))]
  }

  listen(look: () => void): () => void {
    const { hub } = this.context
    const hear = (contest: string): void => void (contest === this.contest && look())
    hub.on('touch', hear)
    return () => void hub.off('touch', hear)
  }

  private async now(run: StoredRun | undefined): Promise<FeedPosition> {
    const { store, site } = this.context
    const matches = run === undefined ? 0 : await store.count(run.id)
    return { run: run?.id ?? '', matches, event: site.newestEvent(this.contest) }
  }

  /** All that has happened since, in order. Of another run all matches are news. */
  private async news(run: StoredRun | undefined, since: FeedPosition): Promise<readonly SentEvent[]> {
    const { site, store } = this.context
    const news: SentEvent[] = []
    let { event } = since
    for (const { id, kind, data } of site.eventsAfter(this.contest, since.event, MOST_EVENTS)) {
      event = id
      news.push({ id: positionText({ ...since, event }), kind, data: kind === 'entry' ? entryEvent(data) : data })
    }
    const known = run?.id === since.run ? since.matches : 0
    if (run === undefined || (run.id === since.run && (await store.count(run.id)) <= known)) return news
    const page = await store.browse(run.id, { limit: LISTED })
    const count = Math.max(0, page.count - known)
    const versions = await versionsOf(this.context, this.contest, run)
    const items = page.matches.slice(0, count).map((match) => matchFacts(run, match, versions))
    const id = positionText({ run: run.id, matches: page.count, event })
    news.push({ id, kind: 'matches', data: { count, matches: page.count, items: items.reverse() } })
    return news
  }
}

/** Listeners are not told whose a version is that is not (yet) accepted: they hear only that there is news. */
function entryEvent(data: unknown): unknown {
  const { state } = data as { readonly state?: unknown }
  return isTaken(state) ? data : { state }
}

/** 'coup-1f3a.1200.7', as an event's id has it. */
const positionText = ({ run, matches, event }: FeedPosition): string => `${run}.${matches}.${event}`

/** The reverse. Throws a Refusal for what is no such text. */
export function positionOf(text: string): FeedPosition {
  const [, run, matches, event] = /^([\w-]{0,100})\.(\d{1,15})\.(\d{1,15})$/.exec(text) ?? []
  if (run === undefined) throw new Refusal('invalid', 'Last-Event-ID is none of this server’s: leave it out')
  return { run, matches: Number(matches), event: Number(event) }
}

export const contestChannels = (site: SiteContext, places?: Places): Channels =>
  new Channels((contest) => new ContestEvents(site, contest), LOOK_MS, places)

export const eventRoutes = (site: SiteContext, channels: Channels): readonly ApiRoute[] => [
  get(
    '/contests/{id}/events',
    'What happens to a contest, as server-sent events',
    {
      description:
        'First comes `contest`, the contest as it is; then `matches` (count: how many were played since the event before; items: the newest of them), and what happens to the contest and its entries: `entry` has the `id`, `name` and `version` of one that was taken, and of one that was not only its `state`. Each has an id: a client that sends the last one back as `Last-Event-ID` misses nothing.',
      media: 'text/event-stream',
    },
    async ({ c, id }) => {
      await findContest(site, id)
      const last = c.req.header('last-event-id') ?? ''
      if (last !== '') positionOf(last)
      return channels.answer(c, id)
    },
  ),
]
