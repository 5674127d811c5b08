import type { GameDefinition } from '../../core/index.js'
import { conform } from './conform.js'
import { game } from './rules.js'
import type { State, View } from './rules.js'
import { published, transcript } from './published.js'
import { reduced } from './reduced.js'
import { board, essence, fields, figures, meanings, text } from './text.js'
import { turn } from './wires.js'

export type { Action as SamuraiAction, SamuraiOptions, View as SamuraiView } from './rules.js'

/** Ultimate Samurai Showdown (2015): two swordsmen, six actions, honour as the resource. */
const definition: GameDefinition = {
  game: game,
  title: 'Ultimate Samurai Showdown',
  summary: 'Two samurai act at the same time, a turn after the other, until one is dead or has lost his honour.',
  wires: { turn },
  wire: 'turn',
  open: true,
  actions: meanings,
  fields,
  essence: (view) => essence(view as View),
  reduced: (state) => reduced(state as State),
  figures: (state, seat) => figures(state as State, seat),
  text: (view, seat) => text(view as View, seat),
  board: (state) => board(state as State),
  transcript,
  published,
  conform,
}
export default definition
