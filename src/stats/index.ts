/** Ratings and how sure they are: pure functions of games. docs/ratings.md explains what each means and where it comes from. */
export { type BradleyTerry, type SeatAdvantage, bradleyTerry } from './bradley-terry.js'
export { type Bounds, MeanEvidence, meanInterval, symmetricEvidence } from './betting.js'
export { type EqualLuck, equalLuck } from './equal-luck.js'
export { type Circumstances, distinctGames, fieldOf, type RatedGame, gamesOf, repetitions } from './game.js'
export { GameKinds } from './game-kinds.js'
export { type Meetings, meetingsOf, pairsOf, scoresOf, weightsOf } from './meetings.js'
export { ELO, type Flag, type Ratings, SEPARABLE, superiority } from './strengths.js'
export { firstByPoints, meritsOf } from './merits.js'
export {
  drawnRanks,
  type Bootstrap,
  bootstrap,
  type BootstrapOptions,
  ranksOf,
  type Resampling,
  resampling,
} from './bootstrap.js'
export { firstByStrength } from './first-by-strength.js'
export { type Probability, firstOf } from './first-place.js'
export { type Fit, fitOf } from './fit.js'
export { blockEffects } from './block-effects.js'
export { normalDraw, quantileFor } from './normal.js'
export { WHOLE } from './terms.js'
export { type StrengthModel, plackettLuce, strengthModel } from './plackett-luce.js'
export {
  byElo,
  byPlackettLuce,
  byPoints,
  byScores,
  byScoreTable,
  lastStandingRounds,
  type Rule,
  type Statistic,
  type Worth,
} from './statistics.js'
export { type DuelGame, expectedMatches, isFixed, normalizedElo, type Sprt, sprt, type SprtOptions } from './sprt.js'
export { type Evidence, evidenceOf, type Known, withGames, scoredEvidenceOf } from './evidence.js'
export { settle, type Settled, type SettleOptions, worthPlaying } from './settle.js'
export {
  equalLuckOfScores,
  type ScoredCompany,
  scoredCompanies,
  type ScoredGame,
  scoredGameOf,
  scoredGamesOf,
  ScoredSums,
  payoffsOf,
} from './mean-games.js'
export { meansOf, probabilityAbove, studentInterval } from './mean-variance.js'
export { bootstrapMeans, byMeans, firstByMeans, type MeanRule } from './mean-bootstrap.js'
export { type MayMeet, settleMeans, worthPlayingMeans } from './mean-settle.js'
export { MeanTest, type MeanTestOptions, type MeanTestState } from './mean-test.js'
