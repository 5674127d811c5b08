export type { Finding } from './case.js'
export { type Examination, examine } from './examine.js'
export { deepFreeze, jsonOf, randomMoves } from './random.js'
