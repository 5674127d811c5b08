import { z } from '@hono/zod-openapi'
import {
  type GameDefinition,
  type Legal,
  type MatchRecord,
  type Outcome,
  didYouMean,
  isLegal,
  spelled,
  wordingOf,
} from '../core/index.js'
import { type Entry, houseBots } from '../contest/index.js'
import { type SeatEvent, ownPartsFor } from '../match/index.js'
import { RemotePlayer } from '../app/person.js'
import { MatchHost, type MatchTerms, botsOfTerms, distinct, settingOf, termsOf } from '../app/match-host.js'
import type { SiteContext } from './context.js'
import { hostedContest, loadHosted, rulesOf } from './contests.js'
import { refusing, conflict, forbidden, invalid, notFound, tooMany } from './http/answers.js'
import { type Infer, get, post, said, typed, object } from './http/route.js'
import { positionsFor, positionsSchema, recordSchema, textOf } from './matches.js'
import { freshId } from './store.js'

const optionValue = z.union([z.number(), z.string(), z.boolean()])
const sittingRequest = z.object({
  game: z.string().max(100).optional(),
  contest: z.string().max(100).optional(),
  opponents: z.array(z.string().max(200)).max(100),
  options: said(
    z.record(z.string().max(100), z.union([optionValue, z.array(optionValue)])).optional(),
    'of the game; a contest has its own',
  ),
})
type SittingRequest = z.infer<typeof sittingRequest>

const outcomeSchema = typed<Outcome>(z.looseObject({ place: z.array(z.int()), reason: z.string() }))
const sittingSchema = object('Sitting', {
  id: z.string(),
  game: z.string(),
  names: said(z.array(z.string()), 'by seat'),
  seat: said(z.int(), 'the person’s'),
  over: z.boolean(),
  view: said(z.unknown(), 'what there is to decide on; null: nothing now'),
  legal: said(
    typed<Legal>(z.union([z.array(z.string()), z.looseObject({})])),
    'the actions that may be chosen, or a shape that describes them; an empty list: none is asked for',
  ),
  events: said(
    z.array(
      typed<SeatEvent>(z.looseObject({ kind: z.enum(['began', 'asked', 'moved', 'fault', 'observed', 'ended']) })),
    ),
    'what the seat has seen and done, from the number `first` on',
  ),
  first: said(
    z.int(),
    'the number of the first of the events, counted from 0: `since`, or more if older ones are not kept',
  ),
  turn: said(z.int(), 'how often the person has moved'),
  outcome: outcomeSchema.nullable(),
  text: said(z.string().optional(), 'what there is to decide on, in a game that does not come with agon'),
  record: said(recordSchema.optional(), 'once it is over'),
  positions: said(positionsSchema.optional(), 'its positions, in a game that does not come with agon'),
})
export type Sitting = Infer<typeof sittingSchema>

/** Throws a Refusal where a game is not played by so many bots. `you`: a person plays with them. */
export function refuseSeats({ game }: GameDefinition, bots: number, you?: true): void {
  const { min, max } = game.seats
  const all = you ? bots + 1 : bots
  if (all >= min && all <= max) return
  const seats = min === max ? min : `${min} to ${max}`
  const remedy = you ? ', you included: name as many opponents' : ': name as many bots'
  throw invalid(`${game.id} is played by ${seats}${remedy}`)
}

const LISTED = 20

/** The bots of these names; two of the same are distinguished by a number. `others`: who is there, too. Throws a Refusal. */
export function botsNamed(
  { seats }: Pick<SiteContext, 'seats'>,
  names: readonly string[],
  bots: readonly Entry[],
  others: readonly { readonly name: string }[] = [],
): readonly Entry[] {
  const shown = distinct(names)
  return names.map((name, i) => {
    const entry = bots.find(({ spec }) => spec.name === name)
    if (entry === undefined) {
      const all = [...new Set([...bots.map(({ spec }) => spec.name), ...others.map((one) => one.name)])]
      const there = all.length > LISTED ? [...all.slice(0, LISTED), `${all.length - LISTED} more`] : all
      throw invalid(`no bot ${JSON.stringify(name)}${didYouMean(name, all)}; there are ${there.join(', ')}`)
    }
    if (entry.remote !== undefined && !seats.isThere(entry.remote))
      throw conflict(`${name} is not connected now: try again when it is`)
    return { ...entry, spec: { ...entry.spec, name: shown[i] ?? name } }
  })
}

/** Matches of people at once, and the bots that play in them: in all, and from one address. */
const MOST = { matches: 64, bots: 128 }
const MOST_EACH = { matches: 8, bots: 16 }
/** Milliseconds without a move after which a match is given up. */
const IDLE_MS = 30 * 60_000
/** Milliseconds without a move after which another match may take its place; and without a question after which a bot is ended until it is asked again. */
const ABSENT_MS = 60_000
/** Milliseconds that a request waits for the others' moves at most. */
const WAIT_MS = 60_000

interface OpenSitting {
  readonly id: string
  readonly game: string
  readonly from: string
  readonly bots: number
  readonly sitter: RemotePlayer
  readonly stop: AbortController
  /** By seat; empty until it has begun. */
  names: readonly string[]
  moved: number
  record?: MatchRecord
  failed?: true
  done: Promise<void>
}

/** Where people sit down to play. To be closed. */
export class Sittings {
  private readonly open = new Map<string, OpenSitting>()
  private readonly timer: NodeJS.Timeout

  constructor(
    private readonly context: SiteContext,
    private readonly allowed = true,
  ) {
    this.timer = setInterval(() => this.sweep(), ABSENT_MS).unref()
  }

  /** Seats a person; `from`: an address. Resolves once they are asked for a move. Throws a Refusal. */
  async sit(request: SittingRequest, from: string): Promise<Sitting> {
    if (!this.allowed) throw forbidden('people cannot play on this site')
    const { definition, entries, terms } = await this.invited(request)
    const bots = entries.length
    refuseSeats(definition, bots, true)
    refusing(() => settingOf(definition, terms, bots + 1))
    this.makeRoom(from, bots)
    const [sitter, stop] = [new RemotePlayer(definition), new AbortController()]
    const about = { id: freshId(), game: definition.game.id, from, bots, sitter, stop }
    const sitting: OpenSitting = { ...about, names: [], moved: performance.now(), done: Promise.resolve() }
    this.open.set(sitting.id, sitting)
    const release = this.context.staged.hold(entries)
    try {
      const context = { ...this.context, signal: stop.signal }
      const { bots: built, setting } = await botsOfTerms(definition, entries, { ...terms, guests: 1 }, context)
      const participants = [...built.map((bot) => ({ bot })), { name: 'you', player: sitter }]
      const onStart: typeof setting.onStart = (match) => match.observe(bots, (event) => sitter.see(event))
      const host = new MatchHost(definition, participants, { ...setting, idleMs: ABSENT_MS, onStart }, context)
      sitting.done = this.play(sitting, host).finally(release)
    } catch (error) {
      this.open.delete(sitting.id)
      release()
      throw error
    }
    await sitter.asking()
    return this.facts(sitting, from)
  }

  /** Makes a move. Resolves once the next one is asked for, or the match is over. Throws a Refusal for a move that is not legal. */
  async move(id: string, action: string, from: string, since?: number): Promise<Sitting> {
    const sitting = this.open.get(id)
    if (sitting === undefined) {
      await this.find(id, from)
      throw conflict('this match is over')
    }
    const { asked } = sitting.sitter
    if (asked === undefined) throw conflict('you are not asked for a move now')
    if (!isLegal(asked.legal, action))
      throw invalid(`${JSON.stringify(action.slice(0, 100))} is not legal now: legal lists what is`)
    sitting.moved = performance.now()
    sitting.sitter.move(action)
    await Promise.race([sitting.sitter.asking(), new Promise((done) => setTimeout(done, WAIT_MS).unref())])
    return this.facts(sitting, from, since)
  }

  /** A match as its person may see it, also when it is long over. Throws a Refusal where there is none. */
  async find(id: string, from: string, since?: number): Promise<Sitting> {
    const sitting = this.open.get(id)
    if (sitting !== undefined) return this.facts(sitting, from, since)
    const record = this.context.site.sitting(id)
    if (record === undefined)
      throw notFound('there is no such match; one that its player leaves is abandoned after a while')
    const names = record.seats.map(({ entrant }) => entrant)
    return this.told({ id, game: record.game, names, turn: record.steps.length, record }, from)
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    const all = [...this.open.values()]
    for (const { stop } of all) stop.abort()
    await Promise.all(all.map(({ done }) => done))
  }

  /** Whose bots sit there. House bots alone are found by a name: a person names no file and no program. */
  private async invited({ game, contest, opponents, options = {} }: SittingRequest) {
    if (contest !== undefined) {
      const hosted = await hostedContest(this.context, contest)
      if ((await rulesOf(this.context, hosted)).sittings === false)
        throw forbidden('people cannot play against the entrants of this contest')
      const { loaded, playing } = await loadHosted(this.context, hosted, opponents)
      const entries = botsNamed(this.context, opponents, loaded.entries, playing)
      return { definition: loaded.definition, entries, terms: termsOf(loaded.contest) }
    }
    const definition = this.context.games.find((one) => one.game.id === game)
    if (definition === undefined) {
      const ids = this.context.games.map((one) => one.game.id)
      throw invalid(`no game ${JSON.stringify(game)}${didYouMean(game ?? '', ids)}; there are ${ids.join(', ')}`)
    }
    const terms: MatchTerms = { options }
    return { definition, entries: botsNamed(this.context, opponents, houseBots(definition)), terms }
  }

  private async play(sitting: OpenSitting, host: MatchHost): Promise<void> {
    const { id, game, sitter } = sitting
    const { site, notice, spell } = this.context
    sitting.names = host.names
    try {
      sitting.record = ownPartsFor(await host.play(), () => false)
      site.addSitting(id, game, sitting.record)
    } catch (error) {
      sitting.failed = true
      if (!sitting.stop.signal.aborted) notice(`sitting: ${spelled(wordingOf(error), spell)}`)
      this.open.delete(id)
    } finally {
      sitter.leave()
      await host.close()
    }
  }

  /** `since`: the number of the first event that is wanted. */
  private async facts(sitting: OpenSitting, from: string, since = 0): Promise<Sitting> {
    const { id, game, names, bots: seat, sitter, record, failed } = sitting
    if (failed) throw conflict('this match could not be played to its end: begin another one')
    const { asked, turn } = sitter
    const first = Math.max(sitter.first, since)
    const events = sitter.events.slice(first - sitter.first)
    const text = textOf(this.context, game, asked?.view, seat)
    return { ...(await this.told({ id, game, names, turn, record }, from)), ...asked, text, first, events }
  }

  /** A match of which nothing is asked, and no events are kept. */
  private async told(
    { record, ...facts }: Pick<Sitting, 'id' | 'game' | 'names' | 'turn' | 'record'>,
    from: string,
  ): Promise<Sitting> {
    const positions = record && (await positionsFor(this.context, record, from))
    const asked = { view: null, legal: [], events: [], first: 0 }
    const end = { over: record !== undefined, outcome: record?.outcome ?? null, record, positions }
    return { ...facts, seat: facts.names.length - 1, ...asked, ...end }
  }

  /** Refuses one more match where there are too many matches or bots, unless those that were left alone make room. */
  private makeRoom(from: string, bots: number): void {
    if (bots > MOST_EACH.bots)
      throw invalid(`a person plays against ${MOST_EACH.bots} bots at most here: name fewer opponents`)
    for (;;) {
      const playing = [...this.open.values()].filter((one) => one.record === undefined && !one.stop.signal.aborted)
      const isFull = (among: readonly OpenSitting[], most: typeof MOST): boolean =>
        among.length >= most.matches || among.reduce((sum, one) => sum + one.bots, bots) > most.bots
      const own = playing.filter((one) => one.from === from)
      if (!isFull(own, MOST_EACH) && !isFull(playing, MOST)) return
      const crowd = isFull(own, MOST_EACH) ? own : playing
      const [oldest] = crowd.sort((a, b) => a.moved - b.moved)
      if (oldest === undefined || performance.now() - oldest.moved <= ABSENT_MS)
        throw tooMany('too many people play here now: end a match, or come back in a minute', { wait: 60 })
      oldest.stop.abort()
    }
  }

  /** Gives up matches that were abandoned, and forgets those that are over: they are kept in the site's file. */
  private sweep(): void {
    for (const sitting of this.open.values()) {
      const alone = performance.now() - sitting.moved
      if (sitting.record !== undefined && alone > ABSENT_MS) this.open.delete(sitting.id)
      else if (alone > IDLE_MS) sitting.stop.abort()
    }
  }
}

const since = z.object({
  since: said(
    z.coerce.number().int().min(0).optional(),
    'the number of the first event that is wanted; absent: all that are kept',
  ),
})

export const sittingRoutes = (sittings: Sittings) => [
  post('/sittings', {
    summary: 'Sit down against bots',
    description:
      'Against house bots of a game, or against entrants of a contest, by its options. A client that knows the id plays the match; it shows what the person’s seat may know, and no more, until it is over.',
    body: sittingRequest,
    status: 201,
    answer: sittingSchema,
  }).handler(({ body, from }) => sittings.sit(body, from)),
  get('/sittings/{id}', {
    summary: 'A person’s match, as its seat may see it; with its record once it is over',
    query: since,
    answer: sittingSchema,
    own: 'each',
  }).handler(({ id, query, from }) => sittings.find(id, from, query.since)),
  post('/sittings/{id}/moves', {
    summary: 'Make a move; the answer comes once the next one is asked for',
    query: since,
    body: z.object({ action: z.string().max(10_000) }),
    answer: sittingSchema,
  }).handler(({ id, body, query, from }) => sittings.move(id, body.action, from, query.since)),
]
