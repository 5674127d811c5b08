import type { GameDefinition } from '../../core/index.js'
import { conform } from './conform.js'
import { game } from './rules.js'
import { reduced } from './reduced.js'
import * as texts from './text.js'
import { turn } from './wires.js'

/** Ultimate Samurai Showdown (2015): two swordsmen, six actions, honour as the resource. */
const definition: GameDefinition = {
  game,
  title: 'Ultimate Samurai Showdown',
  summary: 'Two samurai act at the same time, a turn after the other, until one is dead or has lost his honour.',
  wires: { turn },
  wire: 'turn',
  open: true,
  ...texts,
  reduced,
  conform,
}
export default definition
