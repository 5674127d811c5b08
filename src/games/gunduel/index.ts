import type { GameDefinition } from '../../core/index.js'
import { conform } from './conform.js'
import { reduced } from './reduced.js'
import { gunduel } from './rules.js'
import * as texts from './text.js'
import { wires } from './wires.js'

const definition: GameDefinition = {
  game: gunduel,
  title: 'The gun duel',
  summary: 'Two duellists load, fire and shield at the same time; a shot that meets no shield of its kind kills.',
  wires,
  wire: 'lines',
  scoring: { draw: 0 },
  open: true,
  ...texts,
  reduced,
  conform,
}
export default definition
