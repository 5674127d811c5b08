import { spelled } from '../../core/index.js'
import { type Store, isOnServer } from '../../store/index.js'
import { Board, SILENT_S } from '../../workers/queue/board.js'
import type { Lane, WorkerSeen } from '../../workers/queue/board-rows.js'
import { flagOf } from '../flag.js'
import { needOfOther } from '../../workers/queue/messages.js'
import { lackOf } from '../../workers/queue/unplayable.js'

/** Milliseconds between two looks. */
const LOOK_MS = 2000
/** Milliseconds until it is said that a run waits: workers come and go. */
const PATIENCE_MS = 4000

/** A run that waits for a worker. */
interface Waiting {
  readonly why: string
  /** Milliseconds since 1970. */
  readonly since: number
  isSaid: boolean
}

/**
 * Who plays for the runs on a server, and which of these no worker can play: a look every few seconds, whichever process runs them. Of a store in a
 * file nothing is known. To be closed.
 */
export class SiteWorkers {
  private readonly waiting = new Map<string, Waiting>()
  private timer: NodeJS.Timeout | undefined
  private looking: Promise<void> = Promise.resolve()

  constructor(
    private readonly store: Store,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** `on`: called with a run that begins to wait, with why, or waits no more. */
  open(on: (run: string, why?: string) => Promise<void>): void {
    if (!isOnServer(this.store)) return
    this.timer = setInterval(() => {
      // A server that is lost is asked again.
      this.looking = this.look(on).catch(() => undefined)
    }, LOOK_MS)
    this.timer.unref()
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.looking
  }

  /** The workers on the server, as `agon workers` lists them; undefined: the store is a file. */
  async workers(): Promise<readonly WorkerSeen[] | undefined> {
    const { store } = this
    return isOnServer(store) ? store.transaction((tx) => new Board(tx).workers()) : undefined
  }

  /** Why no worker plays what is left of a run; undefined: a worker does, or nothing is left. */
  waits(run: string): string | undefined {
    const waiting = this.waiting.get(run)
    return waiting?.isSaid === true ? waiting.why : undefined
  }

  /** Reads the workers, and the lanes that wait for them. */
  async look(on: (run: string, why?: string) => Promise<void>): Promise<void> {
    const lacking = await this.lacking()
    for (const [run, { isSaid }] of this.waiting) {
      if (lacking.has(run)) continue
      this.waiting.delete(run)
      if (isSaid) await on(run)
    }
    const now = this.now()
    for (const [run, why] of lacking) {
      const before = this.waiting.get(run)
      const waiting = before?.why === why ? before : { why, since: before?.since ?? now, isSaid: false }
      this.waiting.set(run, waiting)
      if (waiting.isSaid || now - waiting.since < PATIENCE_MS) continue
      waiting.isSaid = true
      await on(run, why)
    }
  }

  /** By run: why no worker can play what waits of it. */
  private async lacking(): Promise<ReadonlyMap<string, string>> {
    const { store } = this
    if (!isOnServer(store)) return new Map()
    return store.transaction(async (tx) => {
      const board = new Board(tx)
      const lacking = new Map<string, string>()
      if (!(await board.isPosted())) return lacking
      const lanes = (await board.lanes()).filter(isWaiting)
      if (lanes.length === 0) return lacking
      for (const run of new Set(lanes.map((lane) => lane.run))) {
        const there = (await board.workers(run)).filter(({ silent, aside }) => silent < SILENT_S && aside === undefined)
        const refusals = await board.refusals(run)
        const names = refusals.length === 0 ? [] : ((await store.run(run))?.plan.names ?? [])
        for (const { needs } of lanes.filter((lane) => lane.run === run)) {
          const why = lackOf(needs, { names, labels: [] }, there, refusals)
          // Workers are started on a terminal: so the page writes what is to be typed there.
          if (why !== undefined && !lacking.has(run)) lacking.set(run, spelled(why, flagOf))
        }
      }
      return lacking
    })
  }
}

/** Whether a lane has jobs that must be played. Jobs that are played again, to compare workers, need not be. */
const isWaiting = ({ ready, paused, ended, needs }: Lane): boolean =>
  ready && !paused && !ended && !needs.some((need) => need.startsWith(needOfOther('')))
