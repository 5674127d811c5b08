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
import type { Journal, Snapshot } from '../store/index.js'
import { type Bot, livesOn } from '../wires/index.js'
import { catchUp } from './catch-up.js'
import { type Entrant, Stable } from './entrant.js'
import { Queue, type Unit, unitsOf } from './schedule.js'

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
  | { readonly type: 'match'; readonly record: MatchRecord; readonly reused: boolean }
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
    let finished = false
    try {
      for (let round = run.tournament.next(results); !run.signal.aborted; round = run.tournament.next(results)) {
        if (round === undefined) {
          finished = true
          break
        }
        run.on({ type: 'round', round, total: run.tournament.total(results) })
        await this.playRound(round)
      }
    } finally {
      const bots = [...this.living.values(), ...[...this.free.values()].flat()]
      await Promise.all(bots.map((bot) => bot.close()))
    }
    const stderr = new Map(run.entrants.map(({ name }) => [name, this.stable.stderr(name)]))
    return { results, units: this.order, played: this.played, reused: this.reused, finished, stderr }
  }

  private async playRound(round: Round): Promise<void> {
    const { run } = this
    const units = unitsOf(round, (entrant) => livesOn(this.entrant(entrant).memory))
    this.order.push(...units.map((unit) => unit.key))
    for (const unit of units) if (run.journal.has(unit.key)) this.reuse(unit)
    const missing = units.filter((unit) => !run.journal.has(unit.key))
    const queue = new Queue(missing, (entrant) => this.lives(entrant))
    await new Promise<void>((done, failed) => {
      let playing = 0
      const fill = () => {
        while (playing < run.jobs && !run.signal.aborted) {
          const unit = queue.take()
          if (unit === undefined) break
          playing++
          this.playUnit(unit).then(
            () => {
              playing--
              queue.done(unit)
              fill()
            },
            (error: unknown) => (error instanceof Stopped ? ((playing -= 1), fill()) : failed(error)),
          )
        }
        if (playing === 0 && (queue.empty || run.signal.aborted)) done()
      }
      fill()
    })
  }

  private reuse(unit: Unit): void {
    const records = this.run.journal.read(unit.key)
    for (const [i, pairing] of unit.pairings.entries()) this.count(pairing, records[i] as MatchRecord, true)
    this.reused += records.length
    this.remember(unit)
  }

  private count(pairing: Pairing, record: MatchRecord, reused: boolean): void {
    this.results.set(pairing.key, { key: pairing.key, seats: pairing.seats, outcome: record.outcome })
    this.run.on({ type: 'match', record, reused })
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
      try {
        return await this.tryUnit(unit)
      } catch (error) {
        if (error instanceof Stopped || attempt === ATTEMPTS) throw error
        this.run.on({
          type: 'note',
          text: `${unit.key}: void, played again: ${error instanceof Error ? error.message : String(error)}`,
        })
      }
    }
  }

  private async tryUnit(unit: Unit): Promise<void> {
    const bots = new Map<number, Bot>()
    try {
      for (const entrant of entrantsOf(unit)) bots.set(entrant, await this.seat(entrant, unit.key))
      const records: MatchRecord[] = []
      for (const pairing of unit.pairings) records.push(await this.playPairing(pairing, bots))
      const snapshots: Record<string, Snapshot> = {}
      for (const [entrant, bot] of bots) {
        const snapshot = this.lives(entrant) ? bot.snapshot() : undefined
        if (snapshot !== undefined) snapshots[this.entrant(entrant).name] = snapshot
      }
      this.run.journal.commit(unit.key, records, snapshots)
      for (const [i, pairing] of unit.pairings.entries()) this.count(pairing, records[i] as MatchRecord, false)
      this.played += records.length
      this.remember(unit)
      for (const [entrant, bot] of bots) await this.leave(entrant, bot)
    } catch (error) {
      // A bot that was in the middle of a match knows what has not happened: its life is begun again where it was last kept.
      for (const [entrant, bot] of bots) {
        this.living.delete(entrant)
        await bot.close()
      }
      throw error
    }
  }

  private async playPairing(pairing: Pairing, bots: ReadonlyMap<number, Bot>): Promise<MatchRecord> {
    const { run } = this
    if (run.signal.aborted) throw new Stopped()
    let stop: (() => void) | undefined
    const stopped = new Promise<never>((_, refuse) => {
      stop = () => refuse(new Stopped())
      run.signal.addEventListener('abort', stop)
    })
    try {
      const players = pairing.seats.map((entrant) => bots.get(entrant) as Bot)
      return await Promise.race([
        playMatch({ fixture: this.fixture(pairing), kit: run.kit, players, limits: run.limits }),
        stopped,
      ])
    } finally {
      if (stop) run.signal.removeEventListener('abort', stop)
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

  /** A bot for an entrant: the one that lives, a free one, or a new one, brought to where its life was left. */
  private async seat(entrant: number, unit: string): Promise<Bot> {
    const who = this.entrant(entrant)
    if (!livesOn(who.memory)) return this.free.get(entrant)?.pop() ?? this.stable.bot(who, unit)
    if (who.memory === 'series') return this.stable.bot(who, unit)
    const alive = this.living.get(entrant)
    if (alive !== undefined) return alive
    const bot = this.stable.bot(who, 'tournament')
    this.living.set(entrant, bot)
    await this.resume(entrant, bot)
    return bot
  }

  private async resume(entrant: number, bot: Bot): Promise<void> {
    const { run } = this
    const { name, wire } = this.entrant(entrant)
    const lived = this.lived.get(entrant) ?? []
    const snapshot = run.journal.snapshot(name)
    if (snapshot !== undefined) bot.restore(snapshot)
    if (lived.length === 0 || wiresOf(run.kit, run.options)[wire]?.transport === 'turn') return
    const records = lived
      .flatMap((unit) => run.journal.read(unit))
      .filter((record) => record.seats.some((seat) => seat.entrant === name))
    let differed = false
    await catchUp(bot, name, run.kit, records, (key) => {
      if (!differed)
        run.on({
          type: 'note',
          text: `${name}: answered otherwise when its conversation was repeated (${key}): it is not deterministic`,
        })
      differed = true
    })
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

const entrantsOf = (unit: Unit): number[] => [...new Set(unit.pairings.flatMap((pairing) => pairing.seats))]
