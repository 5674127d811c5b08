import {
  BusyError,
  type MatchRecord,
  type Pairing,
  type Result,
  type Round,
  type Tournament,
  UserError,
} from '../core/index.js'
import { STDERR_KEPT } from '../sandbox/index.js'
import { courseOf, judge } from '../match/index.js'
import type { CheckpointStore, Judged, LeaseStore, LogStore, MatchStore, Snapshot } from '../store/index.js'
import { isPlayoff } from '../tournament/index.js'
import { type Bot, livesOn } from '../bots/index.js'
import { Arena, type ArenaSetup, Disturbed } from './arena.js'
import type { Entrant } from './entrant.js'
import { type Crew, Hiring } from './hiring.js'
import { type Setup, keyOf } from './identity.js'
import { Lives } from './lives.js'
import { Patience, type PatienceSetting, inSeconds } from './patience.js'
import { Queue, type Unit, entrantsOf, unitsOf } from './schedule.js'

/** A tournament that is to be played, or gone on with. */
export interface TournamentRun extends Setup, ArenaSetup {
  readonly schedule: Tournament
  /** Units (matches, or series of bots that remember) played at the same time, at most. */
  readonly jobs: number
  readonly store: MatchStore & CheckpointStore & LeaseStore & LogStore
  /** The run's id in the store, which has it already. */
  readonly id: string
  /**
   * Others who play units, in threads of their own; asked for where the run takes longer than a moment and none of its bots lives
   * through the tournament. Absent: all is played in this thread.
   */
  readonly hire?: () => Promise<Crew>
  /** Ends the run: matches that are under way are given up, all that has ended is kept. */
  readonly signal: AbortSignal
  /** Whether an entrant is still in; asked before each unit. Absent: all are. */
  sits?(entrant: number): boolean
  /** How long a unit waits for a machine that is too busy; absent: half an hour. */
  readonly patience?: PatienceSetting
  /** Awaited before each round and unit: the run is paused for as long as it takes. */
  gate?(): Promise<void>
  on(event: RunEvent): void
}

export type RunEvent =
  | { readonly type: 'round'; readonly round: Round; readonly total: number }
  | { readonly type: 'match'; readonly match: Judged; readonly result: Result; readonly reused: boolean }
  | { readonly type: 'note'; readonly text: string }

export interface RunResult {
  /** By the pairing's key. */
  readonly results: ReadonlyMap<string, Result>
  /** Keys of the units that were played, in the schedule's order; the store holds their records. */
  readonly units: readonly string[]
  readonly played: number
  readonly reused: number
  /** False where the signal ended it. */
  readonly finished: boolean
  /** The end of what each entrant wrote to its standard error. */
  readonly stderr: ReadonlyMap<string, string>
}

/** Milliseconds between two looks whether another process has ended. */
const CLAIM_MS = 500

/** A match that fails for agon's own reasons is void and played again, this often in all. */
const ATTEMPTS = 3

/** The run was ended while this was being played. */
class Stopped extends Error {}

/** Plays what is missing of a tournament. Rejects only where agon itself fails again and again, or with a BusyError. */
export async function runTournament(run: TournamentRun): Promise<RunResult> {
  return new Runner(run).play()
}

class Runner {
  private readonly results = new Map<string, Result>()
  private readonly order = new Set<string>()
  /** The store's key of a unit. */
  private readonly keys = new Map<Unit, string>()
  /** Keys of the units that count. */
  private readonly done = new Set<string>()
  private readonly arena: Arena
  private readonly hiring: Hiring
  private readonly lives: Lives
  /** Ends what is being played, for each match that is. */
  private readonly stops = new Set<() => void>()
  private stopped = false
  /** This process alone plays the bots that live through the tournament. */
  private claimed = false
  /** What this run held at its beginning, rulings applied. */
  private ruled: ReadonlyMap<string, Result> = new Map()
  private played = 0
  private reused = 0
  /** Matches of the whole tournament, as far as it is known. */
  private total = 0

  constructor(private readonly run: TournamentRun) {
    const note = (text: string): void => run.on({ type: 'note', text })
    this.arena = new Arena(run, note)
    this.lives = new Lives(run, note)
    // What lives through the tournament lives in this thread.
    const living = run.entrants.some((_, entrant) => this.lives.has(entrant))
    this.hiring = new Hiring(living ? undefined : run.hire, () => this.arena.rest(), note)
  }

  async play(): Promise<RunResult> {
    const { run, results } = this
    const stop = () => this.stopAll()
    if (run.signal.aborted) stop()
    run.signal.addEventListener('abort', stop)
    this.ruled = await run.store.results(run.id)
    let finished = false
    let told: ReadonlyMap<string, string> = new Map()
    try {
      while (!this.stopped && !finished) {
        if (!(await this.passes())) break
        const round = run.schedule.next(results)
        if (round === undefined) finished = true
        else {
          this.total = run.schedule.total(results)
          run.on({ type: 'round', round, total: this.total })
          await this.playRound(round)
        }
      }
    } finally {
      run.signal.removeEventListener('abort', stop)
      told = await this.hiring.close()
      await Promise.all([this.arena.close(), this.lives.close()])
    }
    const stderr = new Map(
      run.entrants.map(({ name }) => [name, `${this.arena.stderr(name)}${told.get(name) ?? ''}`.slice(-STDERR_KEPT)]),
    )
    const units = [...this.order].filter((key) => this.done.has(key))
    return { results, units, played: this.played, reused: this.reused, finished, stderr }
  }

  /** Waits at the gate. False: the run was ended meanwhile. */
  private async passes(): Promise<boolean> {
    try {
      if (this.run.gate) await this.unlessStopped(this.run.gate())
      return true
    } catch (error) {
      if (error instanceof Stopped) return false
      throw error
    }
  }

  private stopAll(): void {
    this.stopped = true
    for (const stop of this.stops) stop()
  }

  /** Plays what is missing of a round. What fails ends the rest, and is thrown once nothing is played any more. */
  private async playRound(round: Round): Promise<void> {
    const units = unitsOf(round, (entrant) => livesOn(this.entrant(entrant).memory))
    for (const unit of units) this.keys.set(unit, keyOf(this.run, unit))
    for (const unit of units) this.order.add(this.key(unit))
    const queue = new Queue(await this.missing(units), (entrant) => this.lives.has(entrant))
    const failures: unknown[] = []
    await new Promise<void>((done) => {
      let playing = 0
      const fill = () => {
        while (playing < this.run.jobs && !this.stopped) {
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

  /** Takes what the store has of these units; returns the others. */
  private async missing(units: readonly Unit[]): Promise<Unit[]> {
    const there = await this.run.store.adopt(
      this.run.id,
      units.map((unit) => this.key(unit)),
    )
    const missing: Unit[] = []
    for (const unit of units) {
      if (this.done.has(this.key(unit))) continue
      if (there.has(this.key(unit))) await this.reuse(unit)
      else missing.push(unit)
    }
    const living = missing.some((unit) => entrantsOf(unit).some((entrant) => this.lives.has(entrant)))
    if (!living || this.claimed) return missing
    await this.claim()
    return this.missing(missing)
  }

  /** Waits until no other process plays the bots that live through this tournament: what they remember is one life. */
  private async claim(): Promise<void> {
    for (let told = false; !this.stopped; told = true) {
      const owner = await this.run.store.acquireLease(this.run.tournament)
      this.claimed = owner === undefined
      if (owner === undefined) return
      if (!told)
        this.run.on({ type: 'note', text: `another agon (process ${owner}) plays this tournament: waiting for it` })
      await new Promise((done) => setTimeout(done, CLAIM_MS))
    }
  }

  /** Takes a unit from the store. A ruling of this run goes before what its record says. */
  private async reuse(unit: Unit): Promise<void> {
    const matches = await this.run.store.read(this.key(unit))
    this.count(unit, matches, true)
  }

  private count(unit: Unit, matches: readonly Judged[], reused: boolean): void {
    this.done.add(this.key(unit))
    if (reused) this.reused += matches.length
    else this.played += matches.length
    for (const entrant of entrantsOf(unit)) this.lives.through(entrant, this.key(unit))
    for (const [i, { key, seats }] of unit.pairings.entries()) {
      const match = matches[i] as Judged
      const outcome = (reused && this.ruled.get(key)?.outcome) || match.record.outcome
      const result = { key, seats, outcome, course: courseOf(match.record) }
      this.results.set(key, result)
      this.run.on({ type: 'match', match, result, reused })
    }
  }

  private async playUnit(unit: Unit): Promise<void> {
    const { store, id } = this.run
    const key = this.key(unit)
    const patience = new Patience(this.run.patience)
    let disturbed = 0
    for (let attempt = 1; ;) {
      const bots = new Map<number, Bot>()
      try {
        if (this.run.gate) await this.unlessStopped(this.run.gate())
        if (entrantsOf(unit).some((entrant) => this.run.sits?.(entrant) === false)) return
        // Another process may have played it since the round began.
        if (!this.claimed && (await store.has(key))) {
          await store.adopt(id, [key])
          return await this.reuse(unit)
        }
        const matches = await this.tryUnit(unit, bots, disturbed)
        if (matches === undefined) await this.reuse(unit)
        else this.count(unit, matches, false)
        for (const [entrant, bot] of bots) if (!this.lives.has(entrant)) await this.arena.leave(entrant, bot)
        return
      } catch (error) {
        for (const entrant of bots.keys()) this.lives.forget(entrant)
        await Promise.all([...bots.values()].map((bot) => bot.close()))
        // What is in the store has happened, whatever went wrong afterwards.
        if (error instanceof Stopped || error instanceof UserError || attempt === ATTEMPTS || this.done.has(key))
          throw error
        const why = error instanceof Error ? error.message : String(error)
        if (error instanceof BusyError) {
          await store.note(id, 'stalled', { match: unit.key, why })
          await this.waitForMachine(unit, patience.pause(error), why)
          continue
        }
        await store.note(id, 'void', { match: unit.key, why })
        if (error instanceof Disturbed) disturbed++
        else attempt++
        this.run.on({ type: 'note', text: `${unit.key}: void, played again: ${why}` })
      }
    }
  }

  /** A unit is void because the machine is too busy: waits a while, so that the load may fall. */
  private async waitForMachine(unit: Unit, ms: number, why: string): Promise<void> {
    this.run.on({ type: 'note', text: `${unit.key}: void: ${why}; it is played again in ${inSeconds(ms)} s` })
    let timer: NodeJS.Timeout | undefined
    try {
      await this.unlessStopped(new Promise<void>((done) => (timer = setTimeout(done, ms))))
    } finally {
      clearTimeout(timer)
    }
  }

  /** Plays a unit and stores it; undefined: another process has stored it before. The bots that were seated are put into `bots`. */
  private async tryUnit(unit: Unit, bots: Map<number, Bot>, disturbed: number): Promise<readonly Judged[] | undefined> {
    const { kit, store, id, tournament } = this.run
    const starts = new Map<number, Snapshot>()
    this.hiring.look(this.played, this.total - this.results.size)
    const { crew } = this.hiring
    const records = crew
      ? await this.unlessStopped(crew.play(unit, disturbed))
      : await this.playHere(unit, bots, disturbed, starts)
    const matches = records.map((record, i) => {
      const { key, seats } = unit.pairings[i] as Pairing
      return { record, faults: judge(kit, record).faults, seats, playoff: isPlayoff(key) }
    })
    const before = await store.record(id, [
      { key: this.key(unit), matches, kept: { tournament, by: await this.lives.keep(bots, starts) } },
    ])
    this.lives.stopped(starts)
    return before.size === 0 ? matches : undefined
  }

  /** Plays a unit in this thread. What bots that live through the tournament held when they were stopped is put into `starts`. */
  private async playHere(
    unit: Unit,
    bots: Map<number, Bot>,
    disturbed: number,
    starts: Map<number, Snapshot>,
  ): Promise<readonly MatchRecord[]> {
    for (const entrant of entrantsOf(unit)) await this.unlessStopped(this.seat(entrant, unit.key, bots))
    const records: MatchRecord[] = []
    for (const pairing of unit.pairings) {
      const record = await this.unlessStopped(this.arena.match(pairing, bots, disturbed))
      records.push(record)
      await this.lives.look(record, bots, starts)
    }
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

  /** Seats a bot for an entrant: the one that lives, a free one, or a new one, brought to where its life was left. */
  private async seat(entrant: number, unit: string, bots: Map<number, Bot>): Promise<void> {
    const alive = this.lives.bot(entrant)
    const lives = this.lives.has(entrant)
    const bot = alive ?? this.arena.bot(entrant, lives ? 'tournament' : unit)
    bots.set(entrant, bot)
    if (alive === undefined && lives) await this.lives.begin(entrant, bot)
  }

  private key(unit: Unit): string {
    return this.keys.get(unit) as string
  }

  private entrant(index: number): Entrant {
    return this.run.entrants[index] as Entrant
  }
}
