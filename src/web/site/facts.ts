import type { FaultKind } from '../../core/index.js'

/** What the API answers, as far as the page shows it; docs/api.md has all of it. */
export type ContestState = 'created' | 'playing' | 'paused' | 'finished' | 'failed'

export interface List<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

export interface Contest {
  readonly id: string
  readonly title: string
  readonly game: string
  readonly state: ContestState
  readonly why?: string
  readonly format?: string
  readonly entrants: readonly string[]
  readonly matches: number
  readonly planned?: number
  /** Seconds until all are played, as far as one can tell. */
  readonly left?: number
  readonly created: string
  readonly ended?: string
  readonly hosted: boolean
  readonly signup?: boolean
  readonly sittings?: boolean
  /** Why no worker plays it on. */
  readonly waits?: string
}

export interface Game {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly seats: { readonly min: number; readonly max: number }
  readonly options: Readonly<Record<string, unknown>>
  readonly wires: readonly string[]
  readonly wire: string
  readonly house: readonly string[]
}

export interface MatchFacts {
  readonly id: number
  readonly key: string
  readonly seats: readonly {
    readonly name: string
    /** Of a bot that was entered: which of its versions played. */
    readonly version?: number
    readonly place: number
    readonly faults: readonly FaultKind[]
  }[]
  readonly reason: string
  readonly at: string
  readonly turns?: number
}
