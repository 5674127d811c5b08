import type { Spell, Job, Run } from '../../core/index.js'
import { needOfBot, type Needs } from './messages.js'
import { type Registry, SILENT_S, type WorkerRefusal, type WorkerSeen } from './registry.js'
import { UnplayableJobs, hasLabels, labelsIn, needsOf } from './unplayable.js'

interface WatchSetting {
  readonly run: Pick<Run, 'id' | 'entrants'>
  readonly registry: Registry
  readonly note: (text: string) => void
  readonly spell?: Spell
}

/** Which workers may play a run now, and which entrants each of them cannot play. */
export class WorkerWatch {
  private workers: readonly WorkerSeen[] = []
  private refusals: readonly WorkerRefusal[] = []
  /** Names of entrants that some worker cannot play. */
  private refused: ReadonlySet<string> = new Set()
  /** How often these have changed. */
  changes = 0
  private readonly unplayable: UnplayableJobs

  constructor(private readonly own: WatchSetting) {
    this.unplayable = new UnplayableJobs(own.run.entrants, own.note, own.spell)
  }

  /** Jobs that all of them together play at once. */
  get slots(): number {
    return Math.max(
      1,
      this.workers.reduce((sum, { slots }) => sum + slots, 0),
    )
  }

  /** Reads the workers from the registry. */
  async look(): Promise<void> {
    const { registry, run } = this.own
    this.workers = (await registry.workers()).filter(({ silent, aside }) => silent < SILENT_S && aside === undefined)
    this.refusals = await registry.refusals(run.id)
    const refused = new Set(this.refusals.map(({ entrant }) => entrant))
    if (refused.size !== this.refused.size) this.changes++
    this.refused = refused
  }

  /** Whether some worker has all that is needed. */
  canPlay(needs: Needs): boolean {
    const refused = new Set(this.refusals.map(({ worker, entrant }) => `${worker} ${needOfBot(entrant)}`))
    return this.workers.some(
      (worker) => hasLabels(worker, needs) && !needs.some((need) => refused.has(`${worker.id} ${need}`)),
    )
  }

  /** The worker that plays a batch, and for how many milliseconds; undefined: none does that is heard of. */
  holderOf(batch: string): { readonly worker: string; readonly ms: number } | undefined {
    for (const { id, playing } of this.workers) {
      const held = playing.find((one) => one.batch === batch)
      if (held !== undefined) return { worker: id, ms: held.ms }
    }
    return undefined
  }

  /** Notes it if no worker can play jobs that need this, and returns why. */
  tell(needed: readonly Needs[]): string | undefined {
    return this.unplayable.report(needed, this.workers, this.refusals)
  }

  /** What a worker needs for these jobs. */
  needsOf(jobs: readonly Job[]): string[] {
    return needsOf(jobs, this.own.run.entrants, this.refused)
  }

  needLabels(needs: Needs): readonly string[] {
    return labelsIn(needs)
  }
}
