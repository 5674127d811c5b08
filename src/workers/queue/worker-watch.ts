import { type Job, type Run, type Spell, type Wording, command, message, option, spelled } from '../../core/index.js'
import { entrantsOf } from '../../engine/index.js'
import type { Needs } from './messages.js'
import type { Player, Registry, WorkerInfo } from './registry.js'

/** Milliseconds until a note says that no worker is there: one may be on its way. */
const PATIENCE_MS = 3000
/** Seconds without a heartbeat (sent every three) after which a run's end does not wait for a worker. */
const LEAVE_SILENT_S = 6

export const hasLabels = ({ labels }: Pick<WorkerInfo, 'labels'>, needs: Needs): boolean =>
  needs.labels.every((label) => labels.includes(label))

interface WatchSetting {
  readonly run: Pick<Run, 'id' | 'entrants'>
  readonly registry: Registry
  readonly note: (text: string) => void
  readonly spell?: Spell
}

/** Which workers may play a run now, and which entrants each cannot play. */
export class WorkerWatch {
  private workers: readonly Player[] = []
  /** Names of entrants that some worker cannot play. */
  private refused: ReadonlySet<string> = new Set()
  /** Why no worker can play some jobs: since when, and whether a note says so. */
  private readonly lacks = new Map<string, { readonly since: number; noted: boolean }>()

  constructor(private readonly own: WatchSetting) {}

  /** Jobs that they play at once, all together. */
  get slots(): number {
    return this.workers.reduce((sum, { slots }) => sum + slots, 0) || 1
  }

  /** Whether a worker has the run's bots. */
  get isAnyPresent(): boolean {
    return this.workers.some(({ refused, silent }) => refused !== undefined && silent < LEAVE_SILENT_S)
  }

  /** Reads the workers. True: the entrants that some worker cannot play have changed. */
  async look(): Promise<boolean> {
    const { registry, run } = this.own
    this.workers = await registry.players(run.id)
    const before = this.refused
    this.refused = new Set(this.workers.flatMap(({ refused }) => [...(refused?.keys() ?? [])]))
    return before.size !== this.refused.size || [...before].some((name) => !this.refused.has(name))
  }

  needsOf(job: Job): Needs {
    const entrants = entrantsOf(job).flatMap((entrant) => this.own.run.entrants[entrant] ?? [])
    return {
      labels: [...new Set(entrants.flatMap(({ labels = [] }) => labels))].sort(),
      bots: entrants.flatMap(({ name }) => (this.refused.has(name) ? [name] : [])).sort(),
    }
  }

  canPlay(needs: Needs): boolean {
    return this.workers.some(
      (worker) => hasLabels(worker, needs) && !needs.bots.some((name) => worker.refused?.has(name)),
    )
  }

  /** The worker that plays a batch, and its milliseconds so far; undefined: none is known. */
  holderOf(batch: string): { readonly worker: string; readonly ms: number } | undefined {
    const held = this.workers.flatMap(({ id, playing }) => playing.map((one) => ({ ...one, worker: id })))
    return held.find((one) => one.batch === batch)
  }

  /** Notes, once each, why no worker can play jobs with these needs, and what would help. Returns a reason that was noted and holds, if any. */
  tell(needed: readonly Needs[]): string | undefined {
    const now = performance.now()
    const lacking = new Set(
      needed.flatMap((needs) => this.lackOf(needs) ?? []).map((why) => spelled(why, this.own.spell)),
    )
    for (const why of this.lacks.keys()) if (!lacking.has(why)) this.lacks.delete(why)
    for (const why of lacking) {
      const lack = this.lacks.get(why) ?? { since: now, noted: false }
      this.lacks.set(why, lack)
      if (lack.noted || (this.workers.length === 0 && now - lack.since < PATIENCE_MS)) continue
      lack.noted = true
      this.own.note(`${why}; the run waits`)
    }
    return [...this.lacks].find(([, { noted }]) => noted)?.[0]
  }

  /** Why no worker can play jobs with these needs; undefined: some worker can. */
  private lackOf(needs: Needs): Wording | undefined {
    const { workers } = this
    const { entrants } = this.own.run
    if (workers.length === 0) return message`no worker is there: start one with ${command('worker')} and the same store`
    if (this.canPlay(needs)) return undefined
    const label = needs.labels.find((one) => !workers.some(({ labels }) => labels.includes(one)))
    if (label !== undefined) {
      const who = entrants.flatMap(({ name, labels }) => (labels?.includes(label) ? [name] : []))
      const which = who.length === 0 ? '' : `, which ${who.join(', ')} needs`
      return message`no worker has the label "${label}"${which}: start one with ${command('worker')} ${option('labels', label)}`
    }
    const bot = needs.bots.find((one) => workers.every(({ refused }) => refused?.has(one)))
    if (bot === undefined)
      return `no worker can play all of these together: ${[...needs.bots, ...needs.labels].join(', ')}`
    const why = workers[0]?.refused?.get(bot)
    // The same reason for all entrants is the run's.
    const all = entrants.every(({ name }) => workers.some(({ refused }) => refused?.get(name) === why))
    return all && entrants.length > 1 ? `no worker can play this run: ${why}` : `no worker can play ${bot}: ${why}`
  }
}
