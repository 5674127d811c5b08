import type { MatchRecord } from '../core/index.js'
import type { Unit } from './schedule.js'

/** Those who play units whose bots do not live through the tournament. */
export interface Crew {
  /** As `Arena.unit`. */
  play(unit: Unit, disturbed: number): Promise<readonly MatchRecord[]>
  /** Ends what is being played; resolves with the end of what each entrant wrote to its standard error, by its name. */
  close(): Promise<ReadonlyMap<string, string>>
}

/** Milliseconds: others are asked to help after so long where at least as much seems to be left, since threads take a moment to start. */
const HIRE_MS = 1000

/** Asks once for others who play along, when a run turns out to take longer than a moment. */
export class Hiring {
  private readonly began = performance.now()
  private asked: Promise<void> | undefined
  private hired: Crew | undefined

  constructor(
    /** Absent: nobody is asked. */
    private readonly hire: (() => Promise<Crew>) | undefined,
    /** Awaited when they have come. */
    private readonly come: () => Promise<void>,
    private readonly note: (text: string) => void,
  ) {}

  /** Those who have come. */
  get crew(): Crew | undefined {
    return this.hired
  }

  /** Looks whether others are needed: so many matches were played since the beginning, and so many are left. */
  look(played: number, left: number): void {
    const took = performance.now() - this.began
    if (this.hire === undefined || this.asked || took < HIRE_MS || (took / Math.max(1, played)) * left < HIRE_MS) return
    this.asked = this.hire().then(
      async (crew) => {
        this.hired = crew
        await this.come()
      },
      (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error)
        this.note(`all is played in one thread: ${why}`)
      },
    )
  }

  /** Sends them away, also those who are still on their way. */
  async close(): Promise<ReadonlyMap<string, string>> {
    await this.asked
    return (await this.hired?.close()) ?? new Map()
  }
}
