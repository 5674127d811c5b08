export { answersTo } from './sequence.js'
export type { Solution, StrategyRow } from './solution.js'
export { solveGame } from './solve.js'
export { type Knowledge, sequenceForm } from './tree.js'
