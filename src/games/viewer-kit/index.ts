/** What a game's viewer may use of the page. */
export * from './animate.js'
export * from './card-table.js'
export * from './mark.js'
export * from './parts.js'
export * from './types.js'
