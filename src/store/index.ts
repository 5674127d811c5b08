export * from './journal.js'
export * from './runs.js'
export { openStore } from './sqlite.js'
