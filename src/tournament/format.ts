import type { FormatSpec, Pairing, Tournament, TournamentSpec } from '../core/index.js'

/** All that agon knows of one kind of tournament: nothing else asks which kind a format is. */
export interface Format {
  readonly kind: string
  /** The keys of `[format]` that it takes, of those that only some kinds take. */
  readonly keys: readonly (keyof FormatSpec)[]
  /** How many play in a match: `size`, two unless it says so ('given'), or all entrants. Absent: two. */
  readonly sizes?: 'size' | 'given' | 'all'
  /** When a deal is played in several orders of seats: always, or if swapped. Absent: if a pair also meets again. */
  readonly deals?: 'always' | 'swapped'
  /** Results decide whom an entrant meets: winners meet stronger ones, and points or means alone do not tell who is better. */
  readonly unlikeOpponents?: true
  /** It never ends: whenever an entrant is added, more is played. */
  readonly openEnded?: true
  readonly build: (spec: TournamentSpec) => Tournament
  /** In a few words, for `agon init`; absent: it needs more answers than `agon init` asks for. */
  readonly hint?: string
  /** Why an entrant ranks above another that is stronger: 'went further'. Absent: it has more points. */
  readonly verb?: string
  /** What `playoff` is for: a tie for the first place, or every pairing that is level. Absent: there are no playoffs. */
  readonly playoff?: 'first' | 'pairing'
  /** The first place belongs to who stays in longest, whatever the points of all matches. */
  readonly survival?: true
  /** Points count only some matches of an entrant. */
  readonly partialPoints?: true
  /** If every two entrants meet equally often: matches of a pair for each repetition. */
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
