export * from './numbers.js'
