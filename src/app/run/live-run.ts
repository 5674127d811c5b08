import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Result,
  type Round,
  type Standings,
  type Stopped,
  type Tournament,
  type TournamentSpec,
  type Wording,
  command,
  message,
} from '../../core/index.js'
import { type TournamentEvent, type UnderWay, isSeries } from '../../engine/index.js'
import { type FaultCount, countFaults } from '../../results/faults.js'
import type { Exclusion, NoteStore, MatchStore, RunStore } from '../../store/index.js'
import { tournamentWithout } from '../../tournament/exclusions.js'

/** Milliseconds between looks for other processes' changes. */
const LOOK_MS = 500
/** Milliseconds to wait for a worker's progress. */
const ANSWER_MS = 200

export interface RunProgress {
  /** In matches, also of open series. */
  readonly done: number
  /** The most it can become. */
  readonly total: number
  /** Of `done`, how many were kept. */
  readonly reused: number
  /** The round under way in the format's words; '' without rounds. */
  readonly label: string
}

/** A run while it is played. Exclusions and pauses come from the store, where other processes write them too. */
export class LiveRun implements Tournament {
  readonly faults: FaultCount = new Map()
  onPause: () => void = () => undefined
  underWay: Pick<UnderWay, 'played' | 'jobs'> | undefined
  private tournament: Tournament
  private results: ReadonlyMap<string, Result> = new Map()
  private out: readonly Exclusion[] = []
  private paused = false
  private looking: Promise<void> | undefined
  private readonly timer: NodeJS.Timeout
  private reused = 0
  private label = ''
  private expected = 0
  /** Matches played of jobs under way, at the last look. */
  private partly = 0

  constructor(
    private readonly store: Pick<RunStore, 'run'> & NoteStore & MatchStore,
    private readonly run: string,
    private readonly spec: TournamentSpec,
    private readonly note: (text: Wording) => void,
  ) {
    this.tournament = tournamentWithout(spec, [])
    // An unreadable store is the engine's error; here it is looked at again.
    const look = () =>
      this.look()
        .catch(() => undefined)
        .finally(() => (this.looking = undefined))
    this.timer = setInterval(() => void (this.looking ??= look()), LOOK_MS).unref()
  }

  async look(): Promise<void> {
    const exclusions = await this.store.exclusions(this.run)
    if (JSON.stringify(exclusions) !== JSON.stringify(this.out)) {
      // Stored results stand, though this process has not come to them yet.
      const held = await this.store.results(this.run)
      this.tournament = tournamentWithout(this.spec, exclusions, (key) => held.has(key))
      for (const one of exclusions) if (!this.isOut(one.name)) this.note(excludedText(one))
      const out = new Set(exclusions.map(({ name }) => name))
      for (const { name } of this.out) if (!out.has(name)) this.note(readmittedText(name))
      this.out = exclusions
    }
    const paused = (await this.store.run(this.run))?.state === 'paused'
    if (paused === this.paused) return
    this.paused = paused
    this.note(paused ? message`paused: ${command('continue')} resumes it` : 'resumed')
    if (paused) this.onPause()
  }

  async exclude(exclusion: Exclusion): Promise<void> {
    if (this.isOut(exclusion.name)) return
    await this.store.exclude(this.run, exclusion)
    await this.look()
  }

  isActive(entrant: number): boolean {
    return !this.isOut(this.spec.names[entrant] ?? '') && this.spec.away?.(entrant) !== true
  }

  private isOut(name: string): boolean {
    return this.out.some((one) => one.name === name)
  }

  async waitWhilePaused(): Promise<void> {
    while (this.paused) {
      await new Promise((done) => setTimeout(done, LOOK_MS))
      await this.look()
    }
  }

  next(results: ReadonlyMap<string, Result>): Round | undefined {
    this.results = results
    return this.tournament.next(results)
  }
  /** Its cost grows with the number of matches. */
  standings(results = this.results): Standings {
    return withExclusions(this.tournament.standings(results), this.out)
  }
  total(results: ReadonlyMap<string, Result>): number {
    return this.tournament.total(results)
  }
  stopped(results: ReadonlyMap<string, Result>): Stopped | undefined {
    return this.tournament.stopped?.(results)
  }

  /** Returns a line for each kind of fault that is new to an entrant. */
  see(event: TournamentEvent): readonly string[] {
    if (event.type === 'round') {
      this.expected = event.total
      this.label = event.round.label
    }
    if (event.type !== 'match') return []
    if (event.reused) this.reused++
    else this.partly = Math.max(0, this.partly - 1)
    const first = countFaults(this.faults, event.match)
    return event.reused ? [] : first
  }

  get series(): number {
    return this.underWay?.jobs().filter(({ job }) => isSeries(job)).length ?? 0
  }

  /** A worker that does not answer soon is as far as it was. */
  async progress(): Promise<RunProgress> {
    const looking = this.underWay?.played().then(
      (matches) => (this.partly = matches),
      () => undefined,
    )
    if (looking !== undefined) await Promise.race([looking, sleep(ANSWER_MS, undefined, { ref: false })])
    const done = this.results.size + this.partly
    return { done, total: this.expected, reused: this.reused, label: this.label }
  }

  close(): void {
    clearInterval(this.timer)
  }
}

/** The table with a note for each entrant that is out, and a mark in its row. */
export function withExclusions(standings: Standings, exclusions: readonly Exclusion[]): Standings {
  if (exclusions.length === 0) return standings
  const status = new Map(exclusions.map((one) => [one.name, one.status]))
  return {
    ...standings,
    rows: standings.rows.map((row) => ({ ...row, out: status.get(row.name) })),
    notes: [...standings.notes, ...exclusions.map((one) => excludedText(one))],
  }
}

export const readmittedText = (name: string): string => `${name} plays again: its matches count`

export function excludedText({ name, status, treatment, why }: Exclusion): string {
  const then = treatment === 'void' ? 'none of its matches counts' : 'what it had not played counts as lost'
  return `${name} is ${status}${why === '' ? '' : ` (${why})`}: ${then}`
}
