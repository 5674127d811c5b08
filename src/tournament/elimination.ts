import { bracket, type Draw, knockout } from './bracket.js'
import type { Format } from './format.js'

export const ELIMINATION: Format = {
  kind: 'elimination',
  keys: ['seeding'],
  sizes: 'two',
  deals: 'repeated',
  unlikeOpponents: true,
  openEnded: false,
  verb: 'went further',
  playoff: 'pairing',
  build: (spec) => knockout(spec, 1, draw),
}

/** Single elimination: the winners of a round play the next one, until one is left. */
const draw: Draw = function* (seeds) {
  let slots = bracket(seeds)
  while (slots.length > 1) slots = (yield slots).winners
}
