import { eachEntry } from './segment.js'

/** A segment of a run, by its number in it, with the checksum under which it is stored. */
export interface SegmentHead {
  readonly number: number
  readonly sum: number
}

/** The matches of a segment by the store's numbers, and the checksum that it had. */
interface Held {
  readonly sum: number
  readonly least: number
  readonly most: number
  readonly matches: Float64Array
}

/**
 * Which matches runs hold, by their segments: links between runs and matches have no checksum of their own. What was read of a
 * segment is kept, eight bytes a match; its checksum says whether it is still the same.
 */
export class HeldMatches {
  private readonly runs = new Map<number, Map<number, Held>>()

  /** Those of a run's segments that have to be read (`add`) before `holds` is asked. */
  unread<Head extends SegmentHead>(run: number, heads: readonly Head[]): readonly Head[] {
    const known = this.runs.get(run)
    return heads.filter(({ number, sum }) => known?.get(number)?.sum !== sum)
  }

  /** Throws BytesError where the data is none of a segment's. */
  add(run: number, { number, sum }: SegmentHead, data: Uint8Array): void {
    const matches: number[] = []
    eachEntry(data, ({ match }) => matches.push(match))
    const known = this.runs.get(run) ?? new Map<number, Held>()
    this.runs.set(run, known)
    known.set(number, {
      sum,
      least: Math.min(...matches),
      most: Math.max(...matches),
      matches: Float64Array.from(matches),
    })
  }

  /** Whether a run with these segments, all of them read, holds a match. */
  holds(run: number, heads: readonly SegmentHead[], match: number): boolean {
    const known = this.runs.get(run)
    return heads.some(({ number }) => {
      const held = known?.get(number)
      return held !== undefined && held.least <= match && match <= held.most && held.matches.includes(match)
    })
  }

  /** Forgets the runs that are not among these. */
  keepOnly(runs: readonly { readonly number: number }[]): void {
    const there = new Set(runs.map(({ number }) => number))
    for (const run of this.runs.keys()) if (!there.has(run)) this.runs.delete(run)
  }
}
