export { reserveWorkspace } from './left-out.js'
export { type Hold, type NotPrepared, type Prepared, prepareBots, prepareEntrants } from './prepare.js'
export { type Runner, runnerOf } from './runner-command.js'
export { conventionsOf } from './source-texts.js'
