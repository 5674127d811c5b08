import { readMove } from '../../core/index.js'
import { type Differences, replayed } from '../../core/recorded.js'
import { CARDS, GIVEN_UP } from './cards.js'
import { OPTIONS } from './options.js'
import { coup } from './rules.js'
import { file as wire } from './wires.js'

/** A game as the arbiter played it. Cards are signs of giving up; a deck's top is its last. */
interface Recorded {
  readonly deckAfterEachShuffle: readonly string[]
  readonly dealt: readonly string[]
  readonly calls: readonly Call[]
  readonly file: string
  readonly winner: number | null
  readonly reason: string
}
interface Call {
  readonly seat: number
  readonly args: readonly [theirCoins: number, coins: number, cards: string, legal: readonly string[]]
  readonly move: string
  readonly stdout?: string
  readonly after: { readonly coins: readonly number[]; readonly cards: readonly string[] }
}

/** Replays a recorded game by the rules and the file wire; what differs, in words. */
export const conform = (line: unknown): readonly string[] => replayed(line, replay)

function replay(game: Recorded, differences: Differences): void {
  const differ = differences.compare.bind(differences)
  const { tape, shuffles } = drawnCards(game)
  let state = coup.setup(2, OPTIONS, { seed: '', at: 0, tape })
  differ(
    'first deck',
    multiset(game.deckAfterEachShuffle[0] ?? ''),
    multiset(held(state.hands.join('')) + held(state.deck)),
  )
  differ('dealt', state.hands.map(held), game.dealt)
  for (const [n, call] of game.calls.entries()) {
    const at = `call ${n + 1}`
    if (state.end) return differences.add(`${at}: recorded, but here the game is over`)
    differ(`${at}, seat`, coup.toMove(state)[0], call.seat)
    const view = coup.view(state, call.seat)
    const me = { seat: call.seat, ids: [0, 1], field: 2 }
    const [theirCoins, coins, cards, legal] = call.args
    const input = wire.ask(view, me)
    differ(`${at}, arguments`, input.argv, [String(theirCoins), String(coins), cards, ...legal])
    const move = readMove(coup, wire, { file: `${input.file}${call.move}`, out: call.stdout }, view, me)
    if (typeof move !== 'string')
      differences.add(`${at}: the move ${JSON.stringify(call.move)} is a fault here: ${move.why}`)
    differ(`${at}, an exchange`, view.drawn !== '', call.stdout !== undefined)
    state = coup.play(state, call.seat === 0 ? [move as never, undefined] : [undefined, move as never])
    differ(`${at}, after`, { coins: state.coins, cards: state.hands.map(held) }, call.after)
    const deck = shuffles.get(n)
    if (deck !== undefined) differ(`${at}, deck`, multiset(held(state.deck + state.drawn)), multiset(deck))
  }
  differ('cards drawn', state.luck.at, tape.length)
  differ('file', state.file, game.file)
  differ('winner', state.end?.winner, game.winner)
  differ('reason', state.end?.reason, game.reason)
}

/**
 * Draws: four cards first, two before a call of more cards than the hand, one a shown card. `shuffles`: decks by call.
 */
function drawnCards(game: Recorded): {
  readonly tape: readonly string[]
  readonly shuffles: ReadonlyMap<number, string>
} {
  const tape: string[] = []
  const shuffles = new Map<number, string>()
  let deck = ''
  let seen = 0
  const shuffle = (): string => {
    const next = game.deckAfterEachShuffle[seen++]
    if (next === undefined) throw new Error('a shuffle is missing from deckAfterEachShuffle')
    deck = next
    return next
  }
  const drawOne = (): void => {
    const card = CARDS[GIVEN_UP.indexOf(deck.at(-1) as (typeof GIVEN_UP)[number])]
    if (card === undefined) throw new Error(`no card to draw on top of the deck ${JSON.stringify(deck)}`)
    tape.push(card)
    deck = deck.slice(0, -1)
  }
  shuffle()
  for (let k = 0; k < 4; k++) drawOne()
  let hands: readonly string[] = game.dealt
  let open = ''
  for (const [n, call] of game.calls.entries()) {
    const exchange = call.args[2].length > (hands[call.seat] ?? '').length
    if (exchange) {
      drawOne()
      drawOne()
    }
    const replaced = '^*!$'.includes(call.move) || (call.move === '~' && open[0] === 'S')
    if (replaced) drawOne()
    if (replaced || exchange) shuffles.set(n, shuffle())
    hands = call.after.cards
    open = call.move.endsWith('\n') ? '' : open + call.move
  }
  if (seen < game.deckAfterEachShuffle.length) throw new Error('deckAfterEachShuffle has a shuffle too many')
  return { tape, shuffles }
}

const held = (cards: string): string =>
  [...cards].map((card) => GIVEN_UP[CARDS.indexOf(card as never)] ?? card).join('')
const multiset = (cards: string): string => [...cards].sort().join('')
