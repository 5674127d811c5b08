import {
  type Job,
  type JobRequest,
  type JobResponse,
  WorkerLostError,
  type WorkerPool,
  entrantsOf,
} from '../../engine/index.js'
import { type JudgedMatch, type ServerStore, isLost } from '../../store/index.js'
import type { Batches } from './boss.js'
import { type Board, SILENT_S, type WorkerSeen } from './board.js'
import { acceptOutcome } from './accept.js'
import { type BatchOutcome, type JobOutcome, type PostedRun, needOfBot, needOfLabel } from './messages.js'
import { Nobody } from './nobody.js'
import { type Asked, type LaneState, uuidOf } from './lane-state.js'
import { Pace } from './pace.js'

/*
 * Workers on other machines, behind the engine's port. Theory of operation.
 *
 * Jobs that are asked for wait here, by lane: by what a worker needs for them. A lane's queue on the server is kept short, a few batches a slot, so that
 * batches can be as large as the last ones tell, and little is lost when all ends. What came of a batch is looked up a few times a second: its matches lie in the
 * store then, from where they are read, judged again by who asked for them. A batch that is not there any more (another process has emptied
 * the queue) is asked for again.
 */

/** Milliseconds between two looks at what became of the batches. */
const LOOK_MS = 100
/** Milliseconds between two looks at who is there. */
const STAFF_MS = 1000
/** Batches that wait in a lane's queue, a slot of all workers. */
const AHEAD = 2
/** Milliseconds that workers have at the end to hand over what bots wrote; one without a heartbeat is not waited for. */
const END_MS = 15_000
/** Jobs that may be given to it at once. */
const WINDOW = 8192

export interface QueuePoolSetting {
  readonly run: string
  readonly posted: PostedRun
  /** The keys under which a job may lie in the store. */
  readonly keysOf: (job: Job) => readonly string[]
  /** By entrant: the labels that a worker must have. */
  readonly labels: readonly (readonly string[])[]
  readonly store: ServerStore
  readonly batches: Batches
  readonly board: Board
  /** Batches played at once, at most; absent: any number. */
  readonly cap?: number
  readonly urgent?: boolean
  readonly note: (text: string) => void
}

export class QueuePool implements WorkerPool {
  readonly window = WINDOW
  readonly looks = true
  private readonly lanes = new Map<string, LaneState>()
  private readonly pace = new Pace()
  private staff: readonly WorkerSeen[] = []
  /** Names of entrants that some worker cannot play. */
  private refused: ReadonlySet<string> = new Set()
  private closed: Error | undefined
  private readonly working: Promise<void>
  private wake: () => void = () => undefined
  private soon = false
  private readonly nobody: Nobody

  constructor(private readonly own: QueuePoolSetting) {
    this.nobody = new Nobody(
      own.posted.setup.entrants.map(({ name }) => name),
      own.labels,
      own.note,
    )
    this.working = this.work()
  }

  async play(batch: readonly JobRequest[]): Promise<readonly JobResponse[]> {
    return Promise.all(batch.map((request) => this.ask(request)))
  }

  async close(): Promise<ReadonlyMap<string, string>> {
    this.fail(new WorkerLostError('the workers have ended'))
    await this.working
    try {
      return await this.leave()
    } catch (error) {
      // A run that ends for a lost server reports that itself.
      if (isLost(error)) return new Map()
      throw error
    }
  }

  private async leave(): Promise<ReadonlyMap<string, string>> {
    const { board, batches, run } = this.own
    const queues = [...this.lanes.values()].filter(({ made }) => made)
    for (const { queue } of queues) await batches.clear(queue)
    await board.end(run)
    await this.workersEnd()
    const written = await board.written(run)
    await board.unpost(run)
    for (const { queue } of queues) await batches.remove(queue)
    return written
  }

  private ask(request: JobRequest): Promise<JobResponse> {
    if (this.closed) return Promise.reject(this.closed)
    return new Promise((done, failed) => {
      this.laneOf(request.job).waiting.push({ request, done, failed })
      // Whatever else is asked for in the same turn of the event loop is sent along.
      if (this.soon) return
      this.soon = true
      setImmediate(() => this.wake())
    })
  }

  private laneOf(job: Job): LaneState {
    const { posted, labels, run, urgent } = this.own
    const needs = new Set<string>()
    for (const entrant of entrantsOf(job)) {
      for (const label of labels[entrant] ?? []) needs.add(needOfLabel(label))
      const name = posted.setup.entrants[entrant]?.name ?? ''
      if (this.refused.has(name)) needs.add(needOfBot(name))
    }
    const sorted = [...needs].sort()
    const key = JSON.stringify(sorted)
    const queue = `${run}-${urgent ? 'now-' : ''}${uuidOf(key).slice(0, 8)}`
    const lane = this.lanes.get(key) ?? { queue, needs: sorted, waiting: [], sent: new Map(), made: false }
    this.lanes.set(key, lane)
    return lane
  }

  private async work(): Promise<void> {
    let looked = -Infinity
    while (this.closed === undefined) {
      this.soon = false
      try {
        if (performance.now() - looked > STAFF_MS) {
          await this.seeStaff()
          looked = performance.now()
        }
        await this.receive()
        for (const lane of this.lanes.values()) await this.send(lane)
      } catch (error) {
        // A server that is lost is waited for by who asks the store; here it is looked for again.
        if (!isLost(error)) this.fail(error)
      }
      await this.untilAsked()
    }
  }

  /** Waits for more jobs, or for a while. */
  private untilAsked(): Promise<void> {
    if (this.soon) return Promise.resolve()
    return new Promise((done) => {
      const timer = setTimeout(done, LOOK_MS)
      this.wake = () => {
        clearTimeout(timer)
        done()
      }
    })
  }

  /** Who is there, and whom they cannot play. */
  private async seeStaff(): Promise<void> {
    const { board, run } = this.own
    this.staff = (await board.workers()).filter(({ silent, aside }) => silent < SILENT_S && aside === undefined)
    const refusals = await board.refusals(run)
    const refused = new Set(refusals.map(({ entrant }) => entrant))
    if ([...refused].some((name) => !this.refused.has(name))) await this.takeBackWaiting()
    this.refused = refused
    const needed = [...this.lanes.values()].filter(({ waiting, sent }) => waiting.length + sent.size > 0)
    this.nobody.look(
      needed.map(({ needs }) => needs),
      this.staff,
      refusals,
    )
    // What waits for a worker that plays all may have become what some cannot play.
    for (const lane of this.lanes.values()) {
      for (const asked of lane.waiting.splice(0)) this.laneOf(asked.request.job).waiting.push(asked)
    }
  }

  /** Batches that nobody has begun come back: some worker cannot play all that is in them. */
  private async takeBackWaiting(): Promise<void> {
    for (const { queue, made } of this.lanes.values()) if (made) await this.own.batches.clear(queue)
  }

  private get slots(): number {
    return Math.max(
      1,
      this.staff.reduce((sum, { slots }) => sum + slots, 0),
    )
  }

  /** Fills a lane's queue up. */
  private async send(lane: LaneState): Promise<void> {
    const { batches, board, run, urgent = false } = this.own
    if (lane.waiting.length === 0) return
    if (!lane.made) {
      await batches.make(lane.queue)
      // What an earlier process of this run has left there is asked for anew.
      await batches.clear(lane.queue)
      await board.addLane(run, lane.queue, lane.needs, urgent)
      lane.made = true
    }
    const room = (AHEAD + 1) * this.slots - lane.sent.size
    const batch: { id: string; data: { run: string; jobs: JobRequest[] }; asked: Asked[] }[] = []
    while (batch.length < room && lane.waiting.length > 0) {
      const asked = lane.waiting.splice(0, this.pace.size(lane.waiting.length, this.slots))
      const jobs = asked.map(({ request }) => request)
      // Whoever sends the same batch sends it once.
      batch.push({ id: uuidOf(JSON.stringify([run, jobs])), data: { run, jobs }, asked })
    }
    if (batch.length === 0) return
    for (const { id, asked } of batch) lane.sent.set(id, asked)
    await batches.send(lane.queue, batch)
  }

  /** Takes what came of the batches. */
  private async receive(): Promise<void> {
    const { batches, store } = this.own
    for (const lane of this.lanes.values()) {
      if (lane.sent.size === 0) continue
      const { ended, gone } = await batches.outcomes([lane.queue], [...lane.sent.keys()])
      for (const id of gone) this.again(lane, id)
      if (gone.length > 0) await batches.forget(lane.queue, gone)
      const outcomes = ended.map(({ id, output }) => ({ id, ...this.outcomeOf(lane.sent.get(id) ?? [], output) }))
      const keys = outcomes.flatMap(({ jobs }) => jobs.flatMap((one) => ('key' in one ? [one.key] : [])))
      const records = keys.length === 0 ? new Map<string, never>() : await store.readJobs([...new Set(keys)])
      for (const { id, jobs, ms } of outcomes) {
        const asked = lane.sent.get(id) ?? []
        lane.sent.delete(id)
        this.pace.see(jobs.filter((one) => 'key' in one && !one.before).length, ms)
        for (const [i, one] of asked.entries()) this.answer(lane, one, jobs[i] ?? { back: true }, records)
      }
      if (ended.length > 0)
        await batches.forget(
          lane.queue,
          ended.map(({ id }) => id),
        )
    }
  }

  /** What is said of a batch, as far as it can be: a job lies under a key of its own, or is asked for again. */
  private outcomeOf(asked: readonly Asked[], output: unknown): Pick<BatchOutcome, 'jobs' | 'ms'> {
    const { jobs, ms } = acceptOutcome(output, asked.length) ?? { jobs: [], ms: 0 }
    const isOwn = (i: number, key: string): boolean => {
      const { request } = asked[i] ?? {}
      return request !== undefined && this.own.keysOf(request.job).includes(key)
    }
    return { ms, jobs: jobs.map((one, i) => ('key' in one && !isOwn(i, one.key) ? { back: true } : one)) }
  }

  private answer(
    lane: LaneState,
    asked: Asked,
    outcome: JobOutcome,
    records: ReadonlyMap<string, readonly JudgedMatch[]>,
  ): void {
    if ('failure' in outcome) asked.done(outcome)
    else if ('lost' in outcome) asked.failed(new WorkerLostError(outcome.lost))
    else if ('key' in outcome) {
      const matches = records.get(outcome.key)
      if (matches === undefined) lane.waiting.unshift(asked)
      else
        asked.done({ records: matches.map(({ record }) => record), ...(!outcome.before && { landed: true as const }) })
    } else this.laneOf(asked.request.job).waiting.push(asked)
  }

  /** A batch that nobody will end is asked for again. */
  private again(lane: LaneState, id: string): void {
    const asked = lane.sent.get(id) ?? []
    lane.sent.delete(id)
    lane.waiting.unshift(...asked)
  }

  /** Waits until no worker has bots of the run any more, but not for long. */
  private async workersEnd(): Promise<void> {
    const { board, run } = this.own
    for (const end = Date.now() + END_MS; Date.now() < end;) {
      if (!(await board.hasPlaces(run))) return
      await new Promise((done) => setTimeout(done, LOOK_MS))
    }
  }

  private fail(error: unknown): void {
    this.closed ??= error instanceof Error ? error : new Error(String(error))
    for (const { waiting, sent } of this.lanes.values()) {
      for (const asked of [...waiting.splice(0), ...[...sent.values()].flat()]) asked.failed(this.closed)
      sent.clear()
    }
    this.wake()
  }
}
