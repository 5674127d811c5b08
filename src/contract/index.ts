export { type ContractHints, type TestRunner, describeGame } from './describe-game.js'
export type { Finding } from './case.js'
export { type Examination, examine } from './examine.js'
export { deepFreeze, randomMoves } from './random.js'
