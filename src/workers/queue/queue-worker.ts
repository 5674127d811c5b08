import { setTimeout as sleep } from 'node:timers/promises'
import { type Spell, messageOf, spelled, wordingOf } from '../../core/index.js'
import { type JobRequest, type WorkerPool, failureOf } from '../../engine/index.js'
import type { ServerStore } from '../../store/index.js'
import { FairShares } from './fair-shares.js'
import { WakeSignal } from './loop.js'
import type { JobAnswer } from './messages.js'
import type { Machine, prepareRun } from './prepared-runs.js'
import { PreparedRuns } from './prepared-runs.js'
import { type FetchedBatch, Queues } from './queues.js'
import { Registry, type RunQueue, type RunSeen, type WorkerInfo } from './registry.js'
import { PIECES } from './run-jobs.js'
import { hasLabels } from './worker-watch.js'

/*
 * A worker plays batches of the runs on a server, as many at once as it has slots. One loop asks which queues are open, and fetches a batch if
 * a slot is free: an urgent one first (for which there is one more slot), then one of the run that it has played the least. Another loop sends
 * heartbeats: it renews the leases of the batches held and learns which were taken away. Both wait for a lost server; results are sent when it
 * is back, unless another worker holds the batches by then.
 */

/** Milliseconds between two looks for batches. */
const LOOK_MS = 200
/** The same while no queue is open. */
const IDLE_MS = 500
/** Milliseconds between two heartbeats. */
const BEAT_MS = 3000
/** Milliseconds for what is under way when its run is paused, or the worker is to end. */
const PAUSED_MS = 5000
const ENDING_MS = 8000
/** Milliseconds between two attempts to send a result. */
const SEND_PAUSE_MS = 1000

class HeldBatch {
  /** Another worker holds it, or the run has withdrawn it: its results are not sent. */
  isGone = false
  /** Nothing of it is played any more: it holds no slot while its result is sent. */
  isPlayed = false
  readonly began = performance.now()
  private isEnding = false
  private giveUp: () => void = () => undefined
  private readonly givenUp = new Promise<'given up'>((done) => (this.giveUp = () => done('given up')))

  constructor(readonly batch: FetchedBatch) {}

  /** Begins no more of its jobs; what is under way is given up after so many milliseconds. */
  end(ms: number): void {
    if (this.isEnding) return
    this.isEnding = true
    setTimeout(() => this.giveUp(), ms).unref()
  }

  lose(): void {
    this.isGone = true
    this.end(0)
  }

  /** Plays its jobs in small pieces, unless it is to end before, and puts answers into `answers`, by key. */
  async play(pool: WorkerPool, jobs: readonly JobRequest[], answers: Map<string, JobAnswer>): Promise<void> {
    const size = Math.ceil(jobs.length / PIECES)
    for (let from = 0; from < jobs.length && !this.isEnding; from += size) {
      const piece = jobs.slice(from, from + size)
      try {
        const responses = await Promise.race([pool.play(piece), this.givenUp])
        if (responses === 'given up') return
        for (const [i, response] of responses.entries()) {
          const key = piece[i]?.key ?? ''
          answers.set(key, { key, ...response })
        }
      } catch (error) {
        // A failure that none of its jobs caused is each one's: else the batch would be tried without end.
        for (const { key } of piece) answers.set(key, { key, failure: failureOf(error), why: messageOf(error) })
      }
    }
  }
}

export interface QueueWorkerSetting extends Machine {
  readonly store: ServerStore
  readonly info: WorkerInfo
  /** For the rooms of its bots. */
  readonly rooms: string
  /** Prepares a run; absent: from what it has published. */
  readonly open?: typeof prepareRun
  /** How notes write options and commands; absent: plainly. */
  readonly spell?: Spell
}

export class QueueWorker {
  private readonly registry: Registry
  private readonly prepared: PreparedRuns
  private readonly held = new Map<string, HeldBatch>()
  private readonly ending = new Set<Promise<void>>()
  private readonly shares = new FairShares()
  private readonly alarm = new WakeSignal()
  private stopping = false
  private isOver = false
  /** No queue was open at the last look. */
  private isIdle = false
  /** It gets no more batches: its results did not replay. */
  private isAside = false
  private loop: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  /** The last heartbeat ends with it. */
  private beating: Promise<void> = Promise.resolve()
  private noted = ''

  private constructor(
    private readonly own: QueueWorkerSetting,
    private readonly queues: Queues,
  ) {
    this.registry = new Registry(own.store.sql)
    this.prepared = new PreparedRuns(own, this.registry, queues, () => this.beat(), own.open)
  }

  /** Connects, announces itself and begins to play. Throws UserError if there is no server. */
  static async start(own: QueueWorkerSetting): Promise<QueueWorker> {
    let started: QueueWorker | undefined
    const queues = await Queues.open(own.store, (error) => started?.trouble(error))
    const worker = (started = new QueueWorker(own, queues))
    try {
      await worker.registry.beat(own.info, { playing: [], runs: [] })
    } catch (error) {
      await queues.close()
      throw error
    }
    worker.loop = worker.play()
    worker.beatSoon()
    return worker
  }

  /** Takes no more batches; jobs under way are played to their end, or handed back if that takes too long. */
  async stop(): Promise<void> {
    this.stopping = true
    for (const one of this.held.values()) one.end(ENDING_MS)
    this.alarm.ring()
    await this.loop
    await Promise.all(this.ending)
    await this.prepared.closeAll().catch(() => undefined)
    this.isOver = true
    clearTimeout(this.timer)
    await this.beating
    await this.registry.leave(this.own.info.id).catch(() => undefined)
    await this.queues.close()
  }

  private async play(): Promise<void> {
    while (!this.stopping) {
      this.alarm.reset()
      try {
        if (await this.takeOne()) continue
      } catch (error) {
        this.trouble(error)
      }
      await this.alarm.wait(this.isIdle ? IDLE_MS : LOOK_MS)
    }
  }

  private async takeOne(): Promise<boolean> {
    const runs = await this.registry.runs()
    await this.see(runs)
    if (this.isAside) return false
    for (const { run, queue } of this.inOrder(runs)) {
      const batch = await this.queues.fetch(queue)
      if (batch === undefined) continue
      this.begin(batch, run)
      return true
    }
    return false
  }

  /** Prepares runs, and ends the batches of paused and ended runs. */
  private async see(runs: readonly RunSeen[]): Promise<void> {
    const there = new Map(runs.filter(({ ended }) => !ended).map((one) => [one.run, one]))
    for (const one of this.held.values()) {
      const run = there.get(one.batch.run)
      if (run === undefined) one.lose()
      else if (run.paused) one.end(PAUSED_MS)
    }
    const busy = new Set([...this.held.values()].filter(({ isGone }) => !isGone).map(({ batch }) => batch.run))
    const open = new Set(runs.filter((one) => this.openQueues(one).length > 0).map(({ run }) => run))
    this.isIdle = open.size === 0
    await this.prepared.see(open, busy, new Set(there.keys()))
  }

  /** A run's queues in which batches may wait for a worker like this one. */
  private openQueues({ run, paused, ended, queues }: RunSeen): readonly RunQueue[] {
    if (paused || ended) return []
    return queues.filter((queue) => hasLabels(this.own.info, queue.needs) && this.prepared.mayPlay(run, queue))
  }

  /** Queues to take a batch from: urgent ones first, then those of the run played the least here. */
  private inOrder(runs: readonly RunSeen[]): { readonly run: string; readonly queue: string }[] {
    const playing = [...this.held.values()].filter(({ isPlayed }) => !isPlayed).length
    const { slots } = this.own
    // Sending holds no slot; it does not pile up on a slow server.
    const isFree = ({ urgent }: RunSeen): boolean => {
      const most = slots + (urgent ? 1 : 0)
      return playing < most && this.held.size < most + slots
    }
    const open = runs.filter((one) => this.prepared.of(one.run) !== undefined && this.openQueues(one).length > 0)
    this.shares.see(new Set(open.map(({ run }) => run)), new Set(runs.map(({ run }) => run)))
    return open
      .filter(isFree)
      .sort((a, b) => Number(b.urgent) - Number(a.urgent) || this.shares.spent(a.run) - this.shares.spent(b.run))
      .flatMap((one) => this.openQueues(one).map(({ queue }) => ({ run: one.run, queue })))
  }

  private begin(batch: FetchedBatch, run: string): void {
    const held = new HeldBatch(batch)
    this.held.set(batch.id, held)
    const playing = this.playOne(held, run)
      .catch((error: unknown) => this.trouble(error))
      .finally(() => {
        this.held.delete(batch.id)
        this.ending.delete(playing)
        this.alarm.ring()
      })
    this.ending.add(playing)
    if (this.held.size === 1) void this.beat()
  }

  /** Plays what can play here of a batch and the store has not, and sends its result. */
  private async playOne(held: HeldBatch, run: string): Promise<void> {
    const prepared = this.prepared.of(run)
    if (prepared === undefined) throw new Error(`${run} is not prepared here`)
    const { batch } = held
    const { id: worker, agon } = this.own.info
    const answers = new Map<string, JobAnswer>()
    const began = performance.now()
    try {
      for (const key of await this.own.store.has(batch.jobs.map((job) => job.key)))
        answers.set(key, { key, stored: true })
      const missing = batch.jobs.filter(({ key, job }) => !answers.has(key) && this.prepared.canPlay(run, job))
      await held.play(prepared.pool, missing, answers)
    } finally {
      held.isPlayed = true
      this.shares.add(run, performance.now() - held.began)
      this.alarm.ring()
    }
    const ms = performance.now() - began
    const all = batch.jobs.map(({ key }) => answers.get(key) ?? { key, back: true as const })
    while (!held.isGone) {
      try {
        await this.queues.end(batch, { batch: batch.id, worker, agon, ms, answers: all })
        return
      } catch (error) {
        this.trouble(error)
        await sleep(SEND_PAUSE_MS)
      }
    }
  }

  private beatSoon(): void {
    if (this.isOver) return
    this.timer = setTimeout(() => void this.beat().finally(() => this.beatSoon()), BEAT_MS)
    this.timer.unref()
  }

  /** Renews the leases of the batches held. One after another: the last one says what holds. */
  private beat(): Promise<void> {
    return (this.beating = this.beating.then(() => this.beatNow()).catch((error: unknown) => this.trouble(error)))
  }

  private async beatNow(): Promise<void> {
    const held = [...this.held.values()].filter(({ isGone }) => !isGone)
    const gone = await this.queues.touch(held.map(({ batch }) => batch))
    for (const one of held) if (gone.has(one.batch.id) && this.held.has(one.batch.id)) one.lose()
    const now = performance.now()
    const playing = held.map(({ batch, began }) => ({ run: batch.run, batch: batch.id, ms: Math.round(now - began) }))
    const aside = await this.registry.beat(this.own.info, { playing, runs: this.prepared.news })
    this.isAside = aside !== undefined
    if (aside !== undefined) this.note(`it gets nothing more until it is started anew: ${aside}`)
  }

  /** A lost server is waited for. */
  private trouble(error: unknown): void {
    this.note(spelled(wordingOf(error), this.own.spell))
  }

  /** Prints each note once. */
  private note(text: string): void {
    if (text !== this.noted) this.own.note(text)
    this.noted = text
  }
}
