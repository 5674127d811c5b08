export * from './entrant.js'
export * from './tournament.js'
