import {
  type Entrant,
  type Spell,
  type Wording,
  command,
  message,
  option,
  spelled,
  type Job,
} from '../../core/index.js'
import { entrantsOf } from '../../engine/index.js'
import { type Needs, needOfBot, needOfLabel } from './messages.js'
import type { WorkerInfo, WorkerRefusal, WorkerSeen } from './registry.js'

/** Milliseconds until a note says that no worker is there: one may be on its way. */
const PATIENCE_MS = 3000

/** What a worker needs for jobs, sorted. `refused`: names of entrants that some worker cannot play. */
export function needsOf(jobs: readonly Job[], entrants: Field, refused: ReadonlySet<string>): string[] {
  const needs = new Set<string>()
  for (const entrant of new Set(jobs.flatMap(entrantsOf))) {
    const { name = '', labels = [] } = entrants[entrant] ?? {}
    for (const label of labels) needs.add(needOfLabel(label))
    if (refused.has(name)) needs.add(needOfBot(name))
  }
  return [...needs].sort()
}

/** Those of the needs that are labels. */
export const labelsIn = (needs: Needs): string[] => needs.filter((need) => need.startsWith(needOfLabel('')))

/** Whether a worker has all labels that are needed. */
export const hasLabels = ({ labels }: Pick<WorkerInfo, 'labels'>, needs: Needs): boolean =>
  labelsIn(needs).every((need) => labels.some((label) => needOfLabel(label) === need))

/** Reports, once each, which jobs no worker can play, and what would help. */
export class UnplayableJobs {
  /** By the reason: since when no worker can play such jobs. */
  private readonly since = new Map<string, number>()
  private readonly noted = new Set<string>()

  constructor(
    private readonly field: Field,
    private readonly note: (text: string) => void,
    private readonly spell?: Spell,
  ) {}

  /** `needed`: what the jobs need that wait now. Returns a reason that was reported and holds; undefined: there is none. */
  report(
    needed: readonly Needs[],
    workers: readonly WorkerSeen[],
    refusals: readonly WorkerRefusal[],
  ): string | undefined {
    const now = performance.now()
    const lacking = new Set(
      needed.flatMap((needs) => {
        const why = lackOf(needs, this.field, workers, refusals)
        return why === undefined ? [] : [spelled(why, this.spell)]
      }),
    )
    for (const why of this.since.keys()) {
      if (lacking.has(why)) continue
      this.since.delete(why)
      this.noted.delete(why)
    }
    for (const why of lacking) {
      const began = this.since.get(why) ?? now
      this.since.set(why, began)
      if ((workers.length === 0 && now - began < PATIENCE_MS) || this.noted.has(why)) continue
      this.noted.add(why)
      this.note(`${why}; the run waits`)
    }
    return [...this.noted][0]
  }
}

/** A run's entrants. */
type Field = readonly Pick<Entrant, 'name' | 'labels'>[]

/** Why no worker can play jobs with these needs; undefined: some worker can. */
function lackOf(
  needs: Needs,
  field: Field,
  workers: readonly WorkerSeen[],
  refusals: readonly WorkerRefusal[],
): Wording | undefined {
  if (workers.length === 0) return message`no worker is there: start one with ${command('worker')} and the same store`
  const refused = new Set(refusals.map(({ worker, entrant }) => `${worker} ${needOfBot(entrant)}`))
  const has = (worker: WorkerSeen, need: string): boolean =>
    need.startsWith(needOfBot(''))
      ? !refused.has(`${worker.id} ${need}`)
      : worker.labels.some((label) => needOfLabel(label) === need)
  if (workers.some((worker) => needs.every((need) => has(worker, need)))) return undefined
  for (const need of needs) {
    if (workers.some((worker) => has(worker, need))) continue
    if (need.startsWith(needOfLabel(''))) {
      const label = need.slice(needOfLabel('').length)
      const who = field.flatMap((one) => (one.labels?.includes(label) ? [one.name] : []))
      const which = who.length === 0 ? '' : `, which ${who.join(', ')} needs`
      return message`no worker has the label "${label}"${which}: start one with ${command('worker')} ${option('labels', label)}`
    }
    const { entrant = '', why = '' } = refusals.find((one) => needOfBot(one.entrant) === need) ?? {}
    // The same reason for all entrants is the run's, not one entrant's.
    const all = field.every(({ name }) => refusals.some((one) => one.entrant === name && one.why === why))
    if (all && field.length > 1) return `no worker can play this run: ${why}`
    return `no worker can play ${entrant}: ${why}`
  }
  return `no worker can play all of these together: ${needs.map((need) => need.replace(/^(bot|label) /, '')).join(', ')}`
}
