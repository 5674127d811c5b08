import { refuseLong } from './boss.js'
import { randomUUID } from 'node:crypto'
import { type JobRequest, type JobResponse, type PastJob } from '../../engine/index.js'
import type { JudgedMatch, StoredJob } from '../../store/index.js'
import { hasAll } from './unplayable.js'
import { uuidOf } from './lane-state.js'
import { type BatchData, type JobOutcome, type Needs, needOfHolder } from './messages.js'
import { readReported } from './reported.js'
import type { QueuePoolSetting } from './queue-setting.js'
import type { WorkerWatch } from './worker-watch.js'

/*
 * Jobs of bots that live through the tournament, one batch at a time. The worker that has ended the last batch holds the bots, and the
 * next one is sent for it alone; where it is gone, or had to hand a batch back, the next one to take a batch is told what came before. A job
 * that it says cannot be played goes to another worker, where one is there.
 */

interface PendingBatch {
  readonly requests: readonly JobRequest[]
  readonly before: readonly PastJob[]
  done(responses: readonly (JobResponse | undefined)[]): void
  failed(error: unknown): void
  /** Where it waits or is played. */
  sent?: { readonly queue: string; readonly id: string }
}

interface ChainLaneSetting extends QueuePoolSetting {
  /** What is needed for all of these jobs; `except`: it is none of these workers. */
  needsOf(requests: readonly JobRequest[], except?: readonly string[]): Needs
  /** Whether what a worker stored is to be believed; where it is not, that was told. */
  see(request: JobRequest, worker: string, matches: readonly JudgedMatch[], trusted: boolean): boolean
  distrust(worker: string, why: string): void
  wake(): void
}

export class ChainLane {
  private asked: PendingBatch | undefined
  private holder: string | undefined
  private readonly made = new Set<string>()
  /** By a job's key: the worker that could not play it, which is not believed yet. */
  private readonly doubted = new Map<string, string>()
  private canPlay: WorkerWatch['canPlay'] = () => false
  private readonly id = randomUUID()
  private closed: Error | undefined

  constructor(private readonly own: ChainLaneSetting) {}

  /** As `WorkerPool.playLongLived`; all earlier requests have been answered. */
  play(requests: readonly JobRequest[], before: readonly PastJob[]): Promise<readonly (JobResponse | undefined)[]> {
    if (this.closed) return Promise.reject(this.closed)
    return new Promise((done, failed) => {
      this.asked = { requests, before, done, failed }
      this.own.wake()
    })
  }

  get queues(): readonly string[] {
    return [...this.made]
  }

  /** What is needed for the jobs that wait; undefined: none do. */
  get needs(): Needs | undefined {
    return this.asked && this.own.needsOf(this.asked.requests)
  }

  fail(error: Error): void {
    this.closed = error
    this.asked?.failed(error)
    this.asked = undefined
  }

  /** Sends the next batch, or takes the outcome of the last one. */
  async look(seen: WorkerWatch): Promise<void> {
    const { asked } = this
    if (asked === undefined) return
    this.canPlay = (needs) => seen.canPlay(needs)
    await this.seeHolder(asked, seen)
    if (asked.sent === undefined) await this.send(asked)
    else await this.receive(asked, asked.sent, seen)
  }

  /** Where the holder is gone, another worker gets its batch. The jobs that it had stored are found in the store. */
  private async seeHolder(asked: PendingBatch, { workers, refusals }: WorkerWatch): Promise<void> {
    const { holder } = this
    if (holder === undefined) return
    const needs = this.own.needsOf(asked.requests)
    const card = workers.find(({ id }) => id === holder)
    if (card && hasAll(card, needs) && !refusals.some(({ worker }) => worker === holder)) return
    this.holder = undefined
    if (asked.sent) await this.own.batches.forget(asked.sent.queue, [asked.sent.id])
    delete asked.sent
  }

  private async send(asked: PendingBatch): Promise<void> {
    const { batches, board, run, urgent = false } = this.own
    const { requests, before } = asked
    const held = this.holder === undefined ? [] : [needOfHolder(this.holder)]
    const needs = [...this.openTo(requests), ...held].sort()
    const queue = `${run}-chain-${uuidOf(JSON.stringify(needs)).slice(0, 8)}`
    if (!this.made.has(queue)) {
      await batches.make(queue)
      // Batches that an earlier process of this run has left there are sent anew.
      await batches.clear(queue)
      await board.addLane(run, queue, needs, urgent)
      this.made.add(queue)
    }
    const at = { of: this.id, count: before.length, last: before.at(-1)?.key ?? '' }
    const chain = this.holder === undefined ? { ...at, history: before } : at
    const data: BatchData = { run, jobs: requests, chain }
    if (this.holder === undefined)
      refuseLong(JSON.stringify(data), 'the matches of bots that remember the whole tournament')
    const id = uuidOf(JSON.stringify([queue, requests, at]))
    asked.sent = { queue, id }
    await batches.send(queue, [{ id, data }])
  }

  private async receive(
    asked: PendingBatch,
    { queue, id }: NonNullable<PendingBatch['sent']>,
    seen: WorkerWatch,
  ): Promise<void> {
    const { batches, verifier, mine } = this.own
    const { ended, gone } = await batches.outcomes([queue], [id])
    if (gone.length > 0) {
      await batches.forget(queue, gone)
      delete asked.sent
    }
    const [one] = ended
    if (one === undefined) return
    const { jobs: outcomes, worker } = verifier.outcomeOf(asked.requests, one.output)
    // Another worker may have come just now.
    if (outcomes.some((each) => 'failure' in each)) await seen.look()
    const records = await readReported(this.own, [{ worker, requests: asked.requests, jobs: outcomes }])
    await batches.forget(queue, [id])
    const trusted = mine?.of(id) !== undefined
    mine?.forget(id)
    const responses = asked.requests.map((request, i) =>
      this.responseOf(request, outcomes[i] ?? { back: true }, { worker, trusted }, records),
    )
    // Distrust of a worker has ended all batches meanwhile.
    if (this.asked !== asked) return
    // Where it could not begin, another may, and so where it could not play one of them.
    const isLeft = worker === '' || responses.every((each) => each === undefined)
    this.holder = isLeft || this.doubters(asked.requests).includes(worker) ? undefined : worker
    this.asked = undefined
    asked.done(responses)
  }

  private responseOf(
    request: JobRequest,
    outcome: JobOutcome,
    { worker, trusted }: { readonly worker: string; readonly trusted: boolean },
    records: ReadonlyMap<string, StoredJob>,
  ): JobResponse | undefined {
    if ('failure' in outcome) return this.hear(request, outcome, { worker, trusted })
    const matches = 'key' in outcome ? records.get(outcome.key)?.matches : undefined
    if (!('key' in outcome) || matches === undefined) return undefined
    this.doubted.delete(request.job.key)
    const response = { records: matches.map(({ record }) => record) }
    if (outcome.before) return { ...response, judged: matches }
    if (!this.own.see(request, worker, matches, trusted)) return undefined
    return { ...response, stored: true, judged: !trusted ? matches : undefined }
  }
  /** A worker says that a job cannot be played. Undefined: that is not believed yet, and another one is asked. */
  private hear(
    request: JobRequest,
    failure: Extract<JobOutcome, { failure: unknown }>,
    { worker, trusted }: { readonly worker: string; readonly trusted: boolean },
  ): JobResponse | undefined {
    const before = this.doubted.get(request.job.key)
    if (
      trusted ||
      (before !== undefined && before !== worker) ||
      !this.canPlay(this.own.needsOf([request], [worker]))
    ) {
      this.doubted.delete(request.job.key)
      return failure
    }
    this.doubted.set(request.job.key, worker)
    return undefined
  }

  /** The workers that could not play one of these. */
  private doubters(requests: readonly JobRequest[]): string[] {
    return [...new Set(requests.flatMap(({ job }) => this.doubted.get(job.key) ?? []))]
  }

  /** What a worker needs for these jobs. It is none of those that could not play one of them, if another worker is there. */
  private openTo(requests: readonly JobRequest[]): Needs {
    const needs = this.own.needsOf(requests, this.doubters(requests))
    return this.canPlay(needs) ? needs : this.own.needsOf(requests)
  }
}
