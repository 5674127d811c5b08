import type { GameDefinition } from '../../core/index.js'
import { conform } from './conform.js'
import { game } from './rules.js'
import * as texts from './text.js'
import { turn } from './wires.js'

/** What Doesn't Kill Me Makes Me Stronger (2015): all against all; every blow strengthens who takes it. */
const definition: GameDefinition = {
  game,
  title: "What Doesn't Kill Me Makes Me Stronger",
  summary:
    'Everyone attacks someone or defends at the same time; a blow costs life and gives power; the last one alive wins.',
  wires: { turn },
  wire: 'turn',
  scoring: { draw: 0, ties: [{ tally: 'life', of: 'won', name: 'Life' }] },
  open: true,
  ...texts,
  conform,
}
export default definition
