export type { Solution, StrategyRow } from './solution.js'
export { solveGame } from './solve.js'
