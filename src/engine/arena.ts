import { BusyError, type MatchRecord, type Pairing, wiresOf } from '../core/index.js'
import { playMatch } from '../match/index.js'
import type { Bot } from '../bots/index.js'
import { type Entrant, BotFactory } from './entrant.js'
import { type FixtureSetup, fixtureOf } from './identity.js'
import { type Job, entrantsOf } from './schedule.js'
import { StallWatch, mayBeStalled } from './stalls.js'
import { type Semaphore, ThrottledPlayer, rest, semaphore } from './semaphore.js'

/** A bot was killed from outside, or its sandbox: nobody's fault. */
export class Disturbed extends Error {}

/** A match that was void because a bot was killed from outside is played again so often; then its result stands. */
export const AGAIN = 3

/**
 * Looks what was done to these bots from outside in the match that they have just played; `before`: how often that has made the match
 * void already. Throws `Disturbed` where it is to be played again: only once where the bot may have done it itself.
 */
export function refuseDisturbed(bots: Iterable<Bot>, before: number): void {
  const seen = [...bots].flatMap((bot) => bot.disturbed() ?? [])
  const reason = seen.find(({ certain }) => before < (certain ? AGAIN : 1))
  if (reason !== undefined) throw new Disturbed(reason.why)
}

/** What the matches of a run have in common, wherever they are played. */
export interface ArenaSetup extends FixtureSetup {
  /** Milliseconds by name, and `output` in bytes. */
  readonly limits: Readonly<Record<string, number>>
  /** A folder of its own for the bots' rooms. */
  readonly rooms: string
  /** Steps of a match at most; absent: the usual. */
  readonly steps?: number
  /** The game's file, where it did not ship with agon. */
  readonly gameFile?: string
  /** Bots whose clocks may run at the same time; absent: as many as are asked. */
  readonly timed?: number
}

/**
 * Where matches are played: one thread's bots, its semaphore and its watch over the machine. Bots that remember nothing of other
 * matches are kept for the next match of their entrant.
 */
export class Arena {
  private readonly factory: BotFactory
  private readonly free = new Map<number, Bot[]>()
  /** Those that play a job. */
  private readonly seated = new Set<Bot>()
  private readonly watch = new StallWatch()
  private readonly semaphore: Semaphore | undefined
  private closed = false

  constructor(
    private readonly setup: ArenaSetup,
    note: (text: string) => void,
  ) {
    const { seed, kit, options, rooms, limits, timed } = setup
    this.semaphore = timed === undefined ? undefined : semaphore(timed)
    this.factory = new BotFactory({ seed, wires: wiresOf(kit, options), rooms, limits, note })
  }

  /** A bot of an entrant: a free one, else a new one whose life, where it is longer than a match, has that key. */
  bot(entrant: number, life: string): Bot {
    return this.free.get(entrant)?.pop() ?? this.factory.bot(this.entrant(entrant), life)
  }

  /** Gives back a bot that does not live through the tournament. */
  async leave(entrant: number, bot: Bot): Promise<void> {
    if (this.entrant(entrant).memory === 'series') await bot.close()
    else this.free.set(entrant, [...(this.free.get(entrant) ?? []), bot])
  }

  /**
   * Plays a match. Rejects with a BusyError where the machine may have cost somebody its time, and with `Disturbed` where a bot was
   * killed from outside; `disturbed`: how often that was so before.
   */
  async match(pairing: Pairing, bots: ReadonlyMap<number, Bot>, disturbed: number): Promise<MatchRecord> {
    const limit = this.semaphore
    const { kit, options, limits, steps, gameFile } = this.setup
    const players = pairing.seats.map((entrant) => {
      const bot = bots.get(entrant) as Bot
      return limit ? new ThrottledPlayer(bot, limit) : bot
    })
    const began = performance.now()
    const givenUp = () => this.closed
    const ends = {
      rest,
      givenUp,
      ...(steps !== undefined && { steps }),
      ...(gameFile !== undefined && { file: gameFile }),
    }
    const record = await playMatch({ fixture: fixtureOf(this.setup, pairing), kit, players, limits, ...ends })
    refuseDisturbed(bots.values(), disturbed)
    const slip = this.watch.worst(began)
    if (mayBeStalled(record, wiresOf(kit, options), limits, slip))
      throw new BusyError(`the machine stood still for ${Math.round(slip)} ms while a bot was late`)
    return record
  }

  /** Plays a job whose bots do not live through the tournament. */
  async job(job: Job, disturbed: number): Promise<readonly MatchRecord[]> {
    const bots = new Map(entrantsOf(job).map((entrant) => [entrant, this.bot(entrant, job.key)]))
    const records: MatchRecord[] = []
    for (const bot of bots.values()) this.seated.add(bot)
    try {
      for (const pairing of job.pairings) records.push(await this.match(pairing, bots, disturbed))
    } catch (error) {
      await Promise.all([...bots.values()].map((bot) => bot.close()))
      throw error
    } finally {
      for (const bot of bots.values()) this.seated.delete(bot)
    }
    for (const [entrant, bot] of bots) await this.leave(entrant, bot)
    return records
  }

  /** Ends the bots that are free. */
  async rest(): Promise<void> {
    const bots = [...this.free.values()].flat()
    this.free.clear()
    await Promise.all(bots.map((bot) => bot.close()))
  }

  /** Ends all bots, also those that play a job: their answers are then that they were ended. */
  async close(): Promise<void> {
    this.closed = true
    this.watch.close()
    await Promise.all([this.rest(), ...[...this.seated].map((bot) => bot.close())])
  }

  /** The end of what an entrant wrote to its standard error. */
  stderr(name: string): string {
    return this.factory.stderr(name)
  }

  private entrant(index: number): Entrant {
    return this.setup.entrants[index] as Entrant
  }
}
