export { gameSource, gameTexts, placeGame } from './game-source.js'
export { reserveWorkspace } from './source-files.js'
export { planOf } from './entrant-plan.js'
export { removeStaged } from './stage.js'
export { prepareBots, prepareEntrants } from './prepare.js'
export { type Parcel, prepareSent, sendEntrants } from './parcels.js'
export {
  type BotIsolation,
  type BuiltEntrant,
  type NotBuilt,
  type PrepareRules,
  hashOfEntrant,
  wasBuilt,
} from './prepared.js'
export { runnerOf } from './start-command.js'
export { toolsHere, toolsNamed } from './toolchain.js'
export { conventionsOf, sourceTextsOf } from './source-texts.js'
export { freshLoads } from './module-script.js'
