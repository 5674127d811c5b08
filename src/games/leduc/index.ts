import type { GameDefinition } from '../../core/index.js'
import { leduc } from './rules.js'
import * as texts from './text.js'

/** Leduc hold 'em (2005): six cards and two rounds of bets, small enough to be solved. */
const definition: GameDefinition = {
  game: leduc,
  title: "Leduc hold 'em",
  summary: 'Six cards, two rounds of bets, a card on the table between them: a small poker, which agon solves.',
  scoring: { by: 'score' },
  small: true,
  ...texts,
}
export default definition
