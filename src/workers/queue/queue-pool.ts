import { type JudgedMatch, type Spell, messageOf } from '../../core/index.js'
import {
  type JobRequest,
  type JobResponse,
  type PlayableRun,
  type WorkerPool,
  WorkerLostError,
  judgeBrought,
} from '../../engine/index.js'
import { type JobStore, type RunStore, isLost } from '../../store/index.js'
import { WakeSignal, every } from './loop.js'
import type { BatchResult, JobAnswer } from './messages.js'
import { type Queues, resultsOf, tooLong } from './queues.js'
import type { Registry } from './registry.js'
import { BatchSizer, PIECES, type PendingJob, RunJobs, type SentBatch } from './run-jobs.js'
import { WorkerWatch } from './worker-watch.js'

/*
 * Workers on other machines, behind the engine's port. Jobs wait here, by what a worker needs for them, and few at a time are put into the server's
 * queues, so that batches can be as large as the last ones tell. Results are fetched a few times a second and judged once, here; the engine stores
 * them. What a killed coordinator had not stored is played again.
 */

/** Milliseconds between two looks for results. */
const LOOK_MS = 100
/** Milliseconds between two looks at the workers and the run's state. */
const WATCH_MS = 1000
/** Results fetched together. */
const RESULTS = 20
/** Jobs that the pool may be given at once. */
const WINDOW = 8192
/** Batches waiting in a queue, per slot of all workers. */
const AHEAD = 2
/** Batches in a row that do not replay: their worker gets no more. */
const REFUSED = 3
/** Milliseconds that workers have to hand over standard error, and between two looks for it. */
const LEAVE_MS = 15_000
const LEAVE_LOOK_MS = 25
/** Characters kept of an entrant's standard error. */
const STDERR = 65_536

export interface LocalSetting {
  readonly pool: WorkerPool
  /** Pieces played at the same time. */
  readonly slots: number
}

export interface QueuePoolSetting {
  readonly run: PlayableRun
  readonly store: Pick<RunStore, 'run'> & Pick<JobStore, 'has'>
  readonly queues: Queues
  readonly registry: Registry
  /** Jobs of the run played at once, at most; absent: any number. */
  readonly cap?: number
  readonly urgent?: boolean
  /** What also plays in this process. Absent: workers alone play. */
  readonly local?: LocalSetting
  readonly note: (text: string) => void
  /** How notes write options and commands; absent: plainly. */
  readonly spell?: Spell
}

export class QueuePool implements WorkerPool {
  readonly window = WINDOW
  readonly looks = true
  private readonly watch: WorkerWatch
  private readonly pace = new BatchSizer()
  /** By needs. */
  private readonly jobs = new Map<string, RunJobs>()
  /** Results of this run's earlier process, by the job's key. */
  private readonly early = new Map<string, BatchResult>()
  /** By worker: its last batches in a row that did not replay. */
  private readonly refused = new Map<string, number>()
  private readonly alarm = new WakeSignal()
  /** Pieces played here. */
  private playing = 0
  /** The end of each entrant's standard error on workers, by name. */
  private readonly written = new Map<string, string>()
  private readonly working: Promise<void>
  private closed: Error | undefined
  private isPaused = false
  private waits: string | undefined
  /** What workers were last told of the run, as JSON. */
  private told = ''

  constructor(private readonly own: QueuePoolSetting) {
    this.watch = new WorkerWatch(own)
    this.working = this.work()
  }

  async play(batch: readonly JobRequest[]): Promise<readonly JobResponse[]> {
    return Promise.all(batch.map((request) => this.ask(request)))
  }

  async look(...args: Parameters<NonNullable<WorkerPool['look']>>): ReturnType<NonNullable<WorkerPool['look']>> {
    return this.own.local?.pool.look?.(...args)
  }

  /** Workers end or hand back what they hold of a run that is paused. */
  abandon(keys: readonly string[]): void {
    this.own.local?.pool.abandon?.(keys)
  }

  async close(): Promise<ReadonlyMap<string, string>> {
    this.fail(new WorkerLostError('the workers have ended'))
    await this.working
    const here = (await this.own.local?.pool.close()) ?? new Map<string, string>()
    try {
      await this.leave()
    } catch (error) {
      // A run that ends for a lost server reports it itself.
      if (!isLost(error)) throw error
    }
    for (const [name, text] of here) this.keepStderr(name, text)
    return this.written
  }

  private ask(request: JobRequest): Promise<JobResponse> {
    if (this.closed) return Promise.reject(this.closed)
    return new Promise((done, failed) => {
      const pending: PendingJob = { request, overdue: 0, done, failed }
      const early = this.early.get(request.key)
      this.early.delete(request.key)
      if (early === undefined) this.place(pending)
      else void this.answer(early, [pending]).catch((error: unknown) => this.fail(error))
      this.alarm.ring()
    })
  }

  /** Has a job wait for a worker that may play it. */
  private place(pending: PendingJob): void {
    const needs = this.watch.needsOf(pending.request.job)
    const key = JSON.stringify(needs)
    const jobs = this.jobs.get(key) ?? new RunJobs(this.own.run.id, needs)
    this.jobs.set(key, jobs)
    jobs.waiting.push(pending)
  }

  /** Has a batch's jobs wait again; `overdue`: how often more its worker was late. */
  private takeBack(jobs: RunJobs, batch: SentBatch, overdue = 0): void {
    jobs.sent.delete(batch.id)
    for (const pending of batch.jobs) this.place({ ...pending, overdue: pending.overdue + overdue })
  }

  private async work(): Promise<void> {
    const { queues, run } = this.own
    const begin = every(Infinity, () => queues.make(resultsOf(run.id)))
    const see = every(WATCH_MS, () => this.see())
    const receive = every(LOOK_MS, () => this.receive())
    while (this.closed === undefined) {
      this.alarm.reset()
      try {
        await begin()
        await see()
        await receive()
        if (!this.isPaused) await this.send()
      } catch (error) {
        // If the server is lost the next look tries again.
        if (!isLost(error)) this.fail(error)
      }
      await this.alarm.wait(LOOK_MS)
    }
  }

  /** Looks at the workers and at the run's state. */
  private async see(): Promise<void> {
    const { run, store, queues, note } = this.own
    this.isPaused = (await store.run(run.id))?.state === 'paused'
    // Waiting jobs may now have entrants that some worker cannot play.
    if (await this.watch.look())
      for (const jobs of this.jobs.values()) for (const pending of jobs.waiting.splice(0)) this.place(pending)
    const all = [...this.jobs.values()]
    const needed = all.filter((jobs) => !jobs.isEmpty && !this.playsHere(jobs))
    this.waits = this.watch.tell(needed.map(({ needs }) => needs))
    for (const jobs of all) {
      jobs.isOpen &&= !jobs.isEmpty
      for (const batch of jobs.sent.values()) {
        const holder = this.watch.holderOf(batch.id)
        if (holder === undefined || holder.ms < batch.deadlineMs) continue
        note(`${holder.worker} has held a batch for ${Math.round(holder.ms / 1000)} s: others play it`)
        await queues.forget(jobs.queue, [batch.id])
        this.takeBack(jobs, batch, 1)
      }
    }
    await this.tell()
  }

  /** Tells workers what changed of the run. */
  private async tell(ended = false): Promise<void> {
    const { run, registry, urgent = false } = this.own
    const open = [...this.jobs.values()].filter(({ isOpen }) => isOpen)
    const queues = open.map(({ queue, needs }) => ({ queue, needs }))
    const news = { paused: this.isPaused, ended, urgent, waits: this.waits, queues }
    const text = JSON.stringify(news)
    if (text !== this.told) await registry.tell(run.id, news)
    this.told = text
  }

  private async receive(): Promise<void> {
    for (;;) {
      const brought = await this.own.queues.brought(this.own.run.id, RESULTS)
      for (const one of brought) {
        if ('stderr' in one) for (const [name, text] of one.stderr) this.keepStderr(name, text)
        else await this.takeResult(one)
      }
      if (brought.length < RESULTS) return
    }
  }

  private keepStderr(name: string, text: string): void {
    this.written.set(name, ((this.written.get(name) ?? '') + text).slice(-STDERR))
  }

  private async takeResult(result: BatchResult): Promise<void> {
    const { batch, ms, answers } = result
    const jobs = [...this.jobs.values()].find(({ sent }) => sent.has(batch))
    const asked = jobs?.sent.get(batch)?.jobs
    jobs?.sent.delete(batch)
    const played = answers.filter((answer) => 'records' in answer)
    if (asked === undefined) {
      for (const answer of played) this.early.set(answer.key, { ...result, answers: [answer] })
      return
    }
    this.pace.see(played.length, ms)
    await this.answer(result, asked)
  }

  /** Judges a result and answers its jobs. Those of a refused result wait again. */
  private async answer({ worker, agon, answers }: BatchResult, asked: readonly PendingJob[]): Promise<void> {
    const byKey = new Map(answers.map((answer) => [answer.key, answer]))
    let responses: readonly (JobResponse | Error | undefined)[]
    try {
      responses = asked.map(({ request }) => this.responseOf(request, byKey.get(request.key)))
    } catch (error) {
      this.own.note(
        `${worker} (agon ${agon}) brings a match that does not replay: ${messageOf(error)}; its batch is played again`,
      )
      for (const pending of asked) this.place(pending)
      return this.countRefused(worker)
    }
    this.refused.delete(worker)
    const stored: JudgedMatch[] = []
    for (const [i, pending] of asked.entries()) {
      const response = responses[i]
      if (response === undefined) this.place(pending)
      else if (response instanceof Error) pending.failed(response)
      else pending.done(response)
      if (response !== undefined && 'judged' in response) stored.push(...(response.judged ?? []))
    }
    const faults = stored.reduce((sum, match) => sum + match.faults.length, 0)
    if (stored.length > 0) await this.own.registry.count(worker, stored.length, faults)
  }

  /** A worker's answer to a job; undefined: not played. Throws if it cannot be the job's. */
  private responseOf(request: JobRequest, answer: JobAnswer | undefined): JobResponse | Error | undefined {
    if (answer === undefined || 'back' in answer) return undefined
    if ('records' in answer)
      return { records: answer.records, judged: judgeBrought(this.own.run, request.job, answer.records) }
    if ('tooLong' in answer) return tooLong(request.job.key, answer.tooLong)
    return 'stored' in answer ? { stored: true } : { failure: answer.failure, why: answer.why }
  }

  private async countRefused(worker: string): Promise<void> {
    const times = (this.refused.get(worker) ?? 0) + 1
    this.refused.set(worker, times)
    // It may have played more before it hears of it.
    if (times !== REFUSED) return
    const why = `${REFUSED} of its batches in a row did not replay`
    await this.own.registry.setAside(worker, why)
    this.own.note(`${worker} gets nothing more until it is started anew: ${why}`)
  }

  private playsHere({ needs }: RunJobs): boolean {
    return this.own.local !== undefined && needs.labels.length === 0
  }

  /** Has jobs played here, and fills the queues. */
  private async send(): Promise<void> {
    const { cap = Infinity, local } = this.own
    const all = [...this.jobs.values()]
    const isBelowCap = (): boolean => this.playing + all.reduce((sum, { sent }) => sum + sent.size, 0) < cap
    while (local !== undefined && this.playing < local.slots && isBelowCap()) {
      const jobs = all.find((one) => one.waiting.length > 0 && this.playsHere(one))
      if (jobs === undefined) break
      const size = this.pace.size(jobs.waiting.length, this.watch.slots + local.slots)
      void this.playHere(local.pool, jobs.waiting.splice(0, Math.ceil(size / PIECES)))
    }
    for (const jobs of all) {
      if (jobs.waiting.length === 0 || !this.watch.canPlay(jobs.needs)) continue
      const batches: SentBatch[] = []
      while (jobs.waiting.length > 0 && jobs.sent.size < (AHEAD + 1) * this.watch.slots && isBelowCap())
        batches.push(jobs.takeBatch(this.pace, this.watch.slots))
      if (batches.length === 0) continue
      try {
        await this.sendBatches(jobs, batches)
      } catch (error) {
        // A lost server may have them: they are sent again, and the first result counts.
        for (const batch of batches) this.takeBack(jobs, batch)
        throw error
      }
      jobs.isOpen = true
    }
    await this.tell()
  }

  private async sendBatches(jobs: RunJobs, batches: readonly SentBatch[]): Promise<void> {
    const { run, queues } = this.own
    const { queue, isMade } = jobs
    if (!isMade) {
      await queues.make(queue)
      // What an earlier process of this run left is asked for anew.
      await queues.clear(queue)
    }
    jobs.isMade = true
    const sent = batches.map(({ id, jobs: all }) => ({
      id,
      data: { run: run.id, jobs: all.map((one) => one.request) },
    }))
    await queues.send(queue, sent)
  }

  private async playHere(pool: WorkerPool, jobs: readonly PendingJob[]): Promise<void> {
    this.playing++
    const began = performance.now()
    try {
      const stored = await this.own.store.has(jobs.map(({ request }) => request.key))
      const missing = jobs.filter(({ request }) => !stored.has(request.key))
      const responses = await pool.play(missing.map(({ request }) => request))
      this.pace.see(missing.length, performance.now() - began)
      for (const [i, job] of missing.entries()) job.done(responses[i] as JobResponse)
      for (const job of jobs) if (stored.has(job.request.key)) job.done({ stored: true })
    } catch (error) {
      for (const job of jobs) job.failed(error)
    }
    this.playing--
    this.alarm.ring()
  }

  /** Ends the run's queues and removes what was published of it, once workers have handed over standard error. */
  private async leave(): Promise<void> {
    const { run, registry, queues } = this.own
    await this.tell(true)
    for (const isOver = performance.now() + LEAVE_MS; performance.now() < isOver;) {
      await this.watch.look()
      if (!this.watch.isAnyPresent) break
      await new Promise((done) => setTimeout(done, LEAVE_LOOK_MS))
    }
    await this.receive()
    await registry.remove(run.id)
    for (const { queue, isMade } of this.jobs.values()) if (isMade) await queues.remove(queue)
    await queues.remove(resultsOf(run.id))
  }

  private fail(error: unknown): void {
    this.closed ??= error instanceof Error ? error : new Error(String(error))
    for (const { waiting, sent } of this.jobs.values()) {
      for (const pending of [...waiting.splice(0), ...[...sent.values()].flatMap((batch) => batch.jobs)])
        pending.failed(this.closed)
      sent.clear()
    }
    this.alarm.ring()
  }
}
