import type { GameDefinition } from '../../core/index.js'
import { conform } from './conform.js'
import { coup } from './rules.js'
import * as texts from './text.js'
import { file } from './wires.js'

const definition: GameDefinition = {
  game: coup,
  title: 'Stage a Coup',
  summary: 'Two players claim characters they may not hold; the last with a card wins.',
  wires: { file },
  wire: 'file',
  scoring: { draw: 0 },
  ...texts,
  conform,
}
export default definition
