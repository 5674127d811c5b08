export { NAME, isRunning, thisProcess } from './owner.js'
export { takeOwnFolder } from './own-folder.js'
export { takeRuntimeFolder } from './runtime.js'
export { sweep } from './sweep.js'
