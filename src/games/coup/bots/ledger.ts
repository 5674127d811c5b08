import type { Bot } from '../../../core/index.js'
import type { Action, Card, GivenUp } from '../cards.js'
import type { View } from '../view.js'

/**
 * Ledger: keeps books on what the other can hold: copies still unseen, claims made and not shown since, bluffs that were caught.
 * It doubts what is unlikely and bluffs where it pays.
 */
const bot: Bot<View, Action> = (view, chance) => {
  const line = view.file.slice(view.file.lastIndexOf('\n') + 1)
  const last = line.at(-1) ?? ''
  const hand = byTaste(view.cards)
  const holds = (card: Card): boolean => view.cards.includes(card)
  if (view.drawn !== '') return `keep ${pickHand(view.drawn + view.cards, hand.length)}`
  if (last === '') return open(view, holds, chance.random())
  if (last === 'q') {
    const claimed = CLAIMED[line.at(-2) ?? '']
    return claimed && holds(claimed) ? claimed : loss(hand)
  }
  if ("p_'<=0".includes(last)) return 'end'
  const truth = CLAIMED[last] ? likely(view, CLAIMED[last], last) : 1
  if ('dacs'.includes(last)) return truth < (last === 's' ? 0.55 : 0.5) ? 'q' : 'end'
  if (last === 'F') return holds('$') || (view.theirCards === 2 && chance.random() < 0.3) ? 'd' : 'p'
  if (last === 'S' && holds('*')) return 'c'
  if (last === 'S' && holds('~')) return 'a'
  if (last === 'A' && holds('!')) return 's'
  if (last === 'A') return assassinated(view, hand, truth, chance.random())
  if ('ETS'.includes(last)) return truth < (last === 'E' ? 0.2 : 0.38) ? 'q' : 'p'
  return loss(hand)
}
export default bot

const TASTE = '^$*!~'
const GIVEN_UP: Readonly<Record<Card, GivenUp>> = { '~': '_', '^': "'", '*': '<', '!': '=', $: '0' }
const CLAIMED: Readonly<Record<string, Card>> = { E: '~', T: '$', A: '^', S: '*', d: '$', a: '~', c: '*', s: '!' }

/** Bluffs as boldly as its claims were believed so far: nerve is a half at first. */
function open(view: View, holds: (card: Card) => boolean, dice: number): Action {
  const { coins, options } = view
  const nerve = nerveOf(view)
  if (coins >= options.coup) return 'C'
  if (coins >= options.assassination && (holds('^') || dice < nerve ** 2)) return 'A'
  if (holds('$')) return 'T'
  if (holds('*') && view.theirCoins > 1) return 'S'
  if (dice < nerve) return coins >= options.must ? 'C' : 'T'
  return holds('~') ? 'E' : /[Td]/.test(view.file) ? 'I' : 'F'
}

function nerveOf(view: View): number {
  let [believed, doubted] = [0, 0]
  view.file.split('\n').forEach((line, n) => {
    const at = n % 2 === view.seat ? 0 : 1
    if (CLAIMED[line.charAt(at)] === undefined || at + 1 >= line.length) return
    if (line.charAt(at + 1) === 'q') doubted++
    else believed++
  })
  return (1 + believed) / (2 + believed + 2 * doubted)
}

/** With one card left there is nothing to lose; with two the second is worth more than a coin toss. */
function assassinated(view: View, hand: readonly Card[], truth: number, dice: number): Action {
  if (truth < 0.3) return 'q'
  if (hand.length === 1) return truth < 0.55 ? 'q' : 's'
  return dice < 0.15 ? 's' : loss(hand)
}

/** How likely the other holds a card that it claims now: by the unseen copies, then by its claims and by its caught bluffs. */
function likely(view: View, card: Card, claim: string): number {
  const seen = [...(view.cards + view.lost + view.theirLost)]
  const copies = view.options.cards - seen.filter((each) => each === card).length
  const unseen = 5 * view.options.cards - seen.length
  let without = 1
  for (let k = 0; k < view.theirCards; k++) without *= Math.max(0, unseen - copies - k) / (unseen - k)
  const { caught, shown, repeated } = books(view, card)
  const bluffs = (0.8 + caught) / (2 + caught + shown)
  const odds = ((1 - without) / Math.max(without, 1e-9)) * (0.8 / bluffs) * 1.25 ** repeated
  return copies === 0 ? 0 : claim === 'd' || claim === 'c' ? odds / (0.9 + odds) : odds / (1 + odds)
}

/** What the lines tell of the other: bluffs caught, claims shown, and how often it claimed this card before. */
function books(view: View, card: Card): { caught: number; shown: number; repeated: number } {
  const count = { caught: 0, shown: 0, repeated: 0 }
  view.file.split('\n').forEach((line, n) => {
    const at = n % 2 === view.seat ? 1 : 0
    const claimed = CLAIMED[line.charAt(at)]
    if (claimed === undefined) return
    const doubted = line.charAt(at + 1) === 'q'
    if (doubted && line.charAt(at + 2) === claimed) count.shown++
    else if (doubted) count.caught++
    if (claimed === card && !doubted && at + 1 < line.length) count.repeated++
  })
  return count
}

/** Two different cards before two of the same. */
function pickHand(cards: string, size: number): string {
  const sorted = byTaste(cards)
  const different = sorted.filter((card, k) => sorted.indexOf(card) === k)
  const twins = sorted.filter((card, k) => sorted.indexOf(card) !== k)
  return [...different, ...twins].slice(0, size).join('')
}

function byTaste(cards: string): Card[] {
  return ([...cards] as Card[]).sort((a, b) => TASTE.indexOf(a) - TASTE.indexOf(b))
}

function loss(hand: readonly Card[]): GivenUp {
  const twin = hand.find((card, k) => hand.indexOf(card) !== k)
  return GIVEN_UP[twin ?? hand.at(-1) ?? '~']
}
