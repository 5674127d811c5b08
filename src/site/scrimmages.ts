import { join } from 'node:path'
import { z } from '@hono/zod-openapi'
import { UserError, spelled, wordingOf } from '../core/index.js'
import { houseBots } from '../contest/index.js'
import type { LoadedContest } from '../contest/parse.js'
import { TurnQueue } from '../engine/index.js'
import { judge, ownPartsFor } from '../match/index.js'
import { jobsOf } from '../app/machine.js'
import { secretSeed } from '../app/run/find.js'
import { withFlags } from '../app/run/parse.js'
import { runParsed } from '../app/run/run.js'
import { withoutPlaces } from '../app/workspace.js'
import type { SiteContext } from './context.js'
import { hostedContest, loadHosted, scrimmageFile } from './contests.js'
import { contestantIn, owns } from './entries.js'
import { Refusal, conflict, notFound, tooMany } from './http/answers.js'
import { fieldOf } from '../app/flag.js'
import { type Infer, faultKind, get, post, said, object, arrayOf } from './http/route.js'
import { positionsFor, positionsSchema, recordSchema } from './matches.js'
import { botsNamed, refuseSeats } from './sittings.js'
import type { Caller } from './http/callers.js'
import { freshId } from './store.js'

const SCRIMMAGE_STATES = ['waiting', 'playing', 'over', 'failed'] as const

const scrimmageSchema = object('Scrimmage', {
  id: z.string(),
  contest: z.string(),
  bots: said(z.array(z.string()), 'as they were asked for'),
  state: said(z.enum(SCRIMMAGE_STATES), 'failed: `why` says why there is no record'),
  why: z.string().optional(),
  record: said(recordSchema.optional(), 'once it is over'),
  faults: arrayOf({
    seat: z.int(),
    turn: said(z.int(), 'counted from 0'),
    fault: faultKind,
    why: z.string().optional(),
    said: z.string().optional(),
  }).optional(),
  stderr: said(
    z.array(z.strictObject({ name: z.string(), text: z.string() })).optional(),
    'the end of what those bots wrote to standard error that are the caller’s',
  ),
  positions: said(positionsSchema.optional(), 'its positions, in a game that does not come with agon'),
})
export type Scrimmage = Infer<typeof scrimmageSchema>

const scrimmageRequest = z.object({
  bots: said(z.array(z.string().max(200)).max(100), 'names, by seat'),
  seed: said(z.string().max(200).optional(), 'the same seed deals the same luck again'),
})

interface KeptScrimmage extends Pick<Scrimmage, 'id' | 'contest' | 'bots'> {
  readonly contestant: number
  shown: Omit<Scrimmage, 'id' | 'contest' | 'bots'>
  /** Characters of what is shown, as JSON. */
  size: number
}

interface Invited {
  readonly loaded: LoadedContest
  /** Names, in the record, of the bots that are the person's own. */
  readonly own: ReadonlySet<string>
  readonly seed: string
}

const AT_ONCE = 2
const LONGEST_MS = 120_000
/** Those of a person that are kept, and characters of all. */
const MOST_EACH = 20
const MOST_CHARACTERS = 64 * 1024 ** 2

/** Matches that count for nothing: each is a run with luck of its own, of which the store keeps nothing. To be closed. */
export class Scrimmages {
  /** By id, the oldest first. */
  private readonly kept = new Map<string, KeptScrimmage>()
  private readonly queue = new TurnQueue<{
    readonly contest: string
    readonly contestant: number
    readonly from?: string
    readonly play: () => Promise<void>
  }>(AT_ONCE, ({ play }) => play())
  private readonly stop = new AbortController()

  constructor(
    private readonly context: SiteContext,
    private readonly workersOnly = false,
  ) {}

  /** Removes what the scrimmages of a killed site left. */
  async open(): Promise<void> {
    const { store } = this.context
    for (const { id, file } of await store.runs()) if (file === scrimmageFile(this.context)) await store.removeRun(id)
  }

  /** Takes a scrimmage, to be played when its turn comes. Throws a Refusal. */
  async ask(
    contest: string,
    { bots, seed = secretSeed() }: z.infer<typeof scrimmageRequest>,
    caller: Caller,
    from?: string,
  ): Promise<{ readonly id: string }> {
    const contestant = contestantIn(contest, caller)
    const own = [...this.kept.values()].filter((one) => one.contest === contest && one.contestant === contestant)
    if (own.some(({ shown: { state } }) => state === 'waiting' || state === 'playing'))
      throw tooMany('a scrimmage of yours is under way: wait until it has ended', { wait: 5 })
    const one: KeptScrimmage = { id: freshId(), contest, contestant, bots, shown: { state: 'waiting' }, size: 0 }
    // It counts at once: the person may ask for another meanwhile.
    this.kept.set(one.id, one)
    try {
      const invited = { ...(await this.invited(one)), seed }
      this.queue.push({ contest, contestant, from, play: () => this.play(one, invited) })
    } catch (error) {
      this.kept.delete(one.id)
      throw error
    }
    for (const { id } of [...own, one].slice(0, -MOST_EACH)) this.kept.delete(id)
    return { id: one.id }
  }

  /** A scrimmage as the caller may see it. Throws a Refusal where the caller has none of this id. */
  facts(id: string, caller: Caller): Scrimmage {
    const one = this.kept.get(id)
    if (one === undefined || !owns(one, caller))
      throw notFound(`there is no such scrimmage: your last ${MOST_EACH} are kept while the site runs`)
    return { id, contest: one.contest, bots: one.bots, ...one.shown }
  }

  async close(): Promise<void> {
    this.stop.abort()
    await this.queue.close()
  }

  /** Finds the bots that are asked for. Throws a Refusal for a name that is none, and where the game has other seats. */
  private async invited({ contest, contestant, bots }: KeptScrimmage): Promise<Omit<Invited, 'seed'>> {
    const { loaded, playing } = await loadHosted(this.context, await hostedContest(this.context, contest), bots)
    refuseSeats(loaded.definition, bots.length)
    const known = [...loaded.entries, ...houseBots(loaded.definition)]
    const entries = botsNamed(this.context, bots, known, playing)
    const isOwn = (name = ''): boolean =>
      contestant === 0 || playing.some((entry) => entry.contestant === contestant && entry.name === name)
    const own = new Set(entries.flatMap(({ spec }, seat) => (isOwn(bots[seat]) ? [spec.name] : [])))
    return { loaded: { ...loaded, entries }, own }
  }

  private async play(one: KeptScrimmage, invited: Invited): Promise<void> {
    const { staged, spell, workspace, notice } = this.context
    const late = AbortSignal.timeout(LONGEST_MS)
    const signal = AbortSignal.any([this.stop.signal, late])
    one.shown = { state: 'playing' }
    try {
      const work = () => this.played(one, invited, { ...this.context, signal })
      one.shown = { state: 'over', ...(await staged.within(invited.loaded.entries, work)) }
    } catch (error) {
      let why = 'agon itself failed: ask for it again'
      if (late.aborted && !(error instanceof Refusal)) why = `it took longer than ${LONGEST_MS / 1000} s`
      else if (error instanceof UserError) why = withoutPlaces(spelled(error.text, fieldOf), workspace)
      else if (!signal.aborted) notice(`scrimmage: ${spelled(wordingOf(error), spell)}`)
      one.shown = { state: 'failed', why }
    }
    one.size = JSON.stringify(one.shown).length
    let size = 0
    for (const old of [...this.kept.values()].reverse()) {
      size += old.size
      if (old.size > 0 && size > MOST_CHARACTERS) this.kept.delete(old.id)
    }
  }

  /** Plays it, by workers before all that waits for them. Returns what its owner is shown: of the bots of others not what they print of themselves. */
  private async played(
    { id, contest: hosted }: KeptScrimmage,
    { loaded, own, seed }: Invited,
    context: SiteContext,
  ): Promise<Omit<KeptScrimmage['shown'], 'state'>> {
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
      seed: `scrimmage in ${hosted}: ${seed}`,
      out: join(file, id),
    }
    let run: string | undefined
    try {
      const { result } = await runParsed(withFlags({ ...loaded, file, contest }, options), options, context, (news) => {
        if (news.type === 'began') run = news.run.id
      })
      signal?.throwIfAborted()
      const [job = ''] = result.jobKeys
      const [match] = (await store.read([job])).get(job) ?? []
      if (match === undefined) throw new Error('a scrimmage ended without its match')
      const { record } = match
      const stderr = [...own].flatMap((name) => {
        const text = result.stderr.get(name) ?? ''
        return text === '' ? [] : [{ name, text: withoutPlaces(text, workspace) }]
      })
      return {
        record: ownPartsFor(record, (seat) => own.has(record.seats[seat]?.entrant ?? '')),
        faults: judge(loaded.definition, record).faults,
        stderr,
        positions: await positionsFor(context, record, 'scrimmages'),
      }
    } catch (error) {
      const why = run === undefined ? undefined : workers.waits(run)
      throw signal?.aborted && why !== undefined ? conflict(`it was not played: ${why}`) : error
    } finally {
      if (run !== undefined) await store.removeRun(run)
    }
  }
}

export const scrimmageRoutes = (scrimmages: Scrimmages) => [
  post('/contests/{id}/scrimmages', {
    summary: 'Play a match that counts for nothing',
    access: 'contestant',
    description:
      'Between bots that were entered in the contest and house bots of its game, as many as the game seats, each in fresh processes. Its luck comes from its own seed, and never from the contest’s. A person has one at a time; the last twenty are kept while the site runs.',
    body: scrimmageRequest,
    status: 202,
    answer: z.strictObject({ id: z.string() }),
  }).handler(({ id, body, caller, from }) => scrimmages.ask(id, body, caller, from)),
  get('/scrimmages/{id}', {
    summary: 'How far a scrimmage is, and its record once it is over',
    access: 'contestant',
    description: 'For who asked for it, and for the host.',
    answer: scrimmageSchema,
    own: 'each',
  }).handler(({ id, caller }) => scrimmages.facts(id, caller)),
]
