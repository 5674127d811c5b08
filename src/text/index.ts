export * from './matches.js'
export * from './numbers.js'
