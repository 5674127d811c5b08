import type { Job } from '../core/index.js'
import type { MatchState, PlayedSoFar } from '../match/index.js'

/*
 * A match's observers ask for the part that they have not seen; nothing is pushed. So a match without observers costs nothing
 * more, and a match of a millisecond does not flood them.
 */

export interface SeenSoFar {
  /** As in the `PlayedPart`: tells it from a void match that is played again. */
  readonly began: number
  readonly steps: number
}

/** What was played of a match from step `from` on, as plain data. */
export interface PlayedPart extends PlayedSoFar {
  /** Milliseconds since the epoch. */
  readonly began: number
  readonly from: number
}

export interface JobUnderWay {
  readonly job: Job
  /** Milliseconds since the epoch. */
  readonly began: number
}

/** Jobs that began so many milliseconds ago may soon be over, and are not looked into. */
const SOON_MS = 1000

export const isSlow = ({ job, began }: JobUnderWay): boolean => job.pairings.length > 1 && Date.now() - began > SOON_MS

/** Whether a job is a series, which begins again after an interruption. One named like a match is the matches of a deal. */
export const isSeries = ({ key, pairings }: Job): boolean => pairings.length > 1 && key !== pairings[0]?.key

export interface UnderWay {
  /** The longest first. */
  jobs(): readonly JobUnderWay[]
  /** How many ended matches of jobs of several wait to be stored with their jobs. */
  played(): Promise<number>
  /** What was played of the job's present match beyond what was seen; undefined: nothing is being played. */
  look(job: string, seen?: SeenSoFar): Promise<PlayedPart | undefined>
}

/** The matches that an arena plays, by their keys. */
export class LiveMatches {
  private readonly all = new Map<string, { readonly began: number; readonly match: Pick<MatchState, 'soFar'> }>()

  begin(key: string, match: Pick<MatchState, 'soFar'>): void {
    this.all.set(key, { began: Date.now(), match })
  }

  end(key: string): void {
    this.all.delete(key)
  }

  /** Of the first of these keys that is being played. */
  look(keys: readonly string[], seen: SeenSoFar | undefined): PlayedPart | undefined {
    for (const key of keys) {
      const { began = 0, match } = this.all.get(key) ?? {}
      const soFar = match?.soFar()
      if (soFar === undefined) continue
      const { ready, steps, times } = soFar
      const from = seen?.began === began ? Math.min(seen.steps, steps.length) : 0
      return { ...soFar, began, from, ready: [...ready], steps: steps.slice(from), times: times?.slice(from) }
    }
    return undefined
  }
}

/** Expected milliseconds from which a job is long. */
const LONG_MS = 600_000
/** Milliseconds of play from which its time can be told. */
const SURE_MS = 5000

/**
 * Watches a job, to say once that it is expected to take long: it is stored as a whole, so an interruption loses it. What it returns is told
 * how many of the job's matches were played by now.
 */
export function longJobWatch(
  { key, pairings }: Job,
  note: (text: string) => void,
  now: () => number = () => performance.now(),
): (matches: number) => void {
  const began = now()
  let isSaid = false
  return (matches) => {
    if (isSaid || matches === pairings.length) return
    const ms = now() - began
    const expected = (ms / matches) * pairings.length
    if (ms < SURE_MS || expected < LONG_MS) return
    isSaid = true
    note(
      `${key}: ${pairings.length} matches that are stored together, in about ${Math.round(expected / 60_000)} minutes; an interruption before that loses them`,
    )
  }
}
