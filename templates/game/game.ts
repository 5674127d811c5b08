import type { GameDefinition } from 'agon'
import { board, fields, figures } from './board.js'
import { game } from './rules.js'
import { viewer } from './viewer.js'

/** The game as agon knows it: its rules, and what shows it to people. */
export default {
  game,
  title: '__TITLE__',
  summary: 'Players bid their cards for prizes that are turned over one by one.',
  fields,
  figures,
  board,
  viewer,
} satisfies GameDefinition
