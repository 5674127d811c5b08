import type { GameDefinition } from '../../core/index.js'
import { conform } from './conform.js'
import { published, transcript } from './published.js'
import { coup } from './rules.js'
import type { State } from './rules.js'
import { actions, board, fields, figures, kindOf, text } from './text.js'
import type { View } from './view.js'
import { file } from './wires.js'

export type { Action, Card, GivenUp } from './cards.js'
export type { CoupOptions } from './options.js'
export type { Reason, State } from './rules.js'
export type { View } from './view.js'

const definition: GameDefinition = {
  game: coup,
  title: 'Stage a Coup',
  summary: 'Two players claim characters they may not hold; the last with a card wins.',
  wires: { file },
  wire: 'file',
  scoring: { draw: 0 },
  actions,
  fields,
  question: (view) => kindOf(view as View),
  figures: (state, seat) => figures(state as State, seat),
  text: (view) => text(view as View),
  board: (state) => board(state as State),
  transcript,
  published,
  conform,
}
export default definition
