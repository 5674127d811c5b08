export * from './admission.js'
export * from './entrant.js'
export * from './tournament.js'
