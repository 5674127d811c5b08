import { type MatchRecord, type Seat, faultOf, wiresOf } from '../core/index.js'
import { CLOSED, type SeatedBot } from '../bots/index.js'
import { judgeContext, outputIn, replayAsSeat, unreadyOf, wireAt } from '../match/index.js'
import type { JobStore, KeptFiles, LeaseStore, Snapshot } from '../store/index.js'
import type { Arena } from './arena.js'
import type { PlayableRun, SeatableEntrant } from './entrant.js'
import { longJobWatch } from './under-way.js'
import type { Recorder } from './recorder.js'
import { entrantsOf } from './schedule.js'
import type { Stopping } from './stopping.js'
import type { JobRequest } from './worker-pool.js'

/** Milliseconds between two looks whether another process has ended. */
const LOOK_MS = 500

export interface SeatedJob {
  readonly bots: Map<number, SeatedBot>
  /** What those whose processes were stopped in it held on disk. */
  readonly starts: Map<number, Snapshot>
}

interface LivesSetting {
  readonly store: Pick<JobStore, 'kept' | 'read'> & LeaseStore
  readonly arena: Arena
  readonly recorder: Pick<Recorder, 'flush'>
  readonly stopping: Stopping
  readonly note: (text: string) => void
}

/**
 * The bots that live through the tournament, each one life whichever process plays it: after an interruption its folder is
 * restored from the store, and a process that stays is sent its conversation again. Each plays one job at a time.
 */
export class LongLivedBots {
  /** This process holds the tournament's lease: it alone plays them. */
  isLeased = false
  /** By entrant, once it has been seated. */
  private readonly alive = new Map<number, SeatedBot>()
  /** The jobs of an entrant, in the order it played them. */
  private readonly lived = new Map<number, string[]>()
  /** What an entrant held on disk when its process was last stopped for trouble. */
  private readonly starts = new Map<number, Snapshot>()

  constructor(
    private readonly run: PlayableRun,
    private readonly own: LivesSetting,
  ) {}

  has(entrant: number): boolean {
    return this.entrant(entrant).memory === 'tournament'
  }

  /** Waits until no other process holds the tournament's lease, or the run is ended. */
  async lease(): Promise<void> {
    const { store, stopping, note } = this.own
    for (let noted = false; !stopping.stopped; noted = true) {
      const owner = await store.acquireLease(this.run.tournament)
      this.isLeased = owner === undefined
      if (owner === undefined) return
      if (!noted) note(`another agon (process ${owner}) plays this tournament: waiting for it`)
      await new Promise((done) => setTimeout(done, LOOK_MS))
    }
  }

  /** Those of these entrants that live through the tournament have lived through a job. */
  through(entrants: readonly number[], key: string): void {
    for (const entrant of entrants.filter((one) => this.has(one))) {
      const lived = this.lived.get(entrant) ?? []
      lived.push(key)
      this.lived.set(entrant, lived)
    }
  }

  async play({ job, disturbed }: JobRequest, { bots, starts }: SeatedJob): Promise<readonly MatchRecord[]> {
    const { arena, stopping, note } = this.own
    for (const entrant of entrantsOf(job)) {
      const alive = this.alive.get(entrant)
      if (alive === undefined) await stopping.unless(this.seat(entrant, job.key, bots))
      else bots.set(entrant, alive)
    }
    const records: MatchRecord[] = []
    const played = longJobWatch(job, note)
    for (const pairing of job.pairings) {
      const record = await stopping.unless(arena.match(pairing, bots, disturbed))
      records.push(record)
      played(records.length)
      if (isAnyTroubled(record)) await this.keepStarts(record, bots, starts)
    }
    return records
  }

  /** A played job frees the bots that do not live through the tournament. */
  async leave({ bots }: SeatedJob): Promise<void> {
    for (const [entrant, bot] of bots) if (!this.has(entrant)) await this.own.arena.leave(entrant, bot)
  }

  /** A job was given up within a match that then never happened: its bots begin again where they were last kept. */
  async giveUp({ bots }: SeatedJob): Promise<void> {
    for (const entrant of bots.keys()) this.alive.delete(entrant)
    await Promise.all([...bots.values()].map((bot) => bot.close()))
  }

  async keep({ bots, starts }: SeatedJob): Promise<Readonly<Record<string, KeptFiles>>> {
    const kept: Record<string, KeptFiles> = {}
    for (const [entrant, start] of starts) this.starts.set(entrant, start)
    for (const [entrant, bot] of bots) {
      const now = this.has(entrant) ? await bot.snapshot?.() : undefined
      if (now !== undefined) kept[this.entrant(entrant).name] = { now, start: this.starts.get(entrant) }
    }
    return kept
  }

  async close(): Promise<void> {
    await Promise.all([...this.alive.values()].map((bot) => bot.close()))
  }

  /** Seats a bot of an entrant that has none alive: a free one, or a new one, restored. */
  private async seat(entrant: number, job: string, bots: SeatedJob['bots']): Promise<void> {
    const lasts = this.has(entrant)
    const bot = this.own.arena.bot(entrant, lasts ? 'tournament' : job)
    bots.set(entrant, bot)
    if (!lasts) return
    // Its matches so far are read from the store.
    await this.own.recorder.flush()
    this.alive.set(entrant, bot)
    await this.restore(entrant, bot)
  }

  /** Brings a new bot to where its entrant's life was left, if it has begun. */
  private async restore(entrant: number, bot: SeatedBot): Promise<void> {
    const { store, note } = this.own
    const { definition, contest, tournament } = this.run
    const { name, wire } = this.entrant(entrant)
    const lived = this.lived.get(entrant) ?? []
    if (lived.length === 0) return
    const kept = await store.kept(tournament, name)
    if (kept?.start !== undefined) this.starts.set(entrant, kept.start)
    if (wiresOf(definition, contest.options)[wire]?.transport === 'turn') {
      if (kept !== undefined) await bot.restore?.(kept.now)
      return
    }
    // Its process relives its conversation, from the disk that it began with.
    if (kept?.start !== undefined) await bot.restore?.(kept.start)
    const records: MatchRecord[] = []
    for (const job of lived)
      for (const { record } of (await store.read([job])).get(job) ?? [])
        if (record.seats.some((seat) => seat.entrant === name)) records.push(record)
    const differs = await replayHistory(bot, name, this.run, records)
    if (kept !== undefined) await bot.amend?.(kept.now)
    if (differs !== undefined)
      note(`${name}: answered otherwise when its conversation was repeated (${differs}): it is not deterministic`)
  }

  /** Puts into `starts` what each held after a match in which its process was stopped. */
  private async keepStarts(
    record: MatchRecord,
    bots: ReadonlyMap<number, SeatedBot>,
    starts: Map<number, Snapshot>,
  ): Promise<void> {
    for (const [entrant, bot] of bots) {
      if (!this.has(entrant) || !wasStopped(this.run, record, this.entrant(entrant).name)) continue
      const start = await bot.snapshot?.()
      if (start !== undefined) starts.set(entrant, start)
    }
  }

  private entrant(index: number): SeatableEntrant {
    return this.run.entrants[index] as SeatableEntrant
  }
}

type HistoryOf = Pick<PlayableRun, 'definition'> & { readonly contest: Pick<PlayableRun['contest'], 'limits'> }

/** Milliseconds for an answer once given in time: no deadline for a bot that repeats it, an end for one that does not. */
const PATIENCE = 60_000

/**
 * Brings a fresh process to where the one before was, by sending it again all that was sent since its start. `records`: the
 * bot's matches so far, in order. Returns the key of the first match in which it answered otherwise, if any: the bot is not
 * deterministic.
 */
export async function replayHistory(
  bot: SeatedBot,
  name: string,
  of: HistoryOf,
  records: readonly MatchRecord[],
): Promise<string | undefined> {
  const began = records.findLastIndex((record) => wasStopped(of, record, name)) + 1
  let differs: string | undefined
  for (const record of records.slice(began)) {
    if (!(await isSameAgain(bot, name, of, record))) differs ??= record.key ?? ''
  }
  return differs
}

/** Whether any bot's process may have been ended in a match. */
const isAnyTroubled = ({ ready, steps }: MatchRecord): boolean =>
  ready.length > 0 ||
  steps.some((step) => step.some(([, output]) => typeof output !== 'string' && output.trouble !== undefined))

/** Whether a bot's process was ended in a match, to be restarted for its next. A module is never stopped. */
export function wasStopped({ definition, contest }: HistoryOf, record: MatchRecord, name: string): boolean {
  let forgiven = contest.limits['late'] ?? 0
  const context = judgeContext(definition, record)
  const seat = seatOf(record, name)
  if (wireAt(context, seat).transport === 'module') return false
  if (unreadyOf(context, record.ready).has(seat)) return true
  return record.steps.some((step) => {
    const trouble = outputIn(step, seat)?.trouble
    return trouble !== undefined && !(trouble === 'timeout' && forgiven-- > 0)
  })
}

/** Leads a bot through a match again. Returns whether all its answers were the same. */
async function isSameAgain(
  bot: SeatedBot,
  name: string,
  { definition, contest }: HistoryOf,
  record: MatchRecord,
): Promise<boolean> {
  const replaying = { definition, record, seat: seatOf(record, name), limits: contest.limits, limit: PATIENCE }
  let same = true
  for await (const { output, recorded } of replayAsSeat(bot, replaying)) {
    // A late answer then gets the time that it needs now.
    const wasLate = recorded?.trouble !== undefined && faultOf(recorded.trouble).byClock
    // The run was ended: no answers of the bot's.
    if (output === CLOSED || wasLate) continue
    same &&= output.out === recorded?.out && output.trouble === recorded?.trouble
  }
  return same
}

const seatOf = (record: MatchRecord, name: string): Seat => record.seats.findIndex(({ entrant }) => entrant === name)
