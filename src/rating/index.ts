/** Ratings and how sure they are: pure functions of games. docs/ratings.md says what each means and where it comes from. */
export { type BradleyTerry, bradleyTerry } from './bradley-terry.js'
export { type EqualLuck, equalLuck } from './equal-luck.js'
export { type Circumstances, distinctGames, fieldOf, type Game, gamesOf } from './game.js'
export { type Meetings, meetingsOf, pairsOf, scoresOf, weightsOf } from './meetings.js'
export { ELO, type Flag, type Ratings, SEPARABLE, superiority } from './strengths.js'
export { plackettLuce } from './plackett-luce.js'
export { type Bootstrap, bootstrap, type BootstrapOptions, ranksOf } from './bootstrap.js'
export {
  byElo,
  byPlackettLuce,
  byPoints,
  byScores,
  lastStandingRounds,
  type Rule,
  type Statistic,
  type Worth,
} from './statistics.js'
export { type DuelGame, type Sprt, sprt, type SprtOptions } from './sprt.js'
export { type Evidence, evidenceOf, type Known, withGames } from './evidence.js'
export { settle, type Settled, type SettleOptions, worthPlaying } from './settle.js'
