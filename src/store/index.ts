export * from './journal.js'
export * from './runs.js'
