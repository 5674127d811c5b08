import { z } from '@hono/zod-openapi'
import type { JobUnderWay, PlayedPart } from '../engine/index.js'
import { games } from '../games/index.js'
import { type SealReason, sealOf } from '../match/index.js'
import { FollowedMatch } from '../results/index.js'
import { findContest } from './contests.js'
import type { SiteContext } from './context.js'
import { invalid, notFound } from './http/answers.js'
import type { Places } from './http/limits.js'
import { type Infer, get, list, paged, pages, said, object } from './http/route.js'
import { Channels, type EventSource, type SentEvent } from './http/streams.js'
import { matchFacts } from './matches.js'
import { siteGameOf } from './standings.js'
import { isTaken } from './store.js'

/*
 * A match is watched by polling the thread that plays it for the steps since the last look, which are passed on if nothing of them is a secret
 * (`sealOf`). Once it is stored, with all that share its luck, its watchers are sent its number.
 */

const liveSchema = object('LiveMatch', {
  key: said(z.string(), 'its place in the tournament, that of its series, or of the first match of its deal'),
  seats: z.array(z.strictObject({ name: z.string(), version: z.int().optional() })),
  matches: said(z.int(), 'of its series or deal; 1: it stands alone'),
  began: z.iso.datetime(),
})
export type LiveMatch = Infer<typeof liveSchema>

const LISTED = 50
/** Milliseconds between two looks at a match: that is the delay with which it is seen. */
const LOOK_MS = 250

export async function liveMatches(context: SiteContext, id: string): Promise<readonly LiveMatch[]> {
  const { run } = await findContest(context, id)
  const jobs = context.progress.underWay(id)?.jobs().slice(0, LISTED) ?? []
  return jobs.map(({ job: { key, pairings }, began }) => ({
    key,
    seats: (pairings[0]?.seats ?? []).map((entrant) => {
      const { name = '', version } = run?.entrants[entrant] ?? {}
      return { name, version }
    }),
    matches: pairings.length,
    began: new Date(began).toISOString(),
  }))
}

/** Looks after which a match that was played is gone, where it is not stored. */
const GONE = 20

interface Shown {
  readonly part: PlayedPart
  readonly sealed?: SealReason
  /** In a game that the page does not know: its positions as text. */
  readonly follower?: FollowedMatch
  readonly steps: PlayedPart['steps'][number][]
  readonly times: NonNullable<PlayedPart['times']>[number][]
  /** Steps that were played; of a match that is sealed more than are shown. */
  taken: number
}

/** One match, or all of its series or deal, one after the other. */
export class WatchedMatch implements EventSource {
  /** Nothing more will come. */
  isOver = false
  private shown: Shown | undefined
  private ending: Omit<SentEvent, 'id'> | undefined
  private missed = 0
  /** The match and its entrants, by which it is found once it is stored. */
  private job: JobUnderWay | undefined

  constructor(
    private readonly context: SiteContext,
    private readonly contest: string,
    /** Its place in the tournament, or that of its series. */
    private readonly key: string,
  ) {}

  async since(last: string | undefined, isNew = false): Promise<readonly SentEvent[]> {
    if (!this.isOver) await this.look()
    const { shown, ending } = this
    const [, began, count, mark] = /^(\d{1,16})\.(\d{1,9})\.(\w?)$/.exec(last ?? '') ?? []
    // How far a listener has got: in which playing of the match, with how many steps, and whether it knows that it is sealed (s) or has ended (e).
    const id = `${shown?.part.began ?? 0}.${shown?.steps.length ?? 0}.`
    const news: SentEvent[] = []
    if (shown !== undefined) {
      const { part, sealed, steps, times } = shown
      const positions = shown.follower?.computed
      const from = Number(began) === part.began ? Math.min(Number(count), steps.length) : undefined
      if (from === undefined) {
        // What is no secret of any match: its luck is none of it.
        const { agon, key, game, version, options, field, seats } = part
        const ready = sealed === undefined ? part.ready : []
        const data = { agon, key, game, version, options, field, seats, ready, steps, times, positions }
        news.push({ id, kind: 'began', data })
      } else if (from < steps.length) {
        const later = shown.follower?.after(from)
        const data = { from, steps: steps.slice(from), times: times.slice(from), positions: later }
        news.push({ id, kind: 'steps', data })
      }
      if (sealed !== undefined && (from === undefined || mark === ''))
        news.push({ id: `${id}s`, kind: 'sealed', data: { why: sealed } })
    }
    if (ending !== undefined && (isNew || mark !== 'e')) news.push({ id: `${id}e`, ...ending })
    return news
  }

  private async look(): Promise<void> {
    const underWay = this.context.progress.underWay(this.contest)
    const job = underWay
      ?.jobs()
      .find(({ job: { key, pairings } }) => key === this.key || pairings.some((one) => one.key === this.key))
    if (job !== undefined) this.job = job
    const seen = this.shown && { began: this.shown.part.began, steps: this.shown.taken }
    const part = await underWay?.look(job?.job.key ?? this.key, seen)
    if (part === undefined) {
      // Between the matches of a job, or before the first.
      if (job === undefined) await this.end()
      return
    }
    this.missed = 0
    if (this.shown?.part.began !== part.began) this.shown = await this.begun(part)
    const { sealed, steps, times, follower } = this.shown
    this.shown.taken = part.from + part.steps.length
    if (sealed !== undefined) return
    steps.push(...part.steps)
    times.push(...(part.times ?? []))
    follower?.take(part.steps)
  }

  private async begun(part: PlayedPart): Promise<Shown> {
    const { run } = await findContest(this.context, this.contest)
    if (run === undefined) throw notFound('nothing is played in this contest')
    const definition = await siteGameOf(this.context, run)
    const sealed = sealOf(definition, part)
    const isStrange = !games.some(({ game }) => game.id === definition.game.id)
    const follower = isStrange && sealed === undefined ? new FollowedMatch(definition, part) : undefined
    return { part, sealed, follower, steps: [], times: [], taken: 0 }
  }

  /** It is not played any more: it is stored by now, or about to be. */
  private async end(): Promise<void> {
    const match = await this.stored()
    if (match !== undefined) this.ending = { kind: 'ended', data: { match } }
    // Neither queued nor stored, and never seen being played: it was played long ago, or never.
    else if (this.job === undefined || ++this.missed >= GONE) this.ending = { kind: 'gone', data: {} }
    this.isOver = this.ending !== undefined
  }

  private async stored(): Promise<number | undefined> {
    const { run } = await findContest(this.context, this.contest)
    const key = this.shown?.part.key ?? this.key
    const [entrant, opponent] = this.job?.job.pairings[0]?.seats ?? []
    const page = run && (await this.context.store.browse(run.id, { key, entrant, opponent, limit: 1 }))
    return page?.matches[0]?.id
  }
}

export const liveChannels = (site: SiteContext, places?: Places): Channels =>
  new Channels(
    (name) => new WatchedMatch(site, ...(JSON.parse(name) as [contest: string, key: string])),
    LOOK_MS,
    places,
  )

/** How far a listener has read: how many matches of which run ('': none has begun), and the newest event beside the matches. */
interface FeedPosition {
  readonly run: string
  readonly matches: number
  readonly event: number
}

/** Matches that one piece of news lists, the newest: of more it gives how many there were. */
const NEWEST = 20
/** Events that are sent at once. */
const MOST_EVENTS = 500
/** Milliseconds between two looks at a contest of which nothing was announced. */
const CONTEST_MS = 1000

/** What happens to a contest. A listener is sent the contest as it is first. */
export class ContestEvents implements EventSource {
  constructor(
    private readonly context: SiteContext,
    private readonly contest: string,
  ) {}

  /** Of another run all matches are news. */
  async since(last: string | undefined, isNew: boolean): Promise<readonly SentEvent[]> {
    const { site, store } = this.context
    const { facts, run } = await findContest(this.context, this.contest)
    const matches = run?.matches ?? 0
    const now = { run: run?.id ?? '', matches, event: site.newestEvent(this.contest) }
    const from = last === undefined ? now : positionOf(last)
    const news: SentEvent[] = isNew ? [{ id: positionText(from), kind: 'contest', data: facts }] : []
    let { event } = from
    for (const { id, kind, data } of site.eventsAfter(this.contest, from.event, MOST_EVENTS)) {
      event = id
      news.push({ id: positionText({ ...from, event }), kind, data: kind === 'entry' ? entryEvent(data) : data })
    }
    const known = run?.id === from.run ? from.matches : 0
    if (run === undefined || (run.id === from.run && matches <= known)) return news
    const page = await store.browse(run.id, { limit: NEWEST })
    const count = Math.max(0, page.count - known)
    const items = page.matches.slice(0, count).map((match) => matchFacts(run, match))
    const id = positionText({ run: run.id, matches: page.count, event })
    news.push({ id, kind: 'matches', data: { count, matches: page.count, items: items.reverse() } })
    return news
  }

  listen(look: () => void): () => void {
    const { hub } = this.context
    const hear = (contest: string): void => void (contest === this.contest && look())
    hub.on('touch', hear)
    return () => void hub.off('touch', hear)
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
  if (run === undefined) throw invalid('Last-Event-ID is none of this server’s: leave it out')
  return { run, matches: Number(matches), event: Number(event) }
}

export const contestChannels = (site: SiteContext, places?: Places): Channels =>
  new Channels((contest) => new ContestEvents(site, contest), CONTEST_MS, places)

export const liveRoutes = (site: SiteContext, contests: Channels, matches: Channels) => [
  get('/contests/{id}/events', {
    summary: 'What happens to a contest, as server-sent events',
    description:
      'First comes `contest`, the contest as it is; then `matches` (count: how many were played since the event before; items: the newest of them), and what happens to the contest and its entries: `entry` has the `id`, `name` and `version` of one that was taken, and of one that was not only its `state`. Each has an id: a client that sends the last one back as `Last-Event-ID` misses nothing.',
    media: 'text/event-stream',
  }).handler(async ({ c, id }) => {
    await findContest(site, id)
    const last = c.req.header('last-event-id') ?? ''
    if (last !== '') positionOf(last)
    return contests.answer(c, id)
  }),
  get('/contests/{id}/live', {
    summary: 'The matches of a contest that are being played, the longest first',
    description:
      'Those that this server plays itself, 50 at most; `/contests/{id}/live/events` shows one move by move.',
    query: pages,
    answer: list(liveSchema, 'LiveMatches'),
  }).handler(async ({ id, query }) => paged(await liveMatches(site, id), query)),
  get('/contests/{id}/live/events', {
    summary: 'A match move by move while it is played, as server-sent events',
    description:
      'First `began`: the record so far, without luck; then `steps` (from: the number of the first of them). `sealed` (why: hidden or chance) says that nothing is shown until it is stored, with all matches that share its luck. `ended` (match: its number) comes once it is stored. `gone`: it is neither played nor stored. Of a series or a deal the next match follows, with a `began` of its own. Each has an id: a client that sends the last one back as `Last-Event-ID` misses nothing. In a game that did not come with agon `positions` has the positions as text.',
    query: z.object({ match: said(z.string().min(1).max(1000), 'its key, as the list has it') }),
    media: 'text/event-stream',
  }).handler(async ({ c, id, query }) => {
    await findContest(site, id)
    return matches.answer(c, JSON.stringify([id, query.match]))
  }),
]
