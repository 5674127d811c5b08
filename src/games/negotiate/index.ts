import type { GameDefinition } from '../../core/index.js'
import { conform } from './conform.js'
import { negotiate } from './rules.js'
import { transcript } from './published.js'
import type { State } from './rules.js'
import { board, fields, figures, kindOf, text } from './text.js'
import type { View } from './view.js'
import { lines } from './wires.js'

export type { NegotiateOptions } from './options.js'
export type { State } from './rules.js'
export type { Action, View } from './view.js'

const definition: GameDefinition = {
  game: negotiate,
  title: 'Negotiate and Conquer',
  summary: 'Daimyo court lords by day and in secret by night; the lords lend their force to whom they know best.',
  wires: { lines },
  wire: 'lines',
  scoring: { draw: 0, ties: [{ tally: 'strength24', of: 'all', name: 'Strength/24' }] },
  fields,
  question: (view) => kindOf(view as View),
  figures: (state, seat) => figures(state as State, seat),
  text: (view) => text(view as View),
  board: (state) => board(state as State),
  transcript,
  conform,
}
export default definition
