/** What the API answers, as far as the page shows it; docs/api.md has all of it. */
export type {
  AnswerTimes,
  ContestFacts as Contest,
  DraftFacts,
  EntrantFacts,
  HostedState as ContestState,
  MatchFacts,
  VersionFacts,
} from '../../core/site-facts.js'

export interface List<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

export interface SiteGame {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly seats: { readonly min: number; readonly max: number }
  readonly options: Readonly<Record<string, unknown>>
  readonly wires: readonly string[]
  readonly wire: string
  readonly house: readonly string[]
}
