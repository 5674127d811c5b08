import {
  type GameKit,
  type MatchRecord,
  type Options,
  type Pairing,
  type Result,
  type Round,
  type Tournament,
  matchLuck,
  wiresOf,
} from '../core/index.js'
import { type Fixture, playMatch } from '../match/index.js'
import type { Journal, Kept, Snapshot } from '../store/index.js'
import { type Bot, livesOn } from '../wires/index.js'
import { catchUp, wasStopped } from './catch-up.js'
import { type Entrant, Stable } from './entrant.js'
import { Queue, type Unit, entrantsOf, unitsOf } from './schedule.js'

/** A tournament that is to be played, or gone on with. */
export interface TournamentRun {
  readonly kit: GameKit
  readonly options: Options
  readonly tournament: Tournament
  /** In the contest's order: pairings tell entrants by their index. */
  readonly entrants: readonly Entrant[]
  /** By entrant: the number that the historic wires show. */
  readonly ids: readonly number[]
  readonly seed: string
  /** Milliseconds by name, and `output` in bytes. */
  readonly limits: Readonly<Record<string, number>>
  /** Units (matches, or series of bots that remember) played at the same time, at most. */
  readonly jobs: number
  readonly journal: Journal
  /** A folder of this run's own for the bots' rooms. */
  readonly rooms: string
  /** Ends the run: matches that are under way are given up, all that has ended is kept. */
  readonly signal: AbortSignal
  on(event: RunEvent): void
}

export type RunEvent =
  | { readonly type: 'round'; readonly round: Round; readonly total: number }
  | { readonly type: 'match'; readonly record: MatchRecord; readonly result: Result; readonly reused: boolean }
  | { readonly type: 'note'; readonly text: string }

export interface RunResult {
  /** By the pairing's key. */
  readonly results: ReadonlyMap<string, Result>
  /** The units in the schedule's order; the journal holds their records. */
  readonly units: readonly string[]
  readonly played: number
  readonly reused: number
  /** False where the signal ended it. */
  readonly finished: boolean
  /** The end of what each entrant wrote to its standard error. */
  readonly stderr: ReadonlyMap<string, string>
}

/** A match that fails for agon's own reasons is void and played again, this often in all. */
const ATTEMPTS = 3

/** The run was ended while this was being played. */
class Stopped extends Error {}

/** Plays what is missing of a tournament. Rejects only where agon itself fails again and again. */
export async function runTournament(run: TournamentRun): Promise<RunResult> {
  return new Runner(run).play()
}

class Runner {
  private readonly results = new Map<string, Result>()
  private readonly order: string[] = []
  private readonly stable: Stable
  /** Bots that live through the tournament, by entrant, once they have been seated. */
  private readonly living = new Map<number, Bot>()
  /** Bots that remember nothing of other matches, free to be seated. */
  private readonly free = new Map<number, Bot[]>()
  /** The units of an entrant that lives through the tournament, in the order it played them. */
  private readonly lived = new Map<number, string[]>()
  /** By entrant what it held on disk when its process was last stopped for trouble. */
  private readonly starts = new Map<number, Snapshot>()
  /** Ends what is being played, for each match that is. */
  private readonly stops = new Set<() => void>()
  private stopped = false
  private played = 0
  private reused = 0

  constructor(private readonly run: TournamentRun) {
    this.stable = new Stable({
      seed: run.seed,
      wires: wiresOf(run.kit, run.options),
      rooms: run.rooms,
      limits: run.limits,
      note: (text) => run.on({ type: 'note', text }),
    })
  }

  async play(): Promise<RunResult> {
    const { run, results } = this
    const stop = () => this.stopAll()
    if (run.signal.aborted) stop()
    run.signal.addEventListener('abort', stop)
    let finished = false
    try {
      while (!this.stopped && !finished) {
        const round = run.tournament.next(results)
        if (round === undefined) finished = true
        else {
          run.on({ type: 'round', round, total: run.tournament.total(results) })
          await this.playRound(round)
        }
      }
    } finally {
      run.signal.removeEventListener('abort', stop)
      const bots = [...this.living.values(), ...[...this.free.values()].flat()]
      await Promise.all(bots.map((bot) => bot.close()))
    }
    const stderr = new Map(run.entrants.map(({ name }) => [name, this.stable.stderr(name)]))
    return { results, units: this.order, played: this.played, reused: this.reused, finished, stderr }
  }

  private stopAll(): void {
    this.stopped = true
    for (const stop of this.stops) stop()
  }

  /** Plays what is missing of a round. What fails ends the rest, and is thrown once nothing is played any more. */
  private async playRound(round: Round): Promise<void> {
    const { run } = this
    const units = unitsOf(round, (entrant) => livesOn(this.entrant(entrant).memory))
    this.order.push(...units.map((unit) => unit.key))
    const missing = units.filter((unit) => !run.journal.has(unit.key))
    for (const unit of units) if (run.journal.has(unit.key)) this.reuse(unit)
    const queue = new Queue(missing, (entrant) => this.lives(entrant))
    const failures: unknown[] = []
    await new Promise<void>((done) => {
      let playing = 0
      const fill = () => {
        while (playing < run.jobs && !this.stopped) {
          const unit = queue.take()
          if (unit === undefined) break
          playing++
          void this.playUnit(unit)
            .then(() => queue.done(unit))
            .catch((error: unknown) => {
              if (!(error instanceof Stopped)) failures.push(error)
              this.stopAll()
            })
            .then(() => {
              playing--
              fill()
            })
        }
        if (playing === 0) done()
      }
      fill()
    })
    if (failures.length > 0) throw failures[0]
  }

  private reuse(unit: Unit): void {
    const records = this.run.journal.read(unit.key)
    for (const [i, pairing] of unit.pairings.entries()) this.count(pairing, records[i] as MatchRecord, true)
    this.reused += records.length
    this.remember(unit)
  }

  private count(pairing: Pairing, record: MatchRecord, reused: boolean): void {
    const result = { key: pairing.key, seats: pairing.seats, outcome: record.outcome }
    this.results.set(pairing.key, result)
    this.run.on({ type: 'match', record, result, reused })
  }

  private remember(unit: Unit): void {
    for (const entrant of entrantsOf(unit)) {
      if (!this.lives(entrant)) continue
      const lived = this.lived.get(entrant) ?? []
      lived.push(unit.key)
      this.lived.set(entrant, lived)
    }
  }

  private async playUnit(unit: Unit): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const bots = new Map<number, Bot>()
      try {
        const records = await this.tryUnit(unit, bots)
        for (const [i, pairing] of unit.pairings.entries()) this.count(pairing, records[i] as MatchRecord, false)
        this.played += records.length
        this.remember(unit)
        for (const [entrant, bot] of bots) await this.leave(entrant, bot)
        return
      } catch (error) {
        // A bot that was in the middle of a match knows what has not happened: its life is begun again where it was last kept.
        for (const entrant of bots.keys()) this.living.delete(entrant)
        await Promise.all([...bots.values()].map((bot) => bot.close()))
        // What is in the journal has happened, whatever went wrong afterwards.
        if (error instanceof Stopped || attempt === ATTEMPTS || this.run.journal.has(unit.key)) throw error
        const why = error instanceof Error ? error.message : String(error)
        this.run.on({ type: 'note', text: `${unit.key}: void, played again: ${why}` })
      }
    }
  }

  /** Plays a unit and commits it. The bots that were seated are put into `bots`. */
  private async tryUnit(unit: Unit, bots: Map<number, Bot>): Promise<readonly MatchRecord[]> {
    for (const entrant of entrantsOf(unit)) await this.unlessStopped(this.seat(entrant, unit.key, bots))
    const records: MatchRecord[] = []
    const starts = new Map<number, Snapshot>()
    for (const pairing of unit.pairings) {
      const players = pairing.seats.map((entrant) => bots.get(entrant) as Bot)
      const setting = { fixture: this.fixture(pairing), kit: this.run.kit, players, limits: this.run.limits }
      const record = await this.unlessStopped(playMatch(setting))
      records.push(record)
      for (const [entrant, bot] of bots) {
        if (!this.lives(entrant) || !wasStopped(this.run.kit, record, this.entrant(entrant).name)) continue
        const start = bot.snapshot()
        if (start !== undefined) starts.set(entrant, start)
      }
    }
    const kept: Record<string, Kept> = {}
    for (const [entrant, bot] of bots) {
      const now = this.lives(entrant) ? bot.snapshot() : undefined
      const start = starts.get(entrant) ?? this.starts.get(entrant)
      if (now !== undefined) kept[this.entrant(entrant).name] = { now, ...(start !== undefined && { start }) }
    }
    this.run.journal.commit(unit.key, records, kept)
    for (const [entrant, start] of starts) this.starts.set(entrant, start)
    return records
  }

  /** Waits for that, unless the run is ended before: what then becomes of it is nobody's concern. */
  private async unlessStopped<T>(work: Promise<T>): Promise<T> {
    let stop: (() => void) | undefined
    try {
      return await new Promise<T>((done, failed) => {
        stop = () => failed(new Stopped())
        this.stops.add(stop)
        work.then(done, failed)
        if (this.stopped) stop()
      })
    } finally {
      if (stop) this.stops.delete(stop)
    }
  }

  private fixture(pairing: Pairing): Fixture {
    const { run } = this
    const names = pairing.seats.map((entrant) => this.entrant(entrant).name)
    return {
      agon: 1,
      key: pairing.key,
      game: run.kit.game.id,
      version: run.kit.game.version,
      options: run.options,
      luck: matchLuck(run.seed, run.kit.game.id, names, pairing.deal),
      field: run.entrants.length,
      seats: pairing.seats.map((entrant) => ({
        entrant: this.entrant(entrant).name,
        wire: this.entrant(entrant).wire,
        id: run.ids[entrant] as number,
      })),
    }
  }

  /** Seats a bot for an entrant: the one that lives, a free one, or a new one, brought to where its life was left. */
  private async seat(entrant: number, unit: string, bots: Map<number, Bot>): Promise<void> {
    const who = this.entrant(entrant)
    const alive = this.living.get(entrant) ?? this.free.get(entrant)?.pop()
    const bot = alive ?? this.stable.bot(who, this.lives(entrant) ? 'tournament' : unit)
    bots.set(entrant, bot)
    if (alive !== undefined || !this.lives(entrant)) return
    this.living.set(entrant, bot)
    await this.resume(entrant, bot)
  }

  private async resume(entrant: number, bot: Bot): Promise<void> {
    const { run } = this
    const { name, wire } = this.entrant(entrant)
    const lived = this.lived.get(entrant) ?? []
    if (lived.length === 0) return
    const kept = run.journal.kept(name)
    if (kept?.start !== undefined) this.starts.set(entrant, kept.start)
    if (wiresOf(run.kit, run.options)[wire]?.transport === 'turn') {
      if (kept !== undefined) bot.restore(kept.now)
      return
    }
    // Its process lives through its conversation again, from the disk that it began with.
    if (kept?.start !== undefined) bot.restore(kept.start)
    const records = lived
      .flatMap((unit) => run.journal.read(unit))
      .filter((record) => record.seats.some((seat) => seat.entrant === name))
    const differs = await catchUp(bot, name, run.kit, records)
    if (kept !== undefined) bot.amend(kept.now)
    if (differs !== undefined) {
      run.on({
        type: 'note',
        text: `${name}: answered otherwise when its conversation was repeated (${differs}): it is not deterministic`,
      })
    }
  }

  private async leave(entrant: number, bot: Bot): Promise<void> {
    const { memory } = this.entrant(entrant)
    if (memory === 'series') await bot.close()
    else if (memory !== 'tournament') this.free.set(entrant, [...(this.free.get(entrant) ?? []), bot])
  }

  private lives(entrant: number): boolean {
    return this.entrant(entrant).memory === 'tournament'
  }

  private entrant(index: number): Entrant {
    return this.run.entrants[index] as Entrant
  }
}
