import type { GameDefinition } from '../../core/index.js'
import { conform } from './conform.js'
import { negotiate } from './rules.js'
import * as texts from './text.js'
import { lines } from './wires.js'

const definition: GameDefinition = {
  game: negotiate,
  title: 'Negotiate and Conquer',
  summary: 'Daimyo court lords by day and in secret by night; the lords lend their force to whom they know best.',
  wires: { lines },
  wire: 'lines',
  scoring: { draw: 0, ties: [{ tally: 'strength24', of: 'all', name: 'Strength/24' }] },
  ...texts,
  conform,
}
export default definition
