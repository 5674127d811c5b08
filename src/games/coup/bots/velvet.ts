import type { Bot } from '../../../core/index.js'
import type { Action, Card, GivenUp } from '../cards.js'
import type { View } from '../view.js'

/** Velvet: is Duke, Assassin and every blocker at once until somebody challenges it; from then on it holds what it claims. */
const bot: Bot<View, Action> = (view, chance) => {
  const line = view.file.slice(view.file.lastIndexOf('\n') + 1)
  const last = line.at(-1) ?? ''
  const bold = !doubted(view)
  const may = (card: Card): boolean => bold || view.cards.includes(card)
  const hand = byTaste(view.cards)
  if (view.drawn !== '')
    return `keep ${byTaste(view.drawn + view.cards)
      .slice(0, hand.length)
      .join('')}`
  if (last === '') return open(view, may)
  if (last === 'q') {
    const claimed = CLAIMED[line.at(-2) ?? '']
    return claimed && view.cards.includes(claimed) ? claimed : loss(hand)
  }
  if ("p_'<=0".includes(last)) return 'end'
  if ('dacs'.includes(last)) return chance.random() < 0.2 ? 'q' : 'end'
  if (last === 'F') return may('$') ? 'd' : 'p'
  if (last === 'S') return may('*') ? 'c' : may('~') ? 'a' : 'p'
  if (last === 'A') return may('!') || hand.length === 1 ? 's' : loss(hand)
  return 'ET'.includes(last) ? 'p' : loss(hand)
}
export default bot

const TASTE = '$^!*~'
const GIVEN_UP: Readonly<Record<Card, GivenUp>> = { '~': '_', '^': "'", '*': '<', '!': '=', $: '0' }
const CLAIMED: Readonly<Record<string, Card>> = { E: '~', T: '$', A: '^', S: '*', d: '$', a: '~', c: '*', s: '!' }

function open(view: View, may: (card: Card) => boolean): Action {
  const { coins, options } = view
  if (coins >= options.coup) return 'C'
  if (may('^') && coins >= options.assassination) return 'A'
  if (may('$')) return 'T'
  if (may('*') && view.theirCoins > 1) return 'S'
  return coins >= options.must ? 'C' : 'I'
}

/** Whether any claim of its own was ever challenged: own actions open lines of its own, own blocks stand second in the others'. */
function doubted(view: View): boolean {
  return view.file.split('\n').some((line, n) => line.charAt(n % 2 === view.seat ? 1 : 2) === 'q')
}

function byTaste(cards: string): Card[] {
  return ([...cards] as Card[]).sort((a, b) => TASTE.indexOf(a) - TASTE.indexOf(b))
}

function loss(hand: readonly Card[]): GivenUp {
  return GIVEN_UP[hand.at(-1) ?? '~']
}
