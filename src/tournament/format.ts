import type { FormatSpec, Pairing, Tournament, TournamentSpec } from '../core/index.js'

/** All that agon knows of one kind of tournament: nothing else asks the kind. */
export interface Format {
  readonly kind: string
  /** Its keys of `[format]`, of those that only some kinds take. */
  readonly keys: readonly (keyof FormatSpec)[]
  /** How many play a match: `size`, two unless it says so ('given'), or all entrants. Absent: two. */
  readonly sizes?: 'size' | 'given' | 'all'
  /** When a deal is played in several orders of seats: always, or if swapped. Absent: if a pair also meets again. */
  readonly deals?: 'always' | 'swapped'
  /**
   * Results decide whom an entrant meets: winners meet stronger ones, so points or means alone do not tell who is
   * better.
   */
  readonly unlikeOpponents?: true
  /** Never ends: an added entrant makes more play. */
  readonly openEnded?: true
  readonly build: (spec: TournamentSpec) => Tournament
  /** In a few words, for `agon init`; absent: it needs more answers than that asks. */
  readonly hint?: string
  /** Why an entrant ranks above a stronger one: 'went further'. Absent: it has more points. */
  readonly verb?: string
  /** What `playoff` is for: a tie for the first place, or every level pairing. Absent: no playoffs. */
  readonly playoff?: 'first' | 'pairing'
  /** The first place is for who stays in longest, whatever the points. */
  readonly survival?: true
  /** Points count only some matches of an entrant. */
  readonly partialPoints?: true
  /** If every two meet equally often: a pair's matches for each repetition. */
  readonly meetings?: number
  /** How it is played until places are settled; absent: it is not. */
  readonly blocks?: (spec: TournamentSpec) => Blocks
}

/** Who may meet, and their matches by block: all orders of seats with one deal of luck. */
export interface Blocks {
  readonly companies: readonly (readonly number[])[]
  readonly size: number
  of(company: readonly number[], deal: number): readonly Pairing[]
}
