/**
 * agon as a library: games and their types, the referee, tournaments, records. The command line is made of the same parts.
 */
import { readPatterns } from './contest/patterns.js'

export * from './core/errors.js'
export * from './core/faults.js'
export * from './core/game.js'
export * from './core/legal.js'
export * from './core/outcome.js'
export * from './core/luck.js'
export * from './core/record.js'
export * from './core/answers.js'
export * from './core/portions.js'
export * from './core/contest.js'
export * from './core/run.js'
export * from './core/definition.js'
export * from './core/bot.js'
export * from './core/player.js'
export * from './core/wire.js'
export * from './core/engines.js'
export * from './core/json.js'
export * from './core/jsonl.js'
export * from './core/lent-view.js'
export type { Below } from './core/exact-number.js'
export type { Message, Spell, Wording } from './core/message.js'
export { games } from './games/index.js'
export {
  type Due,
  type Fixture,
  type FullEvent,
  type Judged,
  type LiveMatch,
  type LiveStep,
  type MatchState,
  type Played,
  RecordError,
  type SeatEvent,
  type Setting,
  type Update,
  digestOf,
  digestOfAll,
  formatRecord,
  judge,
  parseRecord,
  playMany,
  playMatch,
  startMatch,
  walk,
} from './match/index.js'
export {
  type Bounds,
  type Bootstrap,
  bootstrap,
  bradleyTerry,
  type Circumstances,
  comparisonsOf,
  distinctGames,
  type DuelGame,
  type EqualLuck,
  equalLuck,
  type Evidence,
  evidenceOf,
  fieldOf,
  type Flag as RatingFlag,
  type RatedGame,
  gamesOf,
  type Known,
  MeanEvidence,
  meanInterval,
  type MeanRule,
  type Means,
  meansOf,
  placesBy,
  plackettLuce,
  pointsOf,
  type Probability,
  type Ratings,
  type ScoredCompany,
  scoredCompanies,
  type ScoredGame,
  settle,
  type Settled,
  type SettleOptions,
  type Sprt,
  sprt,
  type SprtOptions,
  superiority,
  type Worth,
  worthPlaying,
} from './stats/index.js'
export { standingsText } from './text/index.js'
export { createTournament, crosstable } from './tournament/index.js'
export { modulePlayer } from './bots/module-player.js'
export { type ContestRun, type ContestRunOptions, runContest } from './app/run/run-once.js'
export { type ContractHints, type TestRunner, describeGame } from './kits/index.js'

// Games that a program plays with agon as a library may have texts with patterns.
readPatterns()
