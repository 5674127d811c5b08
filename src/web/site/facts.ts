/** What the API answers, as far as the page shows it; docs/api.md has all of it. */
export type { CallerFacts as Caller } from '../../site/app.js'
export type { Contestant } from '../../site/contestants.js'
export type { Contest } from '../../site/contests.js'
export type { AnswerTimes, EntrantPage as EntrantFacts, Version as VersionFacts } from '../../site/entrants.js'
export type { Entry, EntryPreview, EntryProgress } from '../../site/entries.js'
export type { BotFaults } from '../../site/entrants.js'
export type { Game as SiteGame, Rules } from '../../site/games.js'
export type { LiveMatch } from '../../site/live.js'
export type { Match as MatchFacts } from '../../site/matches.js'
export type { Scrimmage } from '../../site/scrimmages.js'
export type { Sitting } from '../../site/sittings.js'
export type { SeenWorker, Workers } from '../../site/workers.js'

export interface List<T> {
  readonly items: readonly T[]
  readonly next: string | null
}
