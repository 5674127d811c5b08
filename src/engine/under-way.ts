import type { Job } from '../core/index.js'
import type { MatchState, PlayedSoFar } from '../match/index.js'

/*
 * Observers of a match ask for the part that they have not seen yet; nothing is pushed to them. So a match without observers costs
 * nothing more, and a match of a millisecond does not flood them.
 */

export interface SeenSoFar {
  /** As in the `PlayedPart`: distinguishes it from a match that was void, and is played again. */
  readonly began: number
  readonly steps: number
}

/** What was played of a match from step `from` on. Plain data: it can travel. */
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

/** Whether a job is a series, which is played again from its beginning where it was interrupted. One that has the name of a match is the matches of a deal. */
export const isSeries = ({ key, pairings }: Job): boolean => pairings.length > 1 && key !== pairings[0]?.key

export interface UnderWay {
  /** The longest first. */
  jobs(): readonly JobUnderWay[]
  /** How many matches of jobs of several have ended that are stored once their jobs have. */
  played(): Promise<number>
  /** What was played of the job's present match beyond what was seen; undefined: nothing of it is being played. */
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

/** A job that is expected to take so many milliseconds is long. */
const LONG_MS = 600_000
/** Milliseconds of play from which on its time can be told. */
const SURE_MS = 5000

/**
 * Begins to watch a job, to say once that it is expected to take long: it is stored as a whole, so what was played of it is lost where it is
 * interrupted. What it returns is told how many of the job's matches were played by now.
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
