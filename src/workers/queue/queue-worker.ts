import { spelled, wordingOf } from '../../core/index.js'
import type { ServerStore } from '../../store/index.js'
import { Batches, type FetchedBatch } from './boss.js'
import { Board } from './board.js'
import type { Lane, WorkerCard } from './board-rows.js'
import { HeldBatch } from './held-batch.js'
import { endBatch } from './end-batch.js'
import { needOfBot, needOfHolder, needOfLabel, needOfOther } from './messages.js'
import type { OwnBatches } from './own-batches.js'
import type { Machine, prepareRun } from './prepared-run.js'
import { PreparedRuns } from './prepared-runs.js'
import { FairShares } from './fair-shares.js'

/*
 * A worker: it takes batches of the runs on a server and plays them, as many at once as it has slots. Theory of operation.
 *
 * One loop asks which lanes have batches, and fetches one where a slot is free: an urgent one first (there is a slot more for these), then
 * one of the run of which the fewest are played, or which had the least time here, so that two runs share the workers whatever their
 * backlogs. Another loop sends the heartbeats: it renews the leases of the batches held and learns which were taken away. Where the server is lost both wait for it, and the
 * batches are stored when it is back, unless another worker holds them by then.
 */

/** Milliseconds between two looks for batches. */
const LOOK_MS = 200
/** The same while no run is posted. */
const IDLE_MS = 500
/** Milliseconds between two heartbeats. */
const BEAT_MS = 3000
/** Milliseconds that what is under way has when its run is paused, and when the worker is to end. */
const PAUSED_MS = 5000
const ENDING_MS = 8000

export interface QueueWorkerSetting extends Machine {
  readonly store: ServerStore
  readonly card: WorkerCard
  /** For the rooms of its bots. */
  readonly rooms: string
  /** Plays this run alone; absent: all. */
  readonly only?: string
  /** Is told of the batches that it ends, where it is a run's own. */
  readonly mine?: OwnBatches
  /** How a run is prepared here; absent: from what the run has posted. */
  readonly open?: typeof prepareRun
}

export class QueueWorker {
  private readonly board: Board
  private readonly prepared: PreparedRuns
  private readonly held = new Map<string, HeldBatch>()
  private readonly ending = new Set<Promise<void>>()
  private stopping = false
  /** No run was posted at the last look. */
  private isIdle = false
  /** It gets no more batches: its reports are not believed. */
  private aside = false
  private readonly turns = new FairShares()
  private wake: () => void = () => undefined
  private beating: NodeJS.Timeout | undefined
  private loop: Promise<void> | undefined
  private noted = ''

  private constructor(
    private readonly own: QueueWorkerSetting,
    private readonly batches: Batches,
  ) {
    this.board = new Board(batches.sql)
    this.prepared = new PreparedRuns(own, this.board, own.open)
  }

  /** Connects, announces itself and begins to play. Throws UserError where there is no server. */
  static async start(own: QueueWorkerSetting): Promise<QueueWorker> {
    const started: { worker?: QueueWorker } = {}
    const batches = await Batches.open(own.store.url, 3, (error) => started.worker?.trouble(error))
    const worker = (started.worker = new QueueWorker(own, batches))
    try {
      await worker.board.announce(own.card, own.only)
    } catch (error) {
      await batches.close()
      throw error
    }
    worker.loop = worker.play()
    worker.beatSoon()
    return worker
  }

  /** Takes no more batches; the jobs under way are played to their end, or handed back where that takes too long. */
  async stop(): Promise<void> {
    this.stopping = true
    for (const one of this.held.values()) one.end(ENDING_MS)
    this.wake()
    await this.loop
    await Promise.all(this.ending)
    clearTimeout(this.beating)
    await this.prepared.close().catch(() => undefined)
    await this.board.leave(this.own.card.id).catch(() => undefined)
    await this.batches.close()
  }

  /** Looks for batches at once. */
  look(): void {
    this.wake()
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

  /** Fetches a batch, where there is one that this worker can play and a slot for it. */
  private async takeOne(): Promise<boolean> {
    const lanes = await this.board.lanes(this.own.only)
    this.isIdle = lanes.length === 0
    await this.see(lanes)
    if (this.aside) return false
    for (const lane of this.inOrder(lanes)) {
      const batch = await this.batches.fetch(lane.queue, lane.run, lane.cap, (id) => this.own.mine?.dataOf(id))
      if (batch === undefined) continue
      this.begin(batch, lane)
      return true
    }
    return false
  }

  /** The lanes of which a batch may be taken now: urgent ones first, then those of the run of which the fewest are played, and which had the least time here. */
  private inOrder(lanes: readonly Lane[]): Lane[] {
    const active = new Map<string, number>()
    for (const lane of lanes) active.set(lane.run, (active.get(lane.run) ?? 0) + lane.active)
    const of = (lane: Lane): number => active.get(lane.run) ?? 0
    const { slots } = this.own
    const playing = [...this.held.values()].filter(({ played }) => !played).length
    // What is stored meanwhile holds no slot; where the server is slow it does not pile up.
    const isFree = (lane: Lane): boolean => {
      const most = slots + (lane.urgent ? 1 : 0)
      return playing < most && this.held.size < most + slots
    }
    const waiting = lanes.filter(
      (lane) => lane.ready && !lane.paused && !lane.ended && of(lane) < (lane.cap ?? Infinity) && this.accepts(lane),
    )
    this.turns.see(new Set(waiting.map(({ run }) => run)), new Set(lanes.map(({ run }) => run)))
    return waiting
      .filter(isFree)
      .sort(
        (a, b) =>
          Number(b.urgent) - Number(a.urgent) || of(a) - of(b) || this.turns.spent(a.run) - this.turns.spent(b.run),
      )
  }

  /** Whether the run is prepared here, and all that the lane needs is there. */
  private accepts({ run, needs }: Lane): boolean {
    const bots = this.prepared.of(run)?.bots
    if (bots === undefined) return false
    const { id, labels } = this.own.card
    const has = new Set(labels.map(needOfLabel))
    return needs.every((need) => {
      if (need.startsWith(needOfOther(''))) return need !== needOfOther(id)
      if (need.startsWith(needOfHolder(''))) return need === needOfHolder(id)
      return need.startsWith(needOfBot('')) ? !bots.has(need) : has.has(need)
    })
  }

  /** Reads which runs there are, and ends the batches of runs that are paused or have ended. */
  private async see(lanes: readonly Lane[]): Promise<void> {
    const paused = new Set(lanes.filter((lane) => lane.paused).map(({ run }) => run))
    const there = new Set(lanes.filter((lane) => !lane.ended).map(({ run }) => run))
    for (const one of this.held.values()) {
      if (!there.has(one.batch.run)) one.lose()
      else if (paused.has(one.batch.run)) one.end(PAUSED_MS)
    }
    const busy = new Set([...this.held.values()].filter(({ gone }) => !gone).map(({ batch }) => batch.run))
    await this.prepared.see(lanes, busy)
  }

  private begin(batch: FetchedBatch, lane: Lane): void {
    const prepared = this.prepared.of(lane.run)?.prepared
    if (prepared === undefined) return
    const held = new HeldBatch(batch, prepared, (keys) => this.board.stored(keys))
    this.held.set(batch.id, held)
    const { store, card, mine } = this.own
    const began = performance.now()
    const trouble = (error: unknown): void => this.trouble(error)
    const onPlayed = (): void => {
      held.played = true
      this.turns.add(batch.run, performance.now() - began)
      this.wake()
    }
    const playing = endBatch(held, prepared, store, this.batches, card.id, trouble, {
      onPlayed,
      mine,
    })
      .catch((error: unknown) => this.trouble(error))
      .finally(() => {
        this.held.delete(batch.id)
        this.ending.delete(playing)
        this.wake()
      })
    this.ending.add(playing)
    if (this.held.size === 1) void this.beat()
  }

  private beatSoon(): void {
    this.beating = setTimeout(() => void this.beat().finally(() => this.beatSoon()), BEAT_MS)
    this.beating.unref()
  }

  /** A heartbeat, which renews the leases of the batches held. */
  private async beat(): Promise<void> {
    try {
      const held = [...this.held.values()].filter(({ gone }) => !gone)
      const gone = await this.batches.touch(held.map(({ batch }) => batch))
      for (const one of held) if (gone.has(one.batch.id) && this.held.has(one.batch.id)) one.lose()
      const runs = [...new Set(held.map(({ batch }) => batch.run))]
      const aside = await this.board.beat(this.own.card.id, runs)
      this.aside = aside !== undefined
      if (aside !== undefined) this.note(`it is set aside, and plays no more: ${aside}`)
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
