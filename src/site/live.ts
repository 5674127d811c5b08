import { z } from '@hono/zod-openapi'
import type { GameDefinition } from '../core/index.js'
import type { JobUnderWay, PlayedPart } from '../engine/index.js'
import { games } from '../games/index.js'
import { type ComputedMatch, computedPart, joinedParts, partFrom } from '../results/index.js'
import type { SiteContext } from './context.js'
import { findContest } from './contests.js'
import { Following, type SealReason } from './following.js'
import { Refusal } from './http/problems.js'
import { type ApiRoute, type Infer, contestId, get, list, paged, pages, said } from './http/route.js'
import { Channels, type EventSource, type SentEvent, type Streams } from './http/streams.js'
import { versionsOf } from './matches.js'
import { siteGameOf } from './standings.js'

/*
 * Theory of operation.
 *
 * A match that is played in this process is watched by polling the thread that plays it for the steps since the last look; the thread
 * reports nothing by itself. The steps are followed by the rules, and passed on for as long as nothing of them is
 * a secret (`Following`). Once the match is stored, with all that share its luck, its watchers are sent its number.
 */

const liveSchema = z
  .strictObject({
    key: said(z.string(), 'its place in the tournament, that of its series, or of the first match of its deal'),
    seats: z.array(z.strictObject({ name: z.string(), version: z.int().optional() })),
    matches: said(z.int(), 'of its series or deal; 1: it stands alone'),
    began: z.iso.datetime(),
  })
  .openapi('LiveMatch')
export type LiveMatch = Infer<typeof liveSchema>

/** Matches that are listed. */
const LISTED = 50
/** Milliseconds between two looks at a match: that is the delay with which it is seen. */
const LOOK_MS = 250

/** The matches of a contest that are being played in this process, the longest first. */
export async function liveMatches(context: SiteContext, id: string): Promise<readonly LiveMatch[]> {
  const { run } = await findContest(context, id)
  const jobs = context.progress.underWay(id)?.jobs().slice(0, LISTED) ?? []
  if (run === undefined || jobs.length === 0) return []
  const versions = await versionsOf(context, id, run)
  return jobs.map(({ job: { key, pairings }, began }) => ({
    key,
    seats: (pairings[0]?.seats ?? []).map((entrant) => {
      const name = run.entrants[entrant]?.name ?? ''
      return { name, version: versions.get(name) }
    }),
    matches: pairings.length,
    began: new Date(began).toISOString(),
  }))
}

/** Pages of a contest's newest matches that are looked through for one that was watched and has ended, and for any other. */
const PAGES = { watched: 10, other: 1 }
/** Looks after which a match that was played is gone, where it is not stored. */
const GONE = 20

/** What is no secret of any match: its luck is none of it. */
const shownOf = ({ agon, key, game, version, options, field, seats, ready }: PlayedPart) => ({
  agon,
  key,
  game,
  version,
  options,
  field,
  seats,
  ready,
})

/** What is shown of the match so far. */
interface Shown {
  /** Tells it from a match that was void. */
  readonly began: number
  readonly data: ReturnType<typeof shownOf>
  readonly following: Following
  readonly steps: PlayedPart['steps'][number][]
  readonly times: NonNullable<PlayedPart['times']>[number][]
  /** Steps that were played; of a match that is sealed more than are shown. */
  taken: number
  /** Positions as text, for a page that does not know the rules. */
  positions?: ComputedMatch
}

/** One match, or all of its series or deal, one after the other. */
export class WatchedMatch implements EventSource {
  private shown: Shown | undefined
  private definition: GameDefinition | undefined
  private ending: { readonly match: number } | undefined
  private missed = 0
  private isGone = false
  /** The match and its entrants, by which it is found once it is stored. */
  private job: JobUnderWay | undefined

  constructor(
    private readonly context: SiteContext,
    private readonly contest: string,
    /** Its place in the tournament, or that of its series. */
    private readonly key: string,
  ) {}

  /** Nothing more will come. */
  get isOver(): boolean {
    return this.isGone || this.ending !== undefined
  }

  /** What a watcher is sent that has seen everything up to the event `last`; undefined: it has seen nothing. */
  async since(last: string | undefined): Promise<readonly SentEvent[]> {
    await this.look()
    const news: SentEvent[] = []
    const { shown } = this
    if (shown !== undefined) {
      const [, began, steps] = /^(\d{1,16})\.(\d{1,9})\.\w?$/.exec(last ?? '') ?? []
      const known = Number(began) === shown.began ? Math.min(Number(steps), shown.steps.length) : undefined
      if (known === undefined) news.push(this.beginning(shown))
      else if (known < shown.steps.length) news.push(this.steps(shown, known))
      const isTold = known !== undefined && last?.endsWith('.s') === true
      if (shown.following.sealed !== undefined && !isTold) news.push(this.sealed(shown.following.sealed))
    }
    if (this.isGone) news.push({ id: this.id('e'), kind: 'gone', data: {} })
    if (this.ending !== undefined) news.push({ id: this.id('e'), kind: 'ended', data: this.ending })
    return news
  }

  /** Reads the steps since the last look. */
  private async look(): Promise<void> {
    if (this.isOver) return
    const underWay = this.context.progress.underWay(this.contest)
    const isWatched = ({ job: { key, pairings } }: JobUnderWay): boolean =>
      key === this.key || pairings.some((one) => one.key === this.key)
    const job = underWay?.jobs().find(isWatched)
    if (job !== undefined) this.job = job
    const { shown } = this
    const part = await underWay?.look(job?.job.key ?? this.key, shown && { began: shown.began, steps: shown.taken })
    if (part !== undefined) return this.take(part)
    // Between the matches of a job, or before the first.
    if (job === undefined) await this.end()
  }

  private async take(part: PlayedPart): Promise<void> {
    this.missed = 0
    let { shown } = this
    if (shown?.began !== part.began) {
      const following = new Following(await this.game(), part)
      shown = this.shown = { began: part.began, data: shownOf(part), following, steps: [], times: [], taken: 0 }
    }
    const { following, steps, times } = shown
    const before = steps.length
    following.take(part.steps)
    shown.taken = part.from + part.steps.length
    const more = following.moves.length - before
    steps.push(...part.steps.slice(0, more))
    times.push(...(part.times ?? []).slice(0, more))
    this.addPositions(shown)
  }

  /** It is not played any more: it is stored by now, or about to be. */
  private async end(): Promise<void> {
    const match = await this.stored()
    if (match !== undefined) this.ending = { match }
    // Neither queued nor stored, and never seen being played: it was played long ago, or never.
    else if (this.job === undefined || ++this.missed >= GONE) this.isGone = true
  }

  /** The match's number in the store: of a series that of the match that was watched. */
  private async stored(): Promise<number | undefined> {
    const { run } = await findContest(this.context, this.contest)
    if (run === undefined) return undefined
    const key = this.shown?.data.key ?? this.key
    const [entrant, opponent] = this.job?.job.pairings[0]?.seats ?? []
    let before: number | undefined
    for (let n = 0; n < (this.job === undefined ? PAGES.other : PAGES.watched); n++) {
      const page = await this.context.store.browse(run.id, { key, entrant, opponent, limit: 1, before })
      const [found] = page.matches
      if (found !== undefined) return found.id
      if (page.next === undefined) return undefined
      before = page.next
    }
    return undefined
  }

  private beginning(shown: Shown): SentEvent {
    const { data, following, steps } = shown
    const { ready, ...rest } = data
    const { positions } = shown
    return {
      id: this.id(''),
      kind: 'began',
      data: { ...rest, ready: following.sealed === undefined ? ready : [], steps, times: shown.times, positions },
    }
  }

  private steps(shown: Shown, from: number): SentEvent {
    const positions = shown.positions && partFrom(shown.positions, from + 1)
    const data = { from, steps: shown.steps.slice(from), times: shown.times.slice(from), positions }
    return { id: this.id(''), kind: 'steps', data }
  }

  private sealed(why: SealReason): SentEvent {
    return { id: this.id('s'), kind: 'sealed', data: { why } }
  }

  /** How far a listener has got. `mark`: 's' that it is sealed, 'e' that it has ended. */
  private id(mark: '' | 's' | 'e'): string {
    const { began = 0, steps = [] } = this.shown ?? {}
    return `${began}.${steps.length}.${mark}`
  }

  /** Adds the positions that have come to those that there are as text. */
  private addPositions(shown: Shown): void {
    const { data, following, positions } = shown
    const { definition } = this
    if (definition === undefined || games.some(({ game }) => game.id === definition.game.id)) return
    const { states, moves } = following
    const from = positions?.boards.length ?? 0
    if (from === states.length) return
    const more = computedPart(
      definition,
      data.seats.map(({ entrant }) => entrant),
      states.slice(from),
      moves.slice(positions?.moves.length ?? 0),
    )
    shown.positions = positions === undefined ? more : joinedParts(positions, more)
  }

  private async game(): Promise<GameDefinition> {
    if (this.definition !== undefined) return this.definition
    const { run } = await findContest(this.context, this.contest)
    if (run === undefined) throw new Refusal('unknown', 'nothing is played in this contest')
    return (this.definition = await siteGameOf(this.context, run))
  }
}

/** The channels of matches that are watched, by their contest and key as JSON. */
export const liveChannels = (site: SiteContext): Channels =>
  new Channels((name) => new WatchedMatch(site, ...(JSON.parse(name) as [contest: string, key: string])), LOOK_MS)

/** Matches while they are played. */
export const liveRoutes = (site: SiteContext, channels: Channels, streams: Streams): readonly ApiRoute[] => [
  get(
    '/contests/{id}/live',
    'The matches of a contest that are being played, the longest first',
    {
      description:
        'Those that this server plays itself, 50 at most; `/contests/{id}/live/events` shows one move by move.',
      params: contestId,
      query: pages,
      answer: list(liveSchema, 'LiveMatches'),
    },
    async ({ params, query }) => paged(await liveMatches(site, params.id), query),
  ),
  get(
    '/contests/{id}/live/events',
    'A match move by move while it is played, as server-sent events',
    {
      description:
        'First `began`: the record so far, without luck; then `steps` (from: the number of the first of them). `sealed` (why: hidden or chance) says that nothing is shown until it is stored, with all matches that share its luck. `ended` (match: its number) comes once it is stored. `gone`: it is neither played nor stored. Of a series or a deal the next match follows, with a `began` of its own. Each has an id: a client that sends the last one back as `Last-Event-ID` misses nothing. In a game that did not come with agon `positions` has the positions as text.',
      params: contestId,
      query: z.object({ match: said(z.string().min(1).max(1000), 'its key, as the list has it') }),
      media: 'text/event-stream',
    },
    async ({ c, params, query }) => {
      await findContest(site, params.id)
      return streams.answer(c, channels, JSON.stringify([params.id, query.match]))
    },
  ),
]
