export * from './deadline.js'
export * from './process.js'
export * from './room.js'
