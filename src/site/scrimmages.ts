import { join } from 'node:path'
import { z } from '@hono/zod-openapi'
import { UserError, spelled, wordingOf } from '../core/index.js'
import { houseBots } from '../contest/index.js'
import type { LoadedContest } from '../contest/parse.js'
import { judge, ownPartsFor } from '../match/index.js'
import { jobsOf } from '../app/machine.js'
import { secretSeed } from '../app/run/find.js'
import { withFlags } from '../app/run/parse.js'
import { runParsed } from '../app/run/run.js'
import { withoutPlaces } from '../app/workspace.js'
import type { SiteContext } from './context.js'
import { hostedContest, loadHosted, scrimmageFile } from './contests.js'
import { contestantIn, owns } from './entries.js'
import { Refusal, fieldOf } from './http/answers.js'
import { type ApiRoute, type Infer, faultKind, get, post, said } from './http/route.js'
import { TurnQueue } from './http/limits.js'
import { botsNamed, positionsFor, positionsSchema, recordSchema, refuseSeats } from './seating.js'
import type { Caller } from './http/callers.js'
import { freshId } from './store.js'

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
  readonly from?: string
  state: Scrimmage['state']
  result: Pick<Scrimmage, 'why' | 'record' | 'faults' | 'stderr' | 'positions'>
  /** Characters of the result as JSON. */
  size: number
  /** Its contest, with the bots that play it; undefined: they are still looked up. */
  loaded?: LoadedContest
  /** Names, in the record, of the bots that are the person's own. */
  own: ReadonlySet<string>
}

/** Scrimmages that are played at once; the others wait. */
const AT_ONCE = 2
/** Milliseconds that one may take. */
const LONGEST_MS = 120_000
/** Those of a person that are kept, and characters of all. */
const MOST_EACH = 20
const MOST_CHARACTERS = 64 * 1024 ** 2

/**
 * Matches that count for nothing, between bots that were entered or house bots: each is a run of its own, with luck of its own, of which the
 * store keeps nothing. They are kept while the site runs. To be closed.
 */
export class Scrimmages {
  /** By id, the oldest first. */
  private readonly kept = new Map<string, KeptScrimmage>()
  private readonly queue = new TurnQueue<KeptScrimmage>(AT_ONCE, (one) => this.play(one))
  private readonly stop = new AbortController()
  private size = 0

  constructor(
    private readonly context: SiteContext,
    /** This process plays no match that workers can play. */
    private readonly workersOnly = false,
  ) {}

  /** Removes what the scrimmages of a killed site left. */
  async open(): Promise<void> {
    const { store } = this.context
    for (const { id, file } of await store.runs()) if (file === scrimmageFile(this.context)) await store.removeRun(id)
  }

  /** Takes a scrimmage, to be played when its turn comes. Throws a Refusal. */
  async ask(asked: ScrimmageRequest, caller: Caller, from?: string): Promise<{ readonly id: string }> {
    const contestant = contestantIn(asked.contest, caller)
    const isOwn = (one: KeptScrimmage): boolean => one.contest === asked.contest && one.contestant === contestant
    const isOpen = ({ state }: KeptScrimmage): boolean => state === 'waiting' || state === 'playing'
    if ([...this.kept.values()].some((one) => isOwn(one) && isOpen(one)))
      throw new Refusal('too-many', 'a scrimmage of yours is under way: wait until it has ended', { wait: 5 })
    const about = { id: freshId(), contestant, from, own: new Set<string>() }
    const one: KeptScrimmage = { ...asked, ...about, state: 'waiting', result: {}, size: 0 }
    // It counts at once: the person may ask for another meanwhile.
    this.kept.set(one.id, one)
    try {
      await this.lookUp(one)
    } catch (error) {
      this.kept.delete(one.id)
      throw error
    }
    for (const old of [...this.kept.values()].filter(isOwn).slice(0, -MOST_EACH)) this.drop(old)
    this.queue.push(one)
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
    await this.queue.close()
  }

  /** Finds the bots that are asked for. Throws a Refusal for a name that is none, and where the game has other seats. */
  private async lookUp(one: KeptScrimmage): Promise<void> {
    const { contest, contestant, bots } = one
    const { loaded, playing } = await loadHosted(this.context, await hostedContest(this.context, contest), bots)
    const { definition } = loaded
    refuseSeats(definition, bots.length)
    const known = [...loaded.entries, ...houseBots(definition)]
    const entries = botsNamed(this.context, bots, known, playing)
    const own = new Set(playing.flatMap((entry) => (entry.contestant === contestant ? [entry.name] : [])))
    const isOwn = (name = ''): boolean => contestant === 0 || own.has(name)
    one.own = new Set(entries.flatMap(({ spec }, seat) => (isOwn(bots[seat]) ? [spec.name] : [])))
    one.loaded = { ...loaded, entries }
  }

  private async play(one: KeptScrimmage): Promise<void> {
    const { staged, spell, workspace, notice } = this.context
    const late = AbortSignal.timeout(LONGEST_MS)
    const signal = AbortSignal.any([this.stop.signal, late])
    one.state = 'playing'
    try {
      const { loaded } = one
      if (loaded === undefined) throw new Error('a scrimmage is played before its bots are found')
      one.result = await staged.within(loaded.entries, () => this.played(one, loaded, { ...this.context, signal }))
      one.state = 'over'
    } catch (error) {
      let why = 'agon itself failed: ask for it again'
      if (late.aborted && !(error instanceof Refusal)) why = `it took longer than ${LONGEST_MS / 1000} s`
      else if (error instanceof UserError) why = withoutPlaces(spelled(error.text, fieldOf), workspace)
      else if (!signal.aborted) notice(`scrimmage: ${spelled(wordingOf(error), spell)}`)
      one.result = { why }
      one.state = 'failed'
    }
    one.loaded = undefined
    one.size = JSON.stringify(one.result).length
    if (this.kept.has(one.id)) this.size += one.size
    for (const old of this.kept.values()) if (this.size > MOST_CHARACTERS && old.size > 0) this.drop(old)
  }

  /** Plays it, by workers before all that waits for them. Returns what its owner is shown: of the bots of others not what they print of themselves. */
  private async played(one: KeptScrimmage, loaded: LoadedContest, context: SiteContext): Promise<typeof one.result> {
    const { store, signal, workspace, workers } = context
    const file = scrimmageFile(context)
    const format = { kind: 'free-for-all', repetitions: 1, swap: false, playoff: 0 } as const
    const contest = { ...loaded.contest, format, entrants: loaded.entries.map(({ spec }) => spec) }
    const options = {
      ...jobsOf(1, undefined, context),
      workersOnly: this.workersOnly,
      urgent: true,
      results: false,
      // Its own kind of seed: no text that a person can give has luck of a contest.
      seed: `scrimmage in ${one.contest}: ${one.seed ?? secretSeed()}`,
      out: join(file, one.id),
    }
    let run: string | undefined
    try {
      const { result } = await runParsed(
        withFlags({ ...loaded, file, contest }, options),
        options,
        context,
        store,
        (news) => {
          if (news.type === 'began') run = news.run
        },
      )
      signal?.throwIfAborted()
      const [job = ''] = result.jobKeys
      const [match] = (await store.read([job])).get(job) ?? []
      if (match === undefined) throw new Error('a scrimmage ended without its match')
      const { record } = match
      const stderr = [...one.own].flatMap((name) => {
        const text = result.stderr.get(name) ?? ''
        return text === '' ? [] : [{ name, text: withoutPlaces(text, workspace) }]
      })
      return {
        record: ownPartsFor(record, (seat) => one.own.has(record.seats[seat]?.entrant ?? '')),
        faults: judge(loaded.definition, record).faults,
        stderr,
        positions: await positionsFor(context, record, 'scrimmages'),
      }
    } catch (error) {
      const why = run === undefined ? undefined : workers.waits(run)
      throw signal?.aborted && why !== undefined ? new Refusal('conflict', `it was not played: ${why}`) : error
    } finally {
      if (run !== undefined) await store.removeRun(run)
    }
  }

  private drop(one: KeptScrimmage): void {
    if (this.kept.delete(one.id)) this.size -= one.size
  }
}

export const scrimmageRoutes = (scrimmages: Scrimmages): readonly ApiRoute[] => [
  post(
    '/contests/{id}/scrimmages',
    'Play a match that counts for nothing',
    {
      access: 'contestant',
      description:
        'Between bots that were entered in the contest and house bots of its game, as many as the game seats, each in fresh processes. Its luck comes from its own seed, and never from the contest’s. A person has one at a time; the last twenty are kept while the site runs.',
      body: z.object({
        bots: said(z.array(z.string().max(200)).max(100), 'names, by seat'),
        seed: said(z.string().max(200).optional(), 'the same seed deals the same luck again'),
      }),
      status: 202,
      answer: z.strictObject({ id: z.string() }),
    },
    ({ id: contest, body, caller, from }) => scrimmages.ask({ ...body, contest }, caller, from),
  ),
  get(
    '/scrimmages/{id}',
    'How far a scrimmage is, and its record once it is over',
    {
      access: 'contestant',
      description: 'For who asked for it, and for the host.',
      answer: scrimmageSchema,
      own: 'each',
    },
    ({ id, caller }) => scrimmages.facts(id, caller),
  ),
]
