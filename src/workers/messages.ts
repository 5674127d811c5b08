import type { MatchRecord, Options } from '../core/index.js'
import type { Hold, Prepared } from '../build/index.js'
import type { Unit } from '../engine/index.js'

/** What a thread that plays units is given at its start: data alone, which it makes games and bots of. */
export interface Crewed {
  readonly game: { readonly id: string; readonly file?: string }
  readonly options: Options
  readonly entrants: readonly Prepared[]
  readonly ids: readonly number[]
  readonly seed: string
  readonly limits: Readonly<Record<string, number>>
  readonly steps?: number
  readonly holding: Hold
  readonly rooms: string
  readonly timed?: number
  /** The core that it is bound to, with all that it starts. */
  readonly core?: number
}

/** What it is told. */
export type Order = { readonly play: number; readonly unit: Unit; readonly disturbed: number } | { readonly end: true }

/** What it tells. */
export type Word =
  | { readonly ready: true }
  | { readonly note: string }
  | { readonly played: number; readonly records: readonly MatchRecord[] }
  | {
      readonly played: number
      readonly kind: 'disturbed' | 'busy' | 'host' | 'mistake' | 'fault'
      readonly why: string
    }
  /** Its last word. */
  | { readonly stderr: readonly (readonly [name: string, text: string])[] }
