import type { GameDefinition } from '../../core/index.js'
import { leduc } from './rules.js'
import * as texts from './text.js'

/** Leduc hold 'em (2005): six cards, two rounds of bets, small enough to solve. */
const definition: GameDefinition = {
  game: leduc,
  title: "Leduc hold 'em",
  summary: 'Six cards, two rounds of bets, a card on the table between them: a small poker, which agon solves.',
  scoring: { by: 'score' },
  small: true,
  ...texts,
}
export default definition
