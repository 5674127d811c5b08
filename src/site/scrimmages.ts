import { join } from 'node:path'
import { z } from '@hono/zod-openapi'
import { type MatchRecord, UserError, didYouMean, spelled, wordingOf } from '../core/index.js'
import { type Entry, houseBots } from '../contest/index.js'
import type { LoadedContest } from '../contest/parse.js'
import { judge, ownPartsFor } from '../match/index.js'
import { findBotIsolation } from '../app/isolation.js'
import { jobsOf } from '../app/jobs.js'
import { MatchHost, botsReady } from '../app/match-host.js'
import { secretSeed } from '../app/run/find.js'
import { withFlags } from '../app/run/parse.js'
import { runParsed } from '../app/run/run.js'
import { preparedFor, settingOf, termsOf } from '../app/terms.js'
import { withoutPlaces } from '../app/workspace.js'
import type { SiteContext } from './context.js'
import { hostedContest } from './contests.js'
import { contestantIn, owns } from './entries.js'
import { loadNamed, scrimmageFile, takenIn } from './hosted.js'
import { Refusal, fieldOf } from './http/problems.js'
import { type ApiRoute, type Infer, contestId, get, idOf, post, said } from './http/route.js'
import { positionsSchema, recordSchema } from './matches.js'
import { Turns, takersOf } from './play/turns.js'
import { positionsFor, refuseAway, renamed } from './seating.js'
import { faultKind } from './standings.js'
import { type Caller, freshId } from './tokens.js'

const SCRIMMAGE_STATES = ['waiting', 'playing', 'over', 'failed'] as const

const scrimmageSchema = z
  .strictObject({
    id: z.string(),
    contest: z.string(),
    bots: said(z.array(z.string()), 'as they were asked for'),
    state: said(z.enum(SCRIMMAGE_STATES), 'failed: `why` says why there is no record'),
    why: z.string().optional(),
    record: said(recordSchema.optional(), 'once it is over'),
    faults: z
      .array(
        z.strictObject({
          seat: z.int(),
          turn: said(z.int(), 'counted from 0'),
          fault: faultKind,
          why: z.string().optional(),
          said: z.string().optional(),
        }),
      )
      .optional(),
    stderr: said(
      z.array(z.strictObject({ name: z.string(), text: z.string() })).optional(),
      'the end of what those bots wrote to standard error that are the caller’s',
    ),
    positions: said(positionsSchema.optional(), 'its positions, in a game that does not come with agon'),
  })
  .openapi('Scrimmage')
export type Scrimmage = Infer<typeof scrimmageSchema>

/** Who asked for a scrimmage, and for what. */
interface ScrimmageRequest {
  readonly contest: string
  readonly bots: readonly string[]
  /** Of its luck and the bots' chance; absent: a secret one. */
  readonly seed?: string
}

/** A scrimmage that was asked for. */
interface KeptScrimmage extends ScrimmageRequest {
  readonly id: string
  readonly contestant: number
  /** The address that asked. */
  readonly from?: string
  state: Scrimmage['state']
  result: Pick<Scrimmage, 'why' | 'record' | 'faults' | 'stderr' | 'positions'>
  /** Characters of the result as JSON. */
  size: number
}

/** What was played. */
interface Played {
  readonly record: MatchRecord
  /** The end of what a bot wrote to standard error, by the bot's name in the record. */
  readonly stderr: (name: string) => string
}

/** Scrimmages that are played at once; the others wait. */
const AT_ONCE = 2
/** Milliseconds that one may take. */
const LONGEST_MS = 120_000
/** Those of a person that are kept, and characters of all. */
const MOST_EACH = 20
const MOST_CHARACTERS = 64 * 1024 ** 2

/**
 * Matches that count for nothing, between bots that were entered or house bots: each in fresh processes, with luck of its own. They are
 * kept while the site runs. To be closed.
 */
export class Scrimmages {
  /** By id, the oldest first. */
  private readonly kept = new Map<string, KeptScrimmage>()
  private queue: { readonly one: KeptScrimmage; readonly play: () => Promise<void> }[] = []
  private readonly turns = new Turns<(typeof this.queue)[number]>(({ one }) => takersOf(one, one.from))
  private readonly work = new Set<Promise<void>>()
  private readonly stop = new AbortController()
  private size = 0

  constructor(
    private readonly context: SiteContext,
    /** This process plays no match that workers can play. */
    private readonly workersOnly = false,
  ) {}

  /** Takes a scrimmage, to be played when its turn comes. Throws a Refusal. */
  async ask(asked: ScrimmageRequest, caller: Caller, from?: string): Promise<{ readonly id: string }> {
    const contestant = contestantIn(asked.contest, caller)
    const isOwn = (one: KeptScrimmage): boolean => one.contest === asked.contest && one.contestant === contestant
    const isOpen = ({ state }: KeptScrimmage): boolean => state === 'waiting' || state === 'playing'
    if ([...this.kept.values()].some((one) => isOwn(one) && isOpen(one)))
      throw new Refusal('too-many', 'a scrimmage of yours is under way: wait until it has ended', { wait: 5 })
    const one: KeptScrimmage = { ...asked, id: freshId(), contestant, from, state: 'waiting', result: {}, size: 0 }
    // It counts at once: the person may ask for another meanwhile.
    this.kept.set(one.id, one)
    try {
      const match = await this.matchOf(one)
      this.queue.push({ one, play: () => this.play(one, ...match) })
    } catch (error) {
      this.kept.delete(one.id)
      throw error
    }
    for (const old of [...this.kept.values()].filter(isOwn).slice(0, -MOST_EACH)) this.drop(old)
    this.fill()
    return { id: one.id }
  }

  /** A scrimmage as the caller may see it. Throws a Refusal where the caller has none of this id. */
  facts(id: string, caller: Caller): Scrimmage {
    const one = this.kept.get(id)
    if (one === undefined || !owns(one, caller))
      throw new Refusal('unknown', `there is no such scrimmage: your last ${MOST_EACH} are kept while the site runs`)
    const { contest, bots, state, result } = one
    return { id, contest, bots, state, ...result }
  }

  async close(): Promise<void> {
    this.stop.abort()
    await Promise.all(this.work)
  }

  /** The bots that are asked for. Throws a Refusal for a name that is none, and where the game has other seats. */
  private async matchOf({ contest, bots }: ScrimmageRequest): Promise<[LoadedContest, readonly Entry[]]> {
    const { loaded, names } = await loadNamed(this.context, await hostedContest(this.context, contest), bots)
    const { definition } = loaded
    const { min, max } = definition.game.seats
    if (bots.length < min || bots.length > max)
      throw new Refusal(
        'invalid',
        `${definition.game.id} is played by ${min === max ? min : `${min} to ${max}`}: name as many bots`,
      )
    const house = houseBots(definition)
    const known = [...loaded.entries, ...house]
    const all = [...new Set([...names, ...house.map(({ spec }) => spec.name)])]
    const entries = bots.map((name) => {
      const entry = known.find(({ spec }) => spec.name === name)
      if (entry === undefined) throw new Refusal('invalid', `no bot ${JSON.stringify(name)}${didYouMean(name, all)}`)
      return entry
    })
    refuseAway(this.context, entries)
    return [loaded, renamed(entries)]
  }

  private fill(): void {
    while (this.work.size < AT_ONCE && !this.stop.signal.aborted) {
      const next = this.turns.next(this.queue)
      if (next === undefined) {
        if (this.work.size === 0) this.turns.clear()
        return
      }
      this.queue = this.queue.filter((other) => other !== next)
      const work: Promise<void> = next.play().finally(() => {
        this.work.delete(work)
        this.fill()
      })
      this.work.add(work)
    }
  }

  private async play(one: KeptScrimmage, loaded: LoadedContest, entries: readonly Entry[]): Promise<void> {
    one.state = 'playing'
    const late = AbortSignal.timeout(LONGEST_MS)
    const context = { ...this.context, signal: AbortSignal.any([this.stop.signal, late]) }
    // Its own kind of seed: no text that a person can give has luck of a contest.
    const seed = `scrimmage in ${one.contest}: ${one.seed ?? secretSeed()}`
    try {
      const play = this.workersOnly ? playElsewhere : playHere
      const played = await context.staged.within(entries, () => play({ ...loaded, entries }, seed, context))
      this.end(one, 'over', await this.told(one, loaded, entries, played))
    } catch (error) {
      const { spell, spellOnPages = fieldOf, workspace, notice } = context
      const mistake =
        error instanceof UserError ? withoutPlaces(spelled(error.text, spellOnPages), workspace) : undefined
      if (mistake === undefined && !context.signal.aborted) notice(`scrimmage: ${spelled(wordingOf(error), spell)}`)
      const why = late.aborted && !(error instanceof Refusal) ? `it took longer than ${LONGEST_MS / 1000} s` : mistake
      this.end(one, 'failed', { why: why ?? 'agon itself failed: ask for it again' })
    }
  }

  /** What its owner is shown: of the bots of others not what they print of themselves. */
  private async told(
    { contest, contestant, bots }: KeptScrimmage,
    { definition }: LoadedContest,
    entries: readonly Entry[],
    { record, stderr }: Played,
  ): Promise<KeptScrimmage['result']> {
    const taken = await takenIn(this.context, contest)
    const isOwn = (name: string | undefined): boolean =>
      contestant === 0 || taken.get(name ?? '')?.contestant === contestant
    const mine = new Set(entries.flatMap(({ spec }, seat) => (isOwn(bots[seat]) ? [spec.name] : [])))
    return {
      record: ownPartsFor(record, (seat) => mine.has(record.seats[seat]?.entrant ?? '')),
      faults: judge(definition, record).faults,
      stderr: [...mine].flatMap((name) =>
        stderr(name) === '' ? [] : [{ name, text: withoutPlaces(stderr(name), this.context.workspace) }],
      ),
      positions: await positionsFor(this.context, record, 'scrimmages'),
    }
  }

  private end(one: KeptScrimmage, state: Scrimmage['state'], result: KeptScrimmage['result']): void {
    one.state = state
    one.result = result
    one.size = JSON.stringify(result).length
    if (this.kept.get(one.id) === one) this.size += one.size
    for (const old of this.kept.values()) if (this.size > MOST_CHARACTERS && old.size > 0) this.drop(old)
  }

  private drop(one: KeptScrimmage): void {
    if (this.kept.delete(one.id)) this.size -= one.size
  }
}

/** Plays a match in this process. */
async function playHere(
  { definition, contest, entries }: LoadedContest,
  seed: string,
  context: SiteContext,
): Promise<Played> {
  const terms = { ...termsOf(contest), seed }
  const setting = settingOf(definition, terms, entries.length)
  const isolation = await findBotIsolation({}, entries, context)
  const bots = await botsReady(definition, entries, { ...preparedFor(terms), isolation }, context)
  const seats = bots.map((bot) => ({ bot }))
  const host = new MatchHost(definition, seats, { ...setting, isolation }, context)
  try {
    const record = await host.play()
    const stderr = new Map(host.names.map((name) => [name, host.stderr(name)]))
    return { record, stderr: (name) => stderr.get(name) ?? '' }
  } finally {
    await host.close()
  }
}

/** Plays a match by the workers that share the store, before all that waits for them; the store keeps nothing of it. */
async function playElsewhere(loaded: LoadedContest, seed: string, context: SiteContext): Promise<Played> {
  const { store, signal } = context
  const file = scrimmageFile(context)
  const format = { kind: 'free-for-all', repetitions: 1, swap: false, playoff: 0 } as const
  const contest = { ...loaded.contest, format, entrants: loaded.entries.map(({ spec }) => spec) }
  const wishes = { workersOnly: true, urgent: true, results: false, seed, out: join(file, freshId()) }
  const options = { ...jobsOf(undefined, undefined, context), ...wishes }
  let run: string | undefined
  try {
    const resolved = withFlags({ ...loaded, file, contest }, options)
    const { result } = await runParsed(resolved, options, context, store, (news) => {
      if (news.type === 'began') run = news.run
    })
    signal?.throwIfAborted()
    const [job] = result.jobKeys
    const [match] = job === undefined ? [] : ((await store.read([job])).get(job) ?? [])
    if (match === undefined) throw new Error('a scrimmage ended without its match')
    return { record: match.record, stderr: (name) => result.stderr.get(name) ?? '' }
  } catch (error) {
    const why = run === undefined ? undefined : context.workers.waits(run)
    throw signal?.aborted && why !== undefined ? new Refusal('conflict', `it was not played: ${why}`) : error
  } finally {
    if (run !== undefined) await store.removeRun(run)
  }
}

/** Removes what the scrimmages of a killed site left. */
export async function removeOldScrimmages(context: SiteContext): Promise<void> {
  const file = scrimmageFile(context)
  for (const run of await context.store.runs()) if (run.file === file) await context.store.removeRun(run.id)
}

/** Matches that count for nothing. */
export const scrimmageRoutes = (scrimmages: Scrimmages): readonly ApiRoute[] => [
  post(
    '/contests/{id}/scrimmages',
    'Play a match that counts for nothing',
    {
      access: 'contestant',
      description:
        'Between bots that were entered in the contest and house bots of its game, as many as the game seats, each in fresh processes. Its luck comes from its own seed, and never from the contest’s. A person has one at a time; the last twenty are kept while the site runs.',
      params: contestId,
      body: z.object({
        bots: said(z.array(z.string().max(200)).max(100), 'names, by seat'),
        seed: said(z.string().max(200).optional(), 'the same seed deals the same luck again'),
      }),
      status: 202,
      answer: z.strictObject({ id: z.string() }),
    },
    ({ params: { id: contest }, body, caller, from }) => scrimmages.ask({ ...body, contest }, caller, from),
  ),
  get(
    '/scrimmages/{id}',
    'How far a scrimmage is, and its record once it is over',
    {
      access: 'contestant',
      description: 'For who asked for it, and for the host.',
      params: idOf('scrimmage'),
      answer: scrimmageSchema,
      own: 'each',
    },
    ({ params, caller }) => scrimmages.facts(params.id, caller),
  ),
]
