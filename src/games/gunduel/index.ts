import type { GameDefinition } from '../../core/index.js'
import { conform } from './conform.js'
import { published, transcript } from './published.js'
import { reduced } from './reduced.js'
import { gunduel } from './rules.js'
import { actions, board, essence, fields, figures, text } from './text.js'
import { wires } from './wires.js'

export type { Action, GunduelOptions, Reason, State, View } from './rules.js'

const definition = {
  game: gunduel,
  title: 'The gun duel',
  summary: 'Two duellists load, fire and shield at the same time; a shot that meets no shield of its kind kills.',
  wires,
  wire: 'lines',
  scoring: { draw: 0 },
  open: true,
  actions,
  fields,
  essence,
  reduced,
  figures,
  text,
  board,
  transcript,
  published,
  conform,
} satisfies GameDefinition

export default definition as GameDefinition
