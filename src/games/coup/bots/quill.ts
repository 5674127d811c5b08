import type { Bot } from '../../../core/index.js'
import type { Action, Card, GivenUp } from '../cards.js'
import type { View } from '../view.js'

/** Quill: never claims a card it does not hold, and challenges only what it can prove to be a lie. */
const bot: Bot<View, Action> = (view) => {
  const line = view.file.slice(view.file.lastIndexOf('\n') + 1)
  const last = line.at(-1) ?? ''
  const hand = byTaste(view.cards)
  const holds = (card: Card): boolean => view.cards.includes(card)
  if (view.drawn !== '')
    return `keep ${byTaste(view.drawn + view.cards)
      .slice(0, hand.length)
      .join('')}`
  if (last === '') return open(view, holds)
  if (last === 'q') {
    const claimed = CLAIMED[line.at(-2) ?? '']
    return claimed && holds(claimed) ? claimed : worst(hand)
  }
  if ('dacs'.includes(last)) return impossible(view, last) ? 'q' : 'end'
  if ("p_'<=0".includes(last)) return 'end'
  if (last === 'F') return holds('$') ? 'd' : 'p'
  if (last === 'S' && holds('*')) return 'c'
  if (last === 'S' && holds('~')) return 'a'
  if (last === 'A' && holds('!')) return 's'
  if ('ETSA'.includes(last) && impossible(view, last)) return 'q'
  return 'ETS'.includes(last) ? 'p' : worst(hand)
}
export default bot

const TASTE = '^$*!~'
const GIVEN_UP: Readonly<Record<Card, GivenUp>> = { '~': '_', '^': "'", '*': '<', '!': '=', $: '0' }
const CLAIMED: Readonly<Record<string, Card>> = { E: '~', T: '$', A: '^', S: '*', d: '$', a: '~', c: '*', s: '!' }

function open(view: View, holds: (card: Card) => boolean): Action {
  const { coins, options } = view
  if (coins >= options.coup) return 'C'
  if (holds('^') && coins >= options.assassination) return 'A'
  if (holds('$')) return 'T'
  if (holds('*') && view.theirCoins > 0) return 'S'
  if (holds('~')) return 'E'
  return coins >= options.must ? 'C' : 'F'
}

/** Whether all copies of the claimed card are in the own hand or lie face up. */
function impossible(view: View, claim: string): boolean {
  const seen = [...(view.cards + view.lost + view.theirLost)].filter((card) => card === CLAIMED[claim])
  return seen.length >= view.options.cards
}

function byTaste(cards: string): Card[] {
  return ([...cards] as Card[]).sort((a, b) => TASTE.indexOf(a) - TASTE.indexOf(b))
}

function worst(hand: readonly Card[]): GivenUp {
  return GIVEN_UP[hand.at(-1) ?? '~']
}
