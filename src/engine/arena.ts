import { BusyError, type MatchRecord, type Pairing, wiresOf, type Job } from '../core/index.js'
import { playMatch, withParameters } from '../match/index.js'
import { RemoteBot, SandboxPool, type SeatedBot, SharedModuleBot, SharedTrouble } from '../bots/index.js'
import { type PlayableRun, type SeatableEntrant, BotFactory } from './entrant.js'
import { fixtureOf } from './identity.js'
import { entrantsOf } from './schedule.js'
import { yieldToOthers } from './event-loop.js'
import { LiveMatches, longJobWatch } from './under-way.js'
import { Semaphore, ThrottledPlayer } from './semaphore.js'
import { SharedModules } from './shared-modules.js'
import { StallWatch, isAnyLate, mayBeStalled } from './stalls.js'
import { PassingPlayer } from '../core/passing-player.js'

/** A bot, or its sandbox, was killed from outside: the match is void. */
export class Disturbed extends Error {}

/** The run was paused while this job was played: it is played again later. */
export class AbandonedError extends Error {}

/** Sandboxes kept for the next series of their entrants, at most. */
const VACANT = 64

/** How often a match is played again because a bot was killed from outside; then its result stands. */
export const MOST_REPLAYS = 3

/**
 * Throws `Disturbed` where one of these bots was killed from outside in the match just played, and it is to be played again: only
 * once where the bot may have done it itself. `before`: how often that voided the match already.
 */
export function refuseDisturbed(bots: Iterable<Pick<SeatedBot, 'disturbed'>>, before: number): void {
  const seen = [...bots].flatMap((bot) => bot.disturbed?.() ?? [])
  const reason = seen.find(({ certain }) => before < (certain ? MOST_REPLAYS : 1))
  if (reason !== undefined) throw new Disturbed(reason.why)
}

export interface ArenaPlace {
  /** A folder of its own for the bots' rooms. */
  readonly rooms: string
  /** Bots whose clocks may run at once; absent: all that are asked. */
  readonly timed?: number
}

interface JobHere {
  readonly key: string
  readonly bots: readonly SeatedBot[]
  abandoned: boolean
}

/**
 * Where matches are played: one thread's bots, its semaphore and its watch over the machine. Bots that remember no other matches
 * are kept for their entrant's next match.
 */
export class Arena {
  private readonly factory: BotFactory
  private readonly free = new Map<number, SeatedBot[]>()
  private readonly jobs = new Set<JobHere>()
  private readonly watch = new StallWatch()
  readonly live = new LiveMatches()
  private readonly semaphore: Semaphore | undefined
  private readonly shared: SharedModules
  /** Of series that have ended. */
  private readonly vacant = new SandboxPool(VACANT)
  private closed = false

  constructor(
    private readonly run: Pick<PlayableRun, 'definition' | 'contest' | 'game' | 'seed' | 'entrants'>,
    { rooms, timed }: ArenaPlace,
    private readonly note: (text: string) => void,
  ) {
    const { seed, definition, contest } = run
    const { options, limits } = contest
    this.semaphore = timed === undefined ? undefined : new Semaphore(timed)
    const { vacant } = this
    this.factory = new BotFactory({ seed, wires: wiresOf(definition, options), rooms, limits, note, vacant })
    this.shared = new SharedModules(this.factory, this.semaphore)
  }

  /** An entrant's bot: a free one, else a new one; a life longer than a match has that key. */
  bot(entrant: number, life: string): SeatedBot {
    return this.free.get(entrant)?.pop() ?? this.factory.bot(this.entrant(entrant), life)
  }

  /** Gives back a bot that does not live through the tournament. */
  async leave(entrant: number, bot: SeatedBot): Promise<void> {
    if (this.entrant(entrant).memory === 'series' || bot instanceof SharedModuleBot) await bot.close()
    else {
      const free = this.free.get(entrant) ?? []
      free.push(bot)
      this.free.set(entrant, free)
    }
  }

  /**
   * Plays a match. Rejects with a BusyError where the machine may have cost a bot its time, and with `Disturbed` where a bot was
   * killed from outside (`disturbed` times before). `further`: by entrant, the bots of its other seats; `isAbandoned` is asked
   * before each step.
   */
  async match(
    pairing: Pairing,
    bots: ReadonlyMap<number, SeatedBot>,
    disturbed: number,
    { further = NO_MORE, isAbandoned }: { readonly further?: Lives; readonly isAbandoned?: () => boolean } = {},
  ): Promise<MatchRecord> {
    const limit = this.semaphore
    const { definition, contest, game } = this.run
    const { limits, steps } = contest
    const players = pairing.seats.map((entrant, seat) => {
      const own = pairing.seats.slice(0, seat).filter((other) => other === entrant).length
      const bot = (own === 0 ? bots.get(entrant) : further.get(entrant)?.[own - 1]) as SeatedBot
      const player = own === 0 ? bot : new FurtherSelf(bot, own)
      // A process of many matches takes one place for all its questions at a time. A remote bot takes none of our
      // cores.
      const isFree = bot instanceof SharedModuleBot || bot instanceof RemoteBot || bot.sharesCore === true
      return limit && !isFree ? new ThrottledPlayer(player, limit) : player
    })
    const began = performance.now()
    const record = await playMatch({
      fixture: fixtureOf(this.run, pairing),
      definition,
      players,
      limits,
      yieldControl: yieldToOthers,
      givenUp: () => this.closed || isAbandoned?.() === true,
      steps,
      file: game.file,
      onStart: (match) => this.live.begin(pairing.key, match),
    }).finally(() => this.live.end(pairing.key))
    refuseDisturbed([...bots.values(), ...[...further.values()].flat()], disturbed)
    if (isAnyLate(record)) this.refuseStalled(record, began)
    return withParameters(
      record,
      pairing.seats.map((entrant) => this.entrant(entrant).with),
    )
  }

  /** A look costs as much as a short match: only matches with a late bot get one. */
  private refuseStalled(record: MatchRecord, began: number): void {
    const { definition, contest } = this.run
    const { options, limits } = contest
    const slip = this.watch.worst(began)
    if (mayBeStalled(record, wiresOf(definition, options), limits, slip))
      throw new BusyError(`the machine stood still for ${Math.round(slip)} ms while a bot was late`)
  }

  /** Plays a job whose bots do not live through the tournament. Rejects with an AbandonedError where it was abandoned. */
  async job(job: Job, disturbed: number): Promise<readonly MatchRecord[]> {
    for (;;) {
      try {
        return await this.playJob(job, disturbed)
      } catch (error) {
        // Once an entrant at most: from then on it plays alone.
        if (!(error instanceof SharedTrouble) || this.closed) throw error
      }
    }
  }

  private async playJob(job: Job, disturbed: number): Promise<readonly MatchRecord[]> {
    const seat = (entrant: number, life: string): SeatedBot =>
      this.shared.bot(this.entrant(entrant), life) ?? this.bot(entrant, life)
    const bots = new Map(entrantsOf(job).map((entrant) => [entrant, seat(entrant, job.key)]))
    // An entrant in several seats has several lives under one name.
    const further: Lives = new Map(
      [...bots.keys()].flatMap((entrant) => {
        const most = Math.max(...job.pairings.map(({ seats }) => seats.filter((one) => one === entrant).length))
        const lives = Array.from({ length: most - 1 }, (_, n) => seat(entrant, furtherKey(job.key, n + 1)))
        return lives.length > 0 ? [[entrant, lives] as const] : []
      }),
    )
    const all = [...bots, ...[...further].flatMap(([entrant, lives]) => lives.map((bot) => [entrant, bot] as const))]
    const here: JobHere = { key: job.key, bots: all.map(([, bot]) => bot), abandoned: false }
    const isAbandoned = (): boolean => here.abandoned
    const played = longJobWatch(job, this.note)
    const records: MatchRecord[] = []
    this.jobs.add(here)
    try {
      for (const pairing of job.pairings) {
        records.push(await this.match(pairing, bots, disturbed, { further, isAbandoned }))
        played(records.length)
      }
    } catch (error) {
      await Promise.all(here.bots.map((bot) => bot.close()))
      throw here.abandoned ? new AbandonedError(`${job.key} was abandoned`) : error
    } finally {
      this.jobs.delete(here)
    }
    for (const [entrant, bot] of all) await this.leave(entrant, bot)
    this.shared.tidy()
    return records
  }

  /** Abandons jobs of these keys at their next step, where bots that do not live through the tournament play them here. */
  abandon(keys: readonly string[]): void {
    for (const job of this.jobs) if (keys.includes(job.key)) job.abandoned = true
  }

  async rest(): Promise<void> {
    const bots = [...this.free.values()].flat()
    this.free.clear()
    this.shared.tidy(0)
    await Promise.all(bots.map((bot) => bot.close()))
  }

  /** Ends all bots; one that is playing then answers that it was ended. */
  async close(): Promise<void> {
    this.closed = true
    this.watch.close()
    await Promise.all([
      this.rest(),
      this.shared.close(),
      ...[...this.jobs].flatMap(({ bots }) => bots.map((bot) => bot.close())),
    ])
    await this.vacant.close()
  }

  /** The end of entrants' standard error, by name; absent: it wrote nothing. */
  stderr(): Map<string, string> {
    const written = this.run.entrants.map(({ name }) => [name, this.factory.stderr(name)] as const)
    return new Map(written.filter(([, text]) => text !== ''))
  }

  private entrant(index: number): SeatableEntrant {
    return this.run.entrants[index] as SeatableEntrant
  }
}

/** The bots of entrants' second and later seats. */
type Lives = ReadonlyMap<number, readonly SeatedBot[]>
const NO_MORE: Lives = new Map()

/** The key of a match, or a life, for the chance of an entrant's bot in its second seat (1), or a later one. */
export const furtherKey = (key: string, own: number): string => `${key}/${own === 1 ? 'second' : own + 1}`

/** A bot in an entrant's later seat. With the first's chance it would do as that does, draw for draw. */
export class FurtherSelf extends PassingPlayer {
  constructor(
    bot: SeatedBot,
    private readonly own: number,
  ) {
    super(bot)
  }

  override begin(key: string): Promise<void> | void {
    return super.begin(furtherKey(key, this.own))
  }
}
