import { type MatchRecord, wiresOf } from '../core/index.js'
import type { JobStore, KeptFiles, Snapshot } from '../store/index.js'
import type { SeatedBot } from '../bots/index.js'
import type { PlayableRun, SeatableEntrant } from './entrant.js'
import { replayHistory, wasStopped } from './replay-history.js'

/**
 * The bots that live through a tournament. Each is one life, whichever process plays it: after an interruption its folder is as
 * the store kept it, and a process that stays is sent its conversation again.
 */
export class Checkpoints {
  /** By entrant, once it has been seated. */
  private readonly alive = new Map<number, SeatedBot>()
  /** The jobs of an entrant, in the order it played them. */
  private readonly lived = new Map<number, string[]>()
  /** By entrant what it held on disk when its process was last stopped for trouble. */
  private readonly starts = new Map<number, Snapshot>()

  constructor(
    private readonly run: Pick<PlayableRun, 'definition' | 'contest' | 'tournament' | 'entrants'>,
    private readonly store: Pick<JobStore, 'kept' | 'read'>,
    private readonly note: (text: string) => void,
  ) {}

  /** Whether an entrant lives through the tournament. */
  has(entrant: number): boolean {
    return this.entrant(entrant).memory === 'tournament'
  }

  /** Those of these entrants that live through the tournament have lived through a job. */
  through(entrants: readonly number[], key: string): void {
    for (const entrant of entrants) {
      if (!this.has(entrant)) continue
      const lived = this.lived.get(entrant) ?? []
      lived.push(key)
      this.lived.set(entrant, lived)
    }
  }

  /** The bot of an entrant that is alive, if one is. */
  bot(entrant: number): SeatedBot | undefined {
    return this.alive.get(entrant)
  }

  /** Begins an entrant's life in a new bot, or brings it to where its life was left. */
  async begin(entrant: number, bot: SeatedBot): Promise<void> {
    this.alive.set(entrant, bot)
    const { store } = this
    const { definition, contest, tournament } = this.run
    const { name, wire } = this.entrant(entrant)
    const lived = this.lived.get(entrant) ?? []
    if (lived.length === 0) return
    const kept = await store.kept(tournament, name)
    if (kept?.start !== undefined) this.starts.set(entrant, kept.start)
    if (wiresOf(definition, contest.options)[wire]?.transport === 'turn') {
      if (kept !== undefined) await bot.restore(kept.now)
      return
    }
    // Its process lives through its conversation again, from the disk that it began with.
    if (kept?.start !== undefined) await bot.restore(kept.start)
    const records: MatchRecord[] = []
    for (const job of lived) {
      for (const { record } of (await store.read([job])).get(job) ?? [])
        if (record.seats.some((seat) => seat.entrant === name)) records.push(record)
    }
    const differs = await replayHistory(bot, name, this.run, records)
    if (kept !== undefined) await bot.amend(kept.now)
    if (differs !== undefined)
      this.note(`${name}: answered otherwise when its conversation was repeated (${differs}): it is not deterministic`)
  }

  /** A bot was in the middle of a match that has not happened: its life is begun again where it was last kept. */
  forget(entrant: number): void {
    this.alive.delete(entrant)
  }

  /** Puts into `starts` what each of these held after a match in which its process was stopped. */
  async look(record: MatchRecord, bots: ReadonlyMap<number, SeatedBot>, starts: Map<number, Snapshot>): Promise<void> {
    for (const [entrant, bot] of bots) {
      if (!this.has(entrant) || !wasStopped(this.run, record, this.entrant(entrant).name)) continue
      const start = await bot.snapshot()
      if (start !== undefined) starts.set(entrant, start)
    }
  }

  /** What is to be kept of these bots after a job, by the entrants' names. */
  async keep(
    bots: ReadonlyMap<number, SeatedBot>,
    starts: ReadonlyMap<number, Snapshot>,
  ): Promise<Readonly<Record<string, KeptFiles>>> {
    const kept: Record<string, KeptFiles> = {}
    const take = (entrant: number, now: Snapshot | undefined): void => {
      const start = starts.get(entrant) ?? this.starts.get(entrant)
      if (now !== undefined) kept[this.entrant(entrant).name] = { now, start }
    }
    let waiting: Promise<void>[] | undefined
    for (const [entrant, bot] of bots) {
      const now = this.has(entrant) ? bot.snapshot() : undefined
      if (now instanceof Promise) (waiting ??= []).push(now.then((later) => take(entrant, later)))
      else take(entrant, now)
    }
    if (waiting !== undefined) await Promise.all(waiting)
    return kept
  }

  /** The job in which these were stopped is stored. */
  stopped(starts: ReadonlyMap<number, Snapshot>): void {
    for (const [entrant, start] of starts) this.starts.set(entrant, start)
  }

  async close(): Promise<void> {
    await Promise.all([...this.alive.values()].map((bot) => bot.close()))
  }

  private entrant(index: number): SeatableEntrant {
    return this.run.entrants[index] as SeatableEntrant
  }
}
