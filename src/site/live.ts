import { z } from '@hono/zod-openapi'
import { type GameDefinition, type MatchRecord, type Move, unpackOutput } from '../core/index.js'
import type { JobUnderWay, PlayedPart } from '../engine/index.js'
import { games } from '../games/index.js'
import { type PlayedSoFar, Position, isChanceless, judgeContext, unreadyOf } from '../match/index.js'
import { type ComputedMatch, computedPart, joinedParts, partFrom } from '../results/index.js'
import type { SiteContext } from './context.js'
import { findContest } from './contests.js'
import type { Places } from './http/limits.js'
import { Refusal } from './http/answers.js'
import { type ApiRoute, type Infer, get, list, paged, pages, said } from './http/route.js'
import { Channels, type EventSource, type SentEvent } from './http/streams.js'
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

/** One playing of a match, as far as it has come. */
interface Shown {
  readonly part: PlayedPart
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

  /** What a watcher is sent that has seen everything up to the event `last`; undefined: it has seen nothing. */
  async since(last: string | undefined, isNew = false): Promise<readonly SentEvent[]> {
    if (!this.isOver) await this.look()
    const { shown, ending } = this
    const [, began, count, mark] = /^(\d{1,16})\.(\d{1,9})\.(\w?)$/.exec(last ?? '') ?? []
    // How far a listener has got: in which playing of the match, with how many steps, and whether it knows that it is sealed (s) or has ended (e).
    const id = `${shown?.part.began ?? 0}.${shown?.steps.length ?? 0}.`
    const news: SentEvent[] = []
    if (shown !== undefined) {
      const { part, steps, times, positions, following } = shown
      const { sealed } = following
      const from = Number(began) === part.began ? Math.min(Number(count), steps.length) : undefined
      if (from === undefined) {
        // What is no secret of any match: its luck is none of it.
        const { agon, key, game, version, options, field, seats } = part
        const ready = sealed === undefined ? part.ready : []
        const data = { agon, key, game, version, options, field, seats, ready, steps, times, positions }
        news.push({ id, kind: 'began', data })
      } else if (from < steps.length) {
        const later = positions && partFrom(positions, from + 1)
        const data = { from, steps: steps.slice(from), times: times.slice(from), positions: later }
        news.push({ id, kind: 'steps', data })
      }
      if (sealed !== undefined && (from === undefined || mark === ''))
        news.push({ id: `${id}s`, kind: 'sealed', data: { why: sealed } })
    }
    if (ending !== undefined && (isNew || mark !== 'e')) news.push({ id: `${id}e`, ...ending })
    return news
  }

  /** Reads the steps since the last look. */
  private async look(): Promise<void> {
    const underWay = this.context.progress.underWay(this.contest)
    const job = underWay
      ?.jobs()
      .find(({ job: { key, pairings } }) => key === this.key || pairings.some((one) => one.key === this.key))
    if (job !== undefined) this.job = job
    const { shown } = this
    const seen = shown && { began: shown.part.began, steps: shown.taken }
    const part = await underWay?.look(job?.job.key ?? this.key, seen)
    if (part !== undefined) await this.take(part)
    // Between the matches of a job, or before the first.
    else if (job === undefined) await this.end()
  }

  private async take(part: PlayedPart): Promise<void> {
    this.missed = 0
    let { shown } = this
    if (shown?.part.began !== part.began) {
      const { run } = await findContest(this.context, this.contest)
      if (run === undefined) throw new Refusal('unknown', 'nothing is played in this contest')
      const following = new Following(await siteGameOf(this.context, run), part)
      shown = this.shown = { part, following, steps: [], times: [], taken: 0 }
    }
    const { following, steps, times } = shown
    const before = following.moves.length
    following.take(part.steps)
    shown.taken = part.from + part.steps.length
    const more = following.moves.length - before
    steps.push(...part.steps.slice(0, more))
    times.push(...(part.times ?? []).slice(0, more))
    shown.positions = positionsOf(shown)
  }

  /** It is not played any more: it is stored by now, or about to be. */
  private async end(): Promise<void> {
    const match = await this.stored()
    if (match !== undefined) this.ending = { kind: 'ended', data: { match } }
    // Neither queued nor stored, and never seen being played: it was played long ago, or never.
    else if (this.job === undefined || ++this.missed >= GONE) this.ending = { kind: 'gone', data: {} }
    this.isOver = this.ending !== undefined
  }

  /** The match's number in the store: of a series that of the match that was watched. */
  private async stored(): Promise<number | undefined> {
    const { run } = await findContest(this.context, this.contest)
    const key = this.shown?.part.key ?? this.key
    const [entrant, opponent] = this.job?.job.pairings[0]?.seats ?? []
    let before: number | undefined
    for (let n = 0; run !== undefined && n < (this.job === undefined ? PAGES.other : PAGES.watched); n++) {
      const { matches, next } = await this.context.store.browse(run.id, { key, entrant, opponent, limit: 1, before })
      if (matches[0] !== undefined || next === undefined) return matches[0]?.id
      before = next
    }
    return undefined
  }
}

/** The positions that there are as text, with those that have come; undefined: the page knows the game. */
function positionsOf({ part, following, positions }: Shown): ComputedMatch | undefined {
  const { definition, states, moves } = following
  const from = positions?.boards.length ?? 0
  if (from === states.length || games.some(({ game }) => game.id === definition.game.id)) return positions
  const entrants = part.seats.map(({ entrant }) => entrant)
  const more = computedPart(definition, entrants, states.slice(from), moves.slice(positions?.moves.length ?? 0))
  return positions === undefined ? more : joinedParts(positions, more)
}

/** Why a match is not shown while it is played: its game hides things, or it has chance. */
export type SealReason = 'hidden' | 'chance'

/**
 * Follows a match by its game's rules while it is played, if nothing of it is secret. A game that says how its hidden part is dealt anew
 * (`resample`) hides something, and chance is dealt to all matches of a deal: nothing is shown of such a match.
 */
export class Following {
  readonly sealed: SealReason | undefined
  /** The first position included. */
  readonly states: unknown[] = []
  readonly moves: (readonly (Move<string> | null)[])[] = []
  private readonly position: Position | undefined

  /** Throws what the game throws. */
  constructor(
    readonly definition: GameDefinition,
    { ready, ...match }: Omit<PlayedSoFar, 'steps' | 'times'>,
  ) {
    const isHidden = definition.game.resample !== undefined
    if (isHidden || !isChanceless(definition, match.options, match.seats.length)) {
      this.sealed = isHidden ? 'hidden' : 'chance'
      return
    }
    const context = judgeContext(definition, match)
    this.position = new Position(context, match)
    this.position.unready = unreadyOf(context, ready)
    this.states.push(this.position.state)
  }

  /** Takes the next steps. Throws what the game throws. */
  take(steps: MatchRecord['steps']): void {
    const { position, definition } = this
    if (position === undefined) return
    for (const step of steps) {
      for (const [seat, output] of step)
        position.take(seat, unpackOutput(output), definition.game.view(position.state, seat))
      const { moves } = position.play()
      this.states.push(position.state)
      this.moves.push(moves.map((move) => move ?? null))
    }
  }
}

/** The channels of matches that are watched, by their contest and key as JSON. */
export const liveChannels = (site: SiteContext, places?: Places): Channels =>
  new Channels(
    (name) => new WatchedMatch(site, ...(JSON.parse(name) as [contest: string, key: string])),
    LOOK_MS,
    places,
  )

export const liveRoutes = (site: SiteContext, channels: Channels): readonly ApiRoute[] => [
  get(
    '/contests/{id}/live',
    'The matches of a contest that are being played, the longest first',
    {
      description:
        'Those that this server plays itself, 50 at most; `/contests/{id}/live/events` shows one move by move.',
      query: pages,
      answer: list(liveSchema, 'LiveMatches'),
    },
    async ({ id, query }) => paged(await liveMatches(site, id), query),
  ),
  get(
    '/contests/{id}/live/events',
    'A match move by move while it is played, as server-sent events',
    {
      description:
        'First `began`: the record so far, without luck; then `steps` (from: the number of the first of them). `sealed` (why: hidden or chance) says that nothing is shown until it is stored, with all matches that share its luck. `ended` (match: its number) comes once it is stored. `gone`: it is neither played nor stored. Of a series or a deal the next match follows, with a `began` of its own. Each has an id: a client that sends the last one back as `Last-Event-ID` misses nothing. In a game that did not come with agon `positions` has the positions as text.',
      query: z.object({ match: said(z.string().min(1).max(1000), 'its key, as the list has it') }),
      media: 'text/event-stream',
    },
    async ({ c, id, query }) => {
      await findContest(site, id)
      return channels.answer(c, JSON.stringify([id, query.match]))
    },
  ),
]
