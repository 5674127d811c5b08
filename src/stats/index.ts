/** Ratings and how sure they are: pure functions of games. docs/ratings.md explains what each means and where it comes from. */
export { bradleyTerry, type ModelName, modelName, plackettLuce } from './bradley-terry.js'
export { type Bounds, MeanEvidence, meanInterval } from './betting.js'
export {
  comparisonsOf,
  pointsOf,
  type ScoredCompany,
  scoredCompanies,
  type ScoredGame,
  scoredGameOf,
  scoredGamesOf,
  ScoredSums,
  type Worth,
} from './companies.js'
export { type EqualLuck, equalLuck, equalLuckOfScores, seatScores } from './equal-luck.js'
export { type Evidence, evidenceOf, type Known, scoredEvidenceOf } from './evidence.js'
export { drawnOf, type Probability, rangeOf } from './first-place.js'
export type { Flag } from './flags.js'
export { type Circumstances, distinctGames, fieldOf, gamesOf, type RatedGame } from './game.js'
export { GameKinds } from './game-kinds.js'
export { type Means, meansOf, meritsOf, placesBy, probabilityAbove, studentInterval } from './means.js'
export { settleMeans } from './mean-settle.js'
export { MeanTest, type MeanTestOptions, type MeanTestState } from './mean-test.js'
export { normalDraw, quantileFor } from './normal.js'
export { type Chances, type PairChances, type PairLaw, pairLaws } from './pair-law.js'
export { intervalsOf, type RankInterval, ranksOf } from './ranks.js'
export { inAnyOrder, type Stream, stream } from './stream.js'
export { type Bootstrap, bootstrap, type MeanRule } from './resample.js'
export { seatsDecide } from './seats.js'
export { settle, type Settled, type SettleOptions, worthPlaying } from './settle.js'
export {
  type DuelGame,
  duelElo,
  expectedMatches,
  isFixed,
  normalizedElo,
  type Sprt,
  sprt,
  type SprtOptions,
} from './sprt.js'
export { scoreIntervals } from './tails.js'
export { ELO, type Ratings, type SeatAdvantage, SEPARABLE, superiority } from './strengths.js'
