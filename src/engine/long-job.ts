import type { Job } from '../core/index.js'

/** A job that is expected to take so many milliseconds is long. */
const LONG_MS = 600_000
/** Milliseconds of play from which on its time can be told. */
const SURE_MS = 5000

/** Says once of a job that it is expected to take long: it is stored as a whole, so what was played of it is lost where it is interrupted. */
export class LongJobWatch {
  private readonly began: number
  private isSaid = false

  constructor(
    private readonly job: Job,
    private readonly note: (text: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.began = now()
  }

  /** So many of its matches were played by now. */
  played(matches: number): void {
    const { key, pairings } = this.job
    if (this.isSaid || matches === pairings.length) return
    const ms = this.now() - this.began
    const expected = (ms / matches) * pairings.length
    if (ms < SURE_MS || expected < LONG_MS) return
    this.isSaid = true
    this.note(
      `${key}: ${pairings.length} matches that are stored together, in about ${Math.round(expected / 60_000)} minutes; an interruption before that loses them`,
    )
  }
}
