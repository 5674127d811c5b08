export * from './life.js'
export * from './lines.js'
export * from './module.js'
export * from './turn.js'
