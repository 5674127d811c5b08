import type { GameKit } from '../../core/index.js'
import { conform } from './conform.js'
import { gunduel } from './rules.js'
import { actions, board, figures, text } from './text.js'
import { wires } from './wires.js'

export type { Action, GunduelOptions, Reason, State, View } from './rules.js'

const kit = {
  game: gunduel,
  title: 'The gun duel',
  summary: 'Two duellists load, fire and shield at the same time; a shot that meets no shield of its kind kills.',
  wires,
  wire: 'lines',
  scoring: { draw: 0 },
  open: true,
  actions,
  figures,
  text,
  board,
  conform,
} satisfies GameKit

export default kit as GameKit
