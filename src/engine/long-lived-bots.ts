import type { MatchRecord } from '../core/index.js'
import type { SeatedBot } from '../bots/index.js'
import type { Snapshot } from '../store/index.js'
import type { Arena } from './arena.js'
import type { Checkpoints } from './checkpoints.js'
import { isAnyTroubled } from './replay-history.js'
import { entrantsOf } from './schedule.js'
import type { JobRequest } from './worker-pool.js'

/** Plays jobs of bots that live through the tournament, each of which plays one at a time. */
export class LongLivedBots {
  constructor(
    private readonly arena: Arena,
    private readonly checkpoints: Checkpoints,
    /** Awaited before a bot is restored: its matches so far are stored then. */
    private readonly stored: () => Promise<void> = () => Promise.resolve(),
    private readonly unless: <T>(work: Promise<T>) => Promise<T> = (work) => work,
  ) {}

  /** The bots seated for it are put into `bots`, and what they held when they were stopped into `starts`. */
  async play(
    { job, disturbed }: JobRequest,
    bots: Map<number, SeatedBot>,
    starts: Map<number, Snapshot>,
  ): Promise<readonly MatchRecord[]> {
    for (const entrant of entrantsOf(job)) {
      const alive = this.checkpoints.bot(entrant)
      if (alive === undefined) await this.unless(this.seat(entrant, job.key, bots))
      else bots.set(entrant, alive)
    }
    const records: MatchRecord[] = []
    const long = this.arena.longJob(job)
    for (const pairing of job.pairings) {
      const record = await this.unless(this.arena.match(pairing, bots, disturbed))
      records.push(record)
      long.played(records.length)
      if (isAnyTroubled(record)) await this.checkpoints.look(record, bots, starts)
    }
    return records
  }

  /** A job was played: bots that do not live through the tournament are free. */
  async leave(bots: ReadonlyMap<number, SeatedBot>): Promise<void> {
    for (const [entrant, bot] of bots) if (!this.checkpoints.has(entrant)) await this.arena.leave(entrant, bot)
  }

  /** A job was given up: none of its bots is where it should be. */
  async giveUp(bots: ReadonlyMap<number, SeatedBot>): Promise<void> {
    for (const entrant of bots.keys()) this.checkpoints.forget(entrant)
    await Promise.all([...bots.values()].map((bot) => bot.close()))
  }

  /** Seats a bot for an entrant of which none lives: a free one, or a new one, which is restored from its checkpoint. */
  private async seat(entrant: number, job: string, bots: Map<number, SeatedBot>): Promise<void> {
    const lasts = this.checkpoints.has(entrant)
    const bot = this.arena.bot(entrant, lasts ? 'tournament' : job)
    bots.set(entrant, bot)
    if (!lasts) return
    // Its checkpoint is read from the store.
    await this.stored()
    await this.checkpoints.begin(entrant, bot)
  }
}
