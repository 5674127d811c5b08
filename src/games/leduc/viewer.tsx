import { type CardScene, CardTable, viewer } from '../viewer-kit/index.js'
import type { State, View } from './rules.js'
import { roundsText } from './text.js'

export default viewer<CardScene, State, View>({
  game: 'leduc',
  scene: ({ cards, table, rounds, chips }) => ({ cards, table, chips, said: roundsText(rounds) }),
  seen: ({ card, table, rounds, chips, shown }, seat) => ({
    cards: [0, 1].map((each) => shown[each] ?? (each === seat ? card : '')),
    table,
    chips,
    said: roundsText(rounds),
  }),
  Board: CardTable,
  word: (action) => action,
  tallies: [{ name: 'chips', of: ({ chips }, seat) => chips[seat] ?? null }],
})
