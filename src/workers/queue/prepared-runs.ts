import { join } from 'node:path'
import { UserError, spelled, wordingOf } from '../../core/index.js'
import { acceptRun } from './accept.js'
import type { Board } from './board.js'
import type { Lane } from './board-rows.js'
import { needOfBot } from './messages.js'
import { type Machine, type PreparedRun, prepareRun } from './prepared-run.js'

/** Milliseconds that a run's bots are kept without a batch of it. */
const IDLE_MS = 10_000
/** Milliseconds until a run that could not be prepared is tried again. */
const AGAIN_MS = 30_000

interface Opened {
  readonly prepared: PreparedRun
  /** The bots that cannot play here, as needs. */
  readonly bots: ReadonlySet<string>
  /** When a batch of it was last played. */
  used: number
}

/** The runs of this worker: each is prepared when a batch of it waits, and closed when it has not been played for a while. */
export class PreparedRuns {
  private readonly opened = new Map<string, Opened>()
  private readonly opening = new Map<string, Promise<void>>()
  /** When these could not be prepared. */
  private readonly failed = new Map<string, number>()
  private made = 0

  constructor(
    private readonly own: Machine & { readonly rooms: string; readonly card: { readonly id: string } },
    private readonly board: Board,
    private readonly openOne: typeof prepareRun = prepareRun,
  ) {}

  /** A run, once it is prepared. */
  of(run: string): Opened | undefined {
    return this.opened.get(run)
  }

  /** Prepares runs that have batches, and closes those that are held, gone or idle; `busy`: of these batches are played. */
  async see(lanes: readonly Lane[], busy: ReadonlySet<string>): Promise<void> {
    const now = performance.now()
    for (const { run, ready, paused, ended } of lanes) {
      const late = now - (this.failed.get(run) ?? -Infinity) > AGAIN_MS
      if (ready && !paused && !ended && late && !this.opened.has(run) && !this.opening.has(run)) this.open(run)
    }
    for (const [run, one] of this.opened) {
      if (busy.has(run)) one.used = now
      else if (now - one.used > IDLE_MS || !lanes.some((lane) => lane.run === run && !lane.paused && !lane.ended))
        await this.closeOne(run)
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
    const { card, rooms } = this.own
    const found = await this.board.posted(run)
    if (found === undefined) return
    const posted = acceptRun(found)
    await this.board.setPlace(run, card.id, true)
    const names = posted.setup.entrants.map(({ name }) => name)
    let prepared: PreparedRun
    try {
      prepared = await this.openOne(posted, this.own, join(rooms, `run-${this.made++}`))
    } catch (error) {
      await this.board.setPlace(run, card.id, false)
      if (error instanceof UserError)
        for (const name of names) await this.board.refuse(run, card.id, name, error.message)
      throw error
    }
    const bots = new Set<string>()
    for (const [entrant, why] of prepared.refused) {
      const name = names[entrant] ?? ''
      bots.add(needOfBot(name))
      await this.board.refuse(run, card.id, name, why)
    }
    this.opened.set(run, { prepared, bots, used: performance.now() })
  }

  /** Ends a run's bots here; what they wrote to their standard error is kept for it. */
  private async closeOne(run: string): Promise<void> {
    const one = this.opened.get(run)
    this.opened.delete(run)
    if (one === undefined) return
    const { id } = this.own.card
    await this.board.write(run, id, await one.prepared.pool.close())
    await this.board.setPlace(run, id, false)
  }
}
