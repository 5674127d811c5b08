import { setTimeout as sleep } from 'node:timers/promises'
import { type Spell, spelled, wordingOf } from '../../core/index.js'
import type { ServerStore } from '../../store/index.js'
import { FairShares } from './fair-shares.js'
import { HandedBack } from './handed-back.js'
import { HeldBatch } from './held-batch.js'
import { type BatchResult, needOfBot } from './messages.js'
import type { Machine, prepareRun } from './prepared-run.js'
import { PreparedRuns } from './prepared-runs.js'
import { type FetchedBatch, Queues } from './queues.js'
import { Registry, type RunQueue, type WorkerInfo } from './registry.js'
import { hasLabels } from './unplayable.js'

/*
 * A worker: it takes batches of the runs on a server and plays them, as many at once as it has slots. One loop asks which queues are open, and
 * fetches a batch if a slot is free: an urgent one first (there is a slot more for these), then one of the run that it has played for the
 * shortest time. Another loop sends the heartbeats: it renews the leases of the batches held and learns which were taken away. If the server is
 * lost both wait for it, and results are sent when it is back, unless another worker holds the batches by then.
 */

/** Milliseconds between two looks for batches. */
const LOOK_MS = 200
/** The same while no queue is open. */
const IDLE_MS = 500
/** Milliseconds between two heartbeats. */
const BEAT_MS = 3000
/** Milliseconds that what is under way has when its run is paused, and when the worker is to end. */
const PAUSED_MS = 5000
const ENDING_MS = 8000
/** Milliseconds between two attempts to send a result. */
const SEND_PAUSE_MS = 1000

export interface QueueWorkerSetting extends Machine {
  readonly store: ServerStore
  readonly info: WorkerInfo
  /** For the rooms of its bots. */
  readonly rooms: string
  /** How a run is prepared here; absent: from what the run has published. */
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
  private readonly handedBack: HandedBack
  private stopping = false
  /** No queue was open at the last look. */
  private isIdle = false
  /** It gets no more batches: what it brought did not replay. */
  private isAside = false
  private wake: () => void = () => undefined
  private loop: Promise<void> = Promise.resolve()
  private beating: NodeJS.Timeout | undefined
  private noted = ''

  private constructor(
    private readonly own: QueueWorkerSetting,
    private readonly queues: Queues,
  ) {
    this.registry = new Registry(own.store.sql)
    this.prepared = new PreparedRuns(own, this.registry, own.open)
    this.handedBack = new HandedBack((run) =>
      this.note(`${run}: all its batches came back; others play it for a while`),
    )
  }

  /** Connects, announces itself and begins to play. Throws UserError if there is no server. */
  static async start(own: QueueWorkerSetting): Promise<QueueWorker> {
    const started: { worker?: QueueWorker } = {}
    const queues = await Queues.open(own.store, (error) => started.worker?.trouble(error))
    const worker = (started.worker = new QueueWorker(own, queues))
    try {
      await worker.registry.announce(own.info)
    } catch (error) {
      await queues.close()
      throw error
    }
    worker.loop = worker.play()
    worker.beatSoon()
    return worker
  }

  /** Takes no more batches; the jobs under way are played to their end, or handed back if that takes too long. */
  async stop(): Promise<void> {
    this.stopping = true
    for (const one of this.held.values()) one.end(ENDING_MS)
    this.wake()
    await this.loop
    await Promise.all(this.ending)
    clearTimeout(this.beating)
    await this.prepared.close().catch(() => undefined)
    await this.registry.leave(this.own.info.id).catch(() => undefined)
    await this.queues.close()
  }

  private async play(): Promise<void> {
    while (!this.stopping) {
      const waiting = new Promise<void>((done) => {
        this.wake = done
        setTimeout(done, this.isIdle ? IDLE_MS : LOOK_MS).unref()
      })
      try {
        if (await this.takeOne()) continue
      } catch (error) {
        this.trouble(error)
      }
      await waiting
    }
  }

  /** Fetches a batch, if there is one that this worker can play and a slot for it. */
  private async takeOne(): Promise<boolean> {
    const queues = await this.registry.queues()
    await this.see(queues)
    if (this.isAside) return false
    for (const { queue, run } of this.inOrder(queues)) {
      const batch = await this.queues.fetch(queue)
      if (batch === undefined) continue
      this.begin(batch, run)
      return true
    }
    return false
  }

  /** The queues of which a batch may be taken now: urgent ones first, then those of the run that had the least time here. */
  private inOrder(queues: readonly RunQueue[]): RunQueue[] {
    const playing = [...this.held.values()].filter(({ isPlayed }) => !isPlayed).length
    const { slots } = this.own
    // What is sent meanwhile holds no slot; if the server is slow it does not pile up.
    const isFree = ({ urgent }: RunQueue): boolean => {
      const most = slots + (urgent ? 1 : 0)
      return playing < most && this.held.size < most + slots
    }
    const open = queues.filter((queue) => this.mayPlay(queue) && this.accepts(queue))
    this.shares.see(new Set(open.map(({ run }) => run)), new Set(queues.map(({ run }) => run)))
    return open
      .filter(isFree)
      .sort((a, b) => Number(b.urgent) - Number(a.urgent) || this.shares.spent(a.run) - this.shares.spent(b.run))
  }

  /** Whether batches of a queue may wait for a worker like this one. */
  private mayPlay({ run, open, paused, ended, needs }: RunQueue): boolean {
    return open && !paused && !ended && hasLabels(this.own.info, needs) && !this.handedBack.isAvoided(run)
  }

  /** Whether the run is prepared here, with all bots that the queue needs. */
  private accepts({ run, needs }: RunQueue): boolean {
    const prepared = this.prepared.of(run)
    return prepared !== undefined && ![...prepared.refused.keys()].some((name) => needs.includes(needOfBot(name)))
  }

  /** Prepares runs, and ends the batches of runs that are paused or have ended. */
  private async see(queues: readonly RunQueue[]): Promise<void> {
    const paused = new Set(queues.filter((one) => one.paused).map(({ run }) => run))
    const there = new Set(queues.filter((one) => !one.ended).map(({ run }) => run))
    for (const one of this.held.values()) {
      if (!there.has(one.batch.run)) one.lose()
      else if (paused.has(one.batch.run)) one.end(PAUSED_MS)
    }
    const busy = new Set([...this.held.values()].filter(({ isGone }) => !isGone).map(({ batch }) => batch.run))
    const open = new Set(queues.filter((one) => this.mayPlay(one)).map(({ run }) => run))
    this.isIdle = open.size === 0
    await this.prepared.see(open, busy)
  }

  private begin(batch: FetchedBatch, run: string): void {
    const prepared = this.prepared.of(run)
    if (prepared === undefined) return
    const held = new HeldBatch(batch, prepared, (keys) => this.registry.stored(keys))
    this.held.set(batch.id, held)
    const playing = this.playOne(held)
      .catch((error: unknown) => this.trouble(error))
      .finally(() => {
        this.held.delete(batch.id)
        this.ending.delete(playing)
        this.wake()
      })
    this.ending.add(playing)
    if (this.held.size === 1) void this.beat()
  }

  /** Plays a batch and sends its result. */
  private async playOne(held: HeldBatch): Promise<void> {
    const { batch } = held
    const { id: worker, agon } = this.own.info
    const { answers, ms } = await held.play().finally(() => {
      held.isPlayed = true
      this.shares.add(batch.run, performance.now() - held.began)
      this.wake()
    })
    this.handedBack.see(
      batch.run,
      answers.every((answer) => 'back' in answer),
    )
    const result: BatchResult = { batch: batch.id, worker, agon, ms, answers }
    while (!held.isGone) {
      try {
        await this.queues.end(batch, `${batch.run}-results`, result)
        return
      } catch (error) {
        this.trouble(error)
        await sleep(SEND_PAUSE_MS)
      }
    }
  }

  private beatSoon(): void {
    this.beating = setTimeout(() => void this.beat().finally(() => this.beatSoon()), BEAT_MS)
    this.beating.unref()
  }

  /** A heartbeat, which renews the leases of the batches held. */
  private async beat(): Promise<void> {
    try {
      const held = [...this.held.values()].filter(({ isGone }) => !isGone)
      const gone = await this.queues.touch(held.map(({ batch }) => batch))
      for (const one of held) if (gone.has(one.batch.id) && this.held.has(one.batch.id)) one.lose()
      const now = performance.now()
      const playing = held.map(({ batch, began }) => ({ run: batch.run, batch: batch.id, ms: Math.round(now - began) }))
      const aside = await this.registry.beat(this.own.info.id, playing)
      this.isAside = aside !== undefined
      if (aside !== undefined) this.note(`it gets nothing more until it is started anew: ${aside}`)
    } catch (error) {
      this.trouble(error)
    }
  }

  /** The server may be lost: it is waited for. */
  private trouble(error: unknown): void {
    this.note(spelled(wordingOf(error), this.own.spell))
  }

  /** The same note is printed once. */
  private note(text: string): void {
    if (text !== this.noted) this.own.note(text)
    this.noted = text
  }
}
