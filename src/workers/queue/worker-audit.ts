import { randomInt } from 'node:crypto'
import type { MatchRecord } from '../../core/index.js'
import { type JobRequest, entrantsOf } from '../../engine/index.js'
import type { JudgedMatch } from '../../store/index.js'
import { type ComparedJob, courseOfJob } from './compared-jobs.js'
import type { JobVerifier } from './job-verifier.js'
import { Lateness } from './lateness.js'
import { Timings } from './timings.js'

/*
 * Checks the reports of workers, which may be wrong or forged. Theory of operation.
 *
 * All of it is judged again: a record that does not replay, or is of another match than was asked for, can come from no honest worker.
 * Of the rest a sample, with the first job of each worker, is played again by another worker, twice. Where that one's two courses
 * are the same, its bots answer alike whenever they are asked alike, and the first course should be that, too. Where it is not,
 * one of the two is wrong, and a third worker tells which: the run's own, if it plays along, is believed. Bots that do not answer
 * alike tell nothing, nor do matches in which a bot was late. A worker on which bots are late far more often than
 * elsewhere is an outlier, whatever the reason, and so is one whose times are unlike those of all others.
 */

/** One job in so many is played again. */
const ONE_IN = 100
/** Jobs that are played again at the same time, at most. */
const AT_ONCE = 4
/** Milliseconds that the end of a run waits for them. */
const PATIENCE_MS = 30_000

/** How a job went on another worker; `trusted`: on the run's own. */
export interface RepeatedJob extends ComparedJob {
  readonly worker: string
  readonly trusted: boolean
}

export interface WorkerAuditSetting {
  readonly verifier: JobVerifier
  /** Has a job played twice by a worker that is none of these; undefined: there is none, or it could not. */
  again(request: JobRequest, except: readonly string[]): Promise<RepeatedJob | undefined>
  /** Called when a worker's reports are not to be believed. */
  readonly distrust: (worker: string, why: string, jobs?: readonly string[]) => void
  readonly note: (text: string) => void
}

export class WorkerAudit {
  private readonly met = new Set<string>()
  /** Fields whose bots do not answer alike whenever they are asked alike. */
  private readonly fickle = new Set<string>()
  private readonly comparing = new Set<Promise<void>>()
  private readonly lateness = new Lateness()
  private readonly timings = new Timings()

  constructor(private readonly own: WorkerAuditSetting) {}

  /** Judges again what a worker has stored of a job, which the run's own has done. False: it is not to be believed, which was told. `trusted`: the run's own played it. */
  judge(request: JobRequest, worker: string, matches: readonly JudgedMatch[], trusted: boolean): boolean {
    const records = matches.map(({ record }) => record)
    const why = trusted ? undefined : (this.own.verifier.refuses(request.job, matches) ?? this.apart(worker, records))
    if (why !== undefined) {
      this.own.distrust(worker, why, this.own.verifier.keysOf(request.job, request.key))
      return false
    }
    return true
  }

  private apart(worker: string, records: readonly MatchRecord[]): string | undefined {
    const slow = this.timings.see(worker, records)
    return this.lateness.see(worker, records) ?? slow
  }

  /** The same, and has another worker play some of them again. */
  see(request: JobRequest, worker: string, matches: readonly JudgedMatch[], trusted: boolean): boolean {
    if (!this.judge(request, worker, matches, trusted)) return false
    if (trusted || this.comparing.size >= AT_ONCE) return true
    if (this.met.has(worker) && randomInt(ONE_IN) > 0) return true
    const course = courseOfJob(matches.map(({ record }) => record))
    if (course === undefined || this.fickle.has(fieldOf(request))) return true
    const work: Promise<void> = this.compare(request, worker, course)
      .catch(() => undefined)
      .finally(() => this.comparing.delete(work))
    this.comparing.add(work)
    return true
  }

  /** Waits until all that is compared is known. */
  async settle(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((done) => (timer = setTimeout(done, PATIENCE_MS)))
    await Promise.race([Promise.all(this.comparing), late])
    clearTimeout(timer)
  }

  private async compare(request: JobRequest, worker: string, course: string): Promise<void> {
    const { distrust, note } = this.own
    const { key } = request.job
    const second = await this.again(request, [worker])
    if (second !== undefined) this.met.add(worker)
    if (second === undefined || second.course === course) return
    const differs = `${key} went otherwise when it was played again, twice alike`
    if (second.trusted) return distrust(worker, differs)
    const third = await this.again(request, [worker, second.worker])
    if (third?.course === second.course) distrust(worker, differs)
    else if (third?.course === course) distrust(second.worker, `${key} went otherwise on two other workers, alike`)
    else if (third === undefined && !this.fickle.has(fieldOf(request)))
      note(
        `${key} goes otherwise on ${worker} and on ${second.worker}: with a third worker it would be known which is wrong`,
      )
  }

  /** The course of a job on another worker; undefined: there is none to compare with. */
  private async again(
    request: JobRequest,
    except: readonly string[],
  ): Promise<{ readonly worker: string; readonly trusted: boolean; readonly course: string } | undefined> {
    const { courses = [], worker = '', trusted = false } = (await this.own.again(request, except)) ?? {}
    const [one, two] = courses
    if (one === undefined || two === undefined || except.includes(worker)) return undefined
    if (one !== two) this.fickle.add(fieldOf(request))
    return one === two ? { worker, trusted, course: one } : undefined
  }
}

const fieldOf = ({ job }: JobRequest): string => [...entrantsOf(job)].sort((a, b) => a - b).join()
