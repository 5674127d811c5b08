export * from './digest.js'
export * from './judge.js'
export * from './play.js'
export * from './text.js'
