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
import type { Exclusion, NoteStore, MatchStore, RunStore } from '../../store/index.js'
import { tournamentWithout } from '../../tournament/exclusions.js'

/** Milliseconds between two looks for changes that other processes make to a run. */
const LOOK_MS = 500

/**
 * A run's schedule as it stands while it is played: entrants may be withdrawn or disqualified, and the run paused, by this
 * process or by another one that writes it into the store.
 */
export class Control implements Tournament {
  private tournament: Tournament
  private out: readonly Exclusion[] = []
  /** What the run held when an entrant was put out: it stands, though this process has not come to it yet. */
  private held: ReadonlyMap<string, Result> = new Map()
  private paused = false
  private looking: Promise<void> | undefined
  private readonly timer: NodeJS.Timeout
  private readonly pauses: (() => void)[] = []

  constructor(
    private readonly store: Pick<RunStore, 'run'> & NoteStore & MatchStore,
    private readonly run: string,
    private readonly spec: TournamentSpec,
    private readonly note: (text: Wording) => void,
  ) {
    this.tournament = tournamentWithout(spec, [])
    this.timer = setInterval(() => {
      // Where the store cannot be read now, the engine meets the error; here it is looked at again.
      this.looking ??= this.look()
        .catch(() => undefined)
        .finally(() => {
          this.looking = undefined
        })
    }, LOOK_MS)
    this.timer.unref()
  }

  /** Reads from the store who was put out, and whether the run is paused. */
  async look(): Promise<void> {
    const exclusions = await this.store.exclusions(this.run)
    if (JSON.stringify(exclusions) !== JSON.stringify(this.out)) {
      this.held = await this.store.results(this.run)
      this.tournament = tournamentWithout(this.spec, exclusions, (key) => this.held.has(key))
      for (const one of exclusions) if (!this.isOut(one.name)) this.note(excludedText(one))
      const out = new Set(exclusions.map(({ name }) => name))
      for (const { name } of this.out) if (!out.has(name)) this.note(readmittedText(name))
      this.out = exclusions
    }
    const paused = (await this.store.run(this.run))?.state === 'paused'
    if (paused !== this.paused) this.note(paused ? message`paused: ${command('continue')} resumes it` : 'resumed')
    const isNew = paused && !this.paused
    this.paused = paused
    if (isNew) for (const listener of this.pauses) listener()
  }

  /** Calls it each time that the run is paused. */
  onPause(listener: () => void): void {
    this.pauses.push(listener)
  }

  async exclude(exclusion: Exclusion): Promise<void> {
    if (this.isOut(exclusion.name)) return
    await this.store.exclude(this.run, exclusion)
    await this.look()
  }

  /** Whether an entrant is not out, and is there to play. */
  isActive(entrant: number): boolean {
    return !this.isOut(this.spec.names[entrant] ?? '') && this.spec.away?.(entrant) !== true
  }

  private isOut(name: string): boolean {
    return this.out.some((one) => one.name === name)
  }

  /** Waits for as long as the run is paused. */
  async waitWhilePaused(): Promise<void> {
    while (this.paused) {
      await new Promise((done) => setTimeout(done, LOOK_MS))
      await this.look()
    }
  }

  next(results: ReadonlyMap<string, Result>): Round | undefined {
    return this.tournament.next(results)
  }
  standings(results: ReadonlyMap<string, Result>): Standings {
    return withExclusions(this.tournament.standings(results), this.out)
  }
  total(results: ReadonlyMap<string, Result>): number {
    return this.tournament.total(results)
  }
  stopped(results: ReadonlyMap<string, Result>): Stopped | undefined {
    return this.tournament.stopped?.(results)
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

/** 'Ant plays again: its matches count'. */
export const readmittedText = (name: string): string => `${name} plays again: its matches count`

/** 'Ant is disqualified (100 faults): none of its matches counts'. */
export function excludedText({ name, status, treatment, why }: Exclusion): string {
  const then = treatment === 'void' ? 'none of its matches counts' : 'what it had not played counts as lost'
  return `${name} is ${status}${why === '' ? '' : ` (${why})`}: ${then}`
}
