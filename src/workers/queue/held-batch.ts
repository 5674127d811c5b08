import { type JobRequest, WorkerLostError } from '../../engine/index.js'
import type { AnsweredJob } from './answered.js'
import type { FetchedBatch } from './boss.js'
import { courseOfJob } from './compared-jobs.js'
import type { PreparedRun } from './prepared-run.js'

/** Milliseconds between two looks whether a batch is to go on. */
const CHUNK_MS = 250
/** Jobs of a chunk, at most. */
const CHUNK_MOST = 256

/** A batch that this worker holds, and plays in small pieces. */
export class HeldBatch {
  /** Another worker holds it, or the run has withdrawn it: its matches here are not stored. */
  gone = false
  /** Nothing of it is played any more: it holds no slot while it is stored. */
  played = false
  private ending = false
  private giveUp: () => void = () => undefined
  private readonly givenUp = new Promise<'given up'>((done) => (this.giveUp = () => done('given up')))

  constructor(
    readonly batch: FetchedBatch,
    private readonly prepared: PreparedRun,
    /** Those of these keys under which a job lies in the store. */
    private readonly known: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
  ) {}

  /** The tournament's key in the store, where its bots live through it. */
  get tournament(): string {
    return this.prepared.chain?.tournament ?? ''
  }

  /** Begins no more of its jobs; what is under way is given up after so many milliseconds. */
  end(ms: number): void {
    if (this.ending) return
    this.ending = true
    setTimeout(() => this.giveUp(), ms).unref()
  }

  /** Another worker holds it now. */
  lose(): void {
    this.gone = true
    this.end(0)
  }

  /** Plays it: all of it, unless it is to end before. Resolves with its jobs, and the milliseconds that those took which were played. */
  async play(): Promise<{ readonly jobs: readonly AnsweredJob[]; readonly ms: number }> {
    if (this.batch.compare) return { jobs: await this.playTwice(), ms: 0 }
    if (this.batch.chain) return this.playChain()
    const answered: AnsweredJob[] = await this.stored()
    const there = new Set(answered.map(({ request }) => request))
    const jobs = this.batch.jobs.filter((request) => !there.has(request))
    let ms = 0
    let size = 1
    for (let from = 0; from < jobs.length;) {
      const chunk = jobs.slice(from, from + size)
      const began = performance.now()
      const done = this.ending ? 'given up' : await Promise.race([this.playChunk(chunk), this.givenUp])
      if (done === 'given up') {
        for (const request of jobs.slice(from)) answered.push({ request, response: { back: true } })
        break
      }
      answered.push(...done)
      const took = performance.now() - began
      ms += took
      from += chunk.length
      size = Math.max(1, Math.min(CHUNK_MOST, 2 * size, Math.floor((CHUNK_MS / Math.max(took, 0.1)) * chunk.length)))
    }
    return { jobs: answered, ms }
  }

  /** It was stored, with jobs of these keys; undefined: it was not. */
  async settle(keys: readonly string[] | undefined): Promise<void> {
    if (this.batch.chain === undefined) return
    if (keys === undefined) await this.prepared.chain?.leave()
    else this.prepared.chain?.advance(keys)
  }

  /** Plays jobs of bots that live through the tournament, where they are known here. */
  private async playChain(): Promise<{ readonly jobs: readonly AnsweredJob[]; readonly ms: number }> {
    const { chain, verifier } = this.prepared
    const { jobs, chain: at } = this.batch
    const canPlay = jobs.every(({ job }) => this.prepared.isKnown(job) && this.prepared.canPlay(job))
    const stands = at !== undefined && canPlay && !this.ending && (await chain?.standAt(at)) === true
    if (chain === undefined || !stands)
      return { jobs: jobs.map((request) => ({ request, response: { back: true } })), ms: 0 }
    const stored = await this.known(jobs.map(({ job }) => verifier.keysOf(job)[0] ?? ''))
    const began = performance.now()
    const { givenUp } = this
    const played = await chain.play(jobs, { verifier, stored, isEnding: () => this.ending, givenUp })
    return { jobs: played, ms: performance.now() - began }
  }

  /** Plays each job twice, to be compared. */
  private async playTwice(): Promise<AnsweredJob[]> {
    const answered: AnsweredJob[] = []
    for (const request of this.batch.jobs) {
      const courses: string[] = []
      let failed: AnsweredJob['response'] | undefined
      for (let n = 0; n < 2 && failed === undefined; n++) {
        const done = this.ending ? 'given up' : await Promise.race([this.playChunk([request]), this.givenUp])
        const response = done === 'given up' ? { back: true as const } : (done[0]?.response ?? { back: true as const })
        const course = 'records' in response ? courseOfJob(response.records) : undefined
        if (!('records' in response)) failed = response
        else if (course !== undefined) courses.push(course)
      }
      answered.push({ request, response: failed ?? { courses } })
    }
    return answered
  }

  /** Those of its jobs that another run has stored meanwhile. A match's first part alone may not be all of it. */
  private async stored(): Promise<AnsweredJob[]> {
    const keys = new Map(
      this.batch.jobs
        .filter(({ job }) => this.prepared.isKnown(job))
        .map((request) => [request, this.prepared.verifier.keysOf(request.job, request.key)[0] ?? '']),
    )
    const known = await this.known([...keys.values()])
    return [...keys].flatMap(([request, key]) =>
      known.has(key) ? [{ request, response: { key, before: true as const } }] : [],
    )
  }

  private async playChunk(chunk: readonly JobRequest[]): Promise<AnsweredJob[]> {
    const { pool } = this.prepared
    const own = chunk.filter(({ job }) => this.prepared.canPlay(job))
    let responses: readonly AnsweredJob['response'][]
    try {
      responses = own.length === 0 ? [] : await pool.play(own)
    } catch (error) {
      if (!(error instanceof WorkerLostError)) throw error
      responses = own.map(() => ({ lost: error.message }))
    }
    const by = new Map(own.map((request, i) => [request, responses[i]]))
    return chunk.map((request) => ({ request, response: by.get(request) ?? { back: true } }))
  }
}
