/** What a field of players is like beyond its order: pure functions of matrices. docs/ratings.md explains each. */
export { alphaRank, alphaRanking, type AlphaRankOptions } from './alpha-rank.js'
export { ecology, type EcologyOptions } from './ecology.js'
export { nashAverage, nashOfTable, type NashAverage, type Payoffs } from './nash.js'
export { beats, type Cycle, cycles } from './cycles.js'
export { type Lead, payoffCycles } from './payoff-cycles.js'
export { type Answers, type Likeness, likeness } from './likeness.js'
