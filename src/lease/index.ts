export { NAME, isRunning, thisProcess } from './owner.js'
export { takePlace } from './place.js'
export { takeRuntimePlace } from './runtime.js'
export { sweep } from './sweep.js'
