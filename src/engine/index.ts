export * from './admission.js'
export * from './entrant.js'
export * from './hear-again.js'
export * from './tournament.js'
