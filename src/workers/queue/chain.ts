import {
  Arena,
  type ArenaSetup,
  Checkpoints,
  type Job,
  type JobRequest,
  LongLivedBots,
  Queue,
  entrantsOf,
  failureOf,
} from '../../engine/index.js'
import { messageOf } from '../../core/index.js'
import type { SeatedBot } from '../../bots/index.js'
import { type KeptFiles, type ServerStore, type Snapshot, isLost } from '../../store/index.js'
import type { AnsweredJob } from './answered.js'
import type { JobVerifier } from './job-verifier.js'
import type { ChainPlace } from './messages.js'

/*
 * Bots that live through the tournament, on the worker that holds them. Theory of operation.
 *
 * All jobs in which such bots play make one chain, and a batch says after which of them it comes. If that is where the bots of this
 * worker stand, it is played. If not (another worker has played meanwhile, or this one has never had them), they are restored from the
 * store: their folders, and the matches that they have lived through. So it matters only for speed which worker holds the bots; a batch's
 * results depend only on what was stored before it, and it is stored only if nothing else was stored meanwhile. Bots whose batch was not
 * stored are ended.
 */

export interface ChainSetting {
  readonly arena: ArenaSetup
  /** The tournament's key in the store. */
  readonly tournament: string
  readonly store: Pick<ServerStore, 'kept' | 'read'>
  /** Jobs played at the same time; each of the bots plays one at a time. */
  readonly slots: number
  readonly note: (text: string) => void
}

/** The bots of a chain on this worker, and the job after which they stand. */
interface Alive {
  readonly arena: Arena
  readonly checkpoints: Checkpoints
  readonly longLived: LongLivedBots
  readonly playing: Set<Promise<unknown>>
  readonly of: string
  count: number
  last: string
}

export class Chain {
  private alive: Alive | undefined
  private readonly stderr = new Map<string, string>()

  constructor(private readonly own: ChainSetting) {}

  get tournament(): string {
    return this.own.tournament
  }

  /** Brings the bots to where a batch begins. False: nothing is known here of what they have lived through. */
  async standAt({ of, count, last, history }: ChainPlace): Promise<boolean> {
    if (this.alive?.of === of && this.alive.count === count && this.alive.last === last) return true
    const known = history ?? []
    if (known.length !== count || (known.at(-1)?.key ?? '') !== last) return false
    await this.leave()
    const { arena: setup, tournament, store, note } = this.own
    const arena = new Arena(setup, note)
    const { definition, options, entrants } = setup
    const checkpoints = new Checkpoints({ definition, options, tournament, entrants, store }, note)
    for (const { key, entrants: who } of known) checkpoints.through(who, key)
    this.alive = {
      arena,
      checkpoints,
      longLived: new LongLivedBots(arena, checkpoints),
      playing: new Set(),
      of,
      count,
      last,
    }
    return true
  }

  /**
   * Plays the jobs of a batch that begins where the bots stand, until one fails or `isEnding`. `stored`: keys of those that lie in the store
   * already. What is under way when `givenUp` resolves is not played, and the bots are ended.
   */
  async play(
    batch: readonly JobRequest[],
    {
      verifier,
      stored,
      isEnding,
      givenUp,
    }: {
      readonly verifier: Pick<JobVerifier, 'keysOf'>
      readonly stored: ReadonlySet<string>
      readonly isEnding: () => boolean
      readonly givenUp: Promise<unknown>
    },
  ): Promise<readonly AnsweredJob[]> {
    const { alive } = this
    if (alive === undefined) throw new Error('the bots stand nowhere')
    const requests = new Map(batch.map((request) => [request.job, request]))
    const answered = new Map<Job, AnsweredJob>()
    const queue = new Queue((entrant) => alive.checkpoints.has(entrant))
    queue.add([...requests.keys()])
    let isBroken = false
    const playOne = async (job: Job): Promise<void> => {
      const [key = ''] = verifier.keysOf(job)
      const one = await this.one(alive, requests.get(job) as JobRequest, key, stored.has(key))
      answered.set(job, one)
      if ('failure' in one.response) isBroken = true
      else queue.done(job)
    }
    const playAll = async (): Promise<'played'> => {
      const { playing } = alive
      for (;;) {
        while (playing.size < this.own.slots && !isBroken && !isEnding() && queue.next !== undefined) {
          const work: Promise<void> = playOne(queue.take() as Job).finally(() => playing.delete(work))
          playing.add(work)
        }
        if (playing.size === 0) return 'played'
        await Promise.race(playing)
      }
    }
    const done = await Promise.race([playAll(), givenUp])
    const came = new Map(answered)
    if (done !== 'played') await this.leave()
    return batch.map((request) => came.get(request.job) ?? { request, response: { back: true } })
  }

  /** A batch was stored: its jobs of these keys, in order. */
  advance(keys: readonly string[]): void {
    if (this.alive === undefined) return
    this.alive.count += keys.length
    this.alive.last = keys.at(-1) ?? this.alive.last
  }

  /** Ends the bots: they stand nowhere. */
  async leave(): Promise<void> {
    const { alive } = this
    this.alive = undefined
    if (alive === undefined) return
    const { arena, checkpoints, playing } = alive
    await Promise.all([arena.close(), checkpoints.close()])
    await Promise.allSettled(playing)
    for (const { name } of this.own.arena.entrants) {
      const text = (this.stderr.get(name) ?? '') + arena.stderr(name)
      if (text !== '') this.stderr.set(name, text)
    }
  }

  /** Ends all; resolves with what each entrant wrote to its standard error. */
  async close(): Promise<ReadonlyMap<string, string>> {
    await this.leave()
    return this.stderr
  }

  private async one(
    { checkpoints, longLived: lasting }: Alive,
    request: JobRequest,
    key: string,
    isStored: boolean,
  ): Promise<AnsweredJob> {
    const { job } = request
    const bots = new Map<number, SeatedBot>()
    if (isStored) {
      // Another worker played it: bots that are here have not lived through it.
      for (const entrant of entrantsOf(job)) {
        const bot = checkpoints.bot(entrant)
        if (bot !== undefined) bots.set(entrant, bot)
      }
      await lasting.giveUp(bots)
      checkpoints.through(entrantsOf(job), key)
      return { request, response: { key, before: true } }
    }
    const starts = new Map<number, Snapshot>()
    try {
      const records = await lasting.play(request, bots, starts)
      const kept: Readonly<Record<string, KeptFiles>> = await checkpoints.keep(bots, starts)
      checkpoints.stopped(starts)
      checkpoints.through(entrantsOf(job), key)
      await lasting.leave(bots)
      return { request, response: { records }, kept }
    } catch (error) {
      await lasting.giveUp(bots)
      if (isLost(error)) throw error
      return { request, response: { failure: failureOf(error), why: messageOf(error) } }
    }
  }
}
