import { type CardScene, CardTable, viewer } from '../viewer-kit/index.js'
import type { State, View } from './rules.js'
import { paid, saidText } from './text.js'

const chipsOf = (said: State['said']): readonly number[] => [0, 1].map((seat) => paid(said, seat))

export default viewer<CardScene, State, View>({
  game: 'kuhn',
  scene: ({ cards, said }) => ({ cards, chips: chipsOf(said), said: saidText(said) }),
  seen: ({ card, said, shown }, seat) => ({
    cards: [0, 1].map((each) => shown[each] ?? (each === seat ? card : '')),
    chips: chipsOf(said),
    said: saidText(said),
  }),
  Board: CardTable,
  word: (action) => action,
  tallies: [{ name: 'chips', of: ({ chips }, seat) => chips[seat] ?? null }],
})
