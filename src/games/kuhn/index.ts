import type { GameDefinition } from '../../core/index.js'
import { kuhn } from './rules.js'
import * as texts from './text.js'

/** Kuhn poker (1950): three cards and one bet, small enough to solve. */
const definition: GameDefinition = {
  game: kuhn,
  title: 'Kuhn poker',
  summary: 'Three cards, one a player, and a single bet: the smallest poker, which agon solves.',
  scoring: { by: 'score' },
  small: true,
  ...texts,
}
export default definition
