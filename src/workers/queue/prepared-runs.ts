import { join } from 'node:path'
import { type Spell, UserError, spelled, wordingOf } from '../../core/index.js'
import { type Machine, type PreparedRun, prepareRun } from './prepared-run.js'
import type { Registry } from './registry.js'

/** Milliseconds that a run's bots are kept without a batch of it. */
const IDLE_MS = 10_000
/** Milliseconds until a run that could not be prepared is tried again. */
const AGAIN_MS = 30_000

interface Opened {
  readonly prepared: PreparedRun
  /** When a batch of it was last played. */
  used: number
}

/** The runs of this worker: each is prepared when a queue of it is open, and closed when it has not been played for a while. */
export class PreparedRuns {
  private readonly opened = new Map<string, Opened>()
  private readonly opening = new Map<string, Promise<void>>()
  /** When these could not be prepared. */
  private readonly failed = new Map<string, number>()
  private made = 0

  constructor(
    private readonly own: Machine & {
      readonly rooms: string
      readonly info: { readonly id: string }
      readonly spell?: Spell
    },
    private readonly registry: Registry,
    private readonly openOne: typeof prepareRun = prepareRun,
  ) {}

  /** A run, once it is prepared. */
  of(run: string): PreparedRun | undefined {
    return this.opened.get(run)?.prepared
  }

  /** Prepares runs of which a queue is `open`, and closes those that are not, or idle; of `busy` runs batches are played. */
  async see(open: ReadonlySet<string>, busy: ReadonlySet<string>): Promise<void> {
    const now = performance.now()
    for (const run of open) {
      const isLate = now - (this.failed.get(run) ?? -Infinity) > AGAIN_MS
      if (isLate && !this.opened.has(run) && !this.opening.has(run)) this.open(run)
    }
    for (const [run, one] of this.opened) {
      if (busy.has(run)) one.used = now
      else if (now - one.used > IDLE_MS || !open.has(run)) await this.closeOne(run)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.opening.values())
    for (const run of this.opened.keys()) await this.closeOne(run)
  }

  private open(run: string): void {
    const work = this.prepare(run)
      .catch((error: unknown) => {
        this.failed.set(run, performance.now())
        this.own.note(`${run}: ${spelled(wordingOf(error), this.own.spell)}`)
      })
      .finally(() => this.opening.delete(run))
    this.opening.set(run, work)
  }

  private async prepare(run: string): Promise<void> {
    const { info, rooms } = this.own
    const published = await this.registry.published(run)
    if (published === undefined) return
    await this.registry.setPresent(run, info.id, true)
    let prepared: PreparedRun
    try {
      prepared = await this.openOne(published, this.own, join(rooms, `run-${this.made++}`))
    } catch (error) {
      await this.registry.setPresent(run, info.id, false)
      if (error instanceof UserError)
        for (const { name } of published.run.entrants)
          await this.registry.refuse(run, { worker: info.id, entrant: name, why: error.message })
      throw error
    }
    for (const [entrant, why] of prepared.refused) await this.registry.refuse(run, { worker: info.id, entrant, why })
    this.opened.set(run, { prepared, used: performance.now() })
  }

  /** Ends a run's bots here; what they wrote to their standard error is kept for it. */
  private async closeOne(run: string): Promise<void> {
    const one = this.opened.get(run)
    this.opened.delete(run)
    if (one === undefined) return
    const { id } = this.own.info
    await this.registry.keepStderr(run, id, await one.prepared.pool.close())
    await this.registry.setPresent(run, id, false)
  }
}
