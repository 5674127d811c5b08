import type { Job } from '../../engine/index.js'
import { SILENT_S } from './board.js'
import type { WorkerSeen } from './board-rows.js'
import { UnplayableJobs, type WorkerRefusal, hasAll, needsOf } from './unplayable.js'
import { type Needs, needOfBot } from './messages.js'
import type { QueuePoolSetting } from './queue-setting.js'

/** Which workers may play a run now, and which entrants each of them cannot play. */
export class WorkerWatch {
  workers: readonly WorkerSeen[] = []
  refusals: readonly WorkerRefusal[] = []
  /** Names of entrants that some worker cannot play. */
  private refused: ReadonlySet<string> = new Set()
  /** How often these have changed. */
  changes = 0
  private readonly unplayable: UnplayableJobs

  constructor(private readonly own: QueuePoolSetting) {
    const names = own.posted.setup.entrants.map(({ name }) => name)
    this.unplayable = new UnplayableJobs({ names, labels: own.labels }, own.note, own.spell)
  }

  /** Jobs that all of them together play at once. */
  get slots(): number {
    return Math.max(
      1,
      this.workers.reduce((sum, { slots }) => sum + slots, 0),
    )
  }

  /** Reads the workers from the board. Resolves with whether some worker turned out to be unable to play an entrant that all played before. */
  async look(): Promise<boolean> {
    const { board, run } = this.own
    this.workers = (await board.workers(run)).filter(({ silent, aside }) => silent < SILENT_S && aside === undefined)
    const refusals = await board.refusals(run)
    this.refusals = refusals
    const before = this.refused
    this.refused = new Set(refusals.map(({ entrant }) => entrant))
    const isMore = [...this.refused].some((name) => !before.has(name))
    if (isMore || this.refused.size < before.size) this.changes++
    return isMore
  }

  /** Whether some worker has all that is needed. */
  canPlay(needs: Needs): boolean {
    const refused = new Set(this.refusals.map(({ worker, entrant }) => `${worker} ${needOfBot(entrant)}`))
    return this.workers.some(
      (worker) => hasAll(worker, needs) && !needs.some((need) => refused.has(`${worker.id} ${need}`)),
    )
  }

  /** Notes it where jobs that need this wait, and no worker can play them. */
  tell(needed: readonly Needs[]): void {
    this.unplayable.report(needed, this.workers, this.refusals)
  }

  /** What a worker needs for these jobs; `except`: it is none of these. */
  needsOf(jobs: readonly Job[], except: readonly string[] = []): string[] {
    const { posted, labels } = this.own
    return needsOf(jobs, { entrants: posted.setup.entrants, labels, refused: this.refused }, except)
  }
}
