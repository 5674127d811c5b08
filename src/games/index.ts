import type { GameDefinition } from '../core/index.js'
import gunduel from './gunduel/index.js'
import coup from './coup/index.js'
import samurai from './samurai/index.js'
import negotiate from './negotiate/index.js'
import stronger from './stronger/index.js'
import kuhn from './kuhn/index.js'
import leduc from './leduc/index.js'

/** Every game that ships with agon: one line each. */
export const games: readonly GameDefinition[] = [
  gunduel, //
  coup,
  samurai,
  negotiate,
  stronger,
  kuhn,
  leduc,
]
