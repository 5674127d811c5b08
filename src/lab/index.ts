/** Questions beyond a table: what a field of players is like, what a small game is worth. docs/ratings.md explains each. */
export { heldAgain, type HeldTournament } from './again.js'
export { nashAverage, type NashAverage, type Payoffs } from './nash.js'
export { type Cycle, cycles } from './cycles.js'
export { type Answers, type Likeness, likeness } from './likeness.js'
export { type EvaluatedMatch, evaluating, matchEvaluator } from './evaluator.js'
export {
  alphaRank,
  type AlphaRankOptions,
  ecology,
  type EcologyOptions,
  lastStandingRounds,
  payoffsOf,
} from './payoffs.js'
export {
  type Before,
  type RankedLine,
  type RankedResults,
  type Ranking,
  rankBy,
  RULES,
  type RuleName,
  SCORE_RULES,
  WEIGHED,
} from './rank.js'
export { answersTo, type Knowledge, type SequenceForm, sequenceForm } from './tree.js'
export type { Solution, StrategyRow } from './open.js'
export { solveGame } from './solve.js'
