import { lookUp } from '../../core/index.js'
import { CLAIMS, NAMES } from './cards.js'
import type { Card, Claim } from './cards.js'
import type { State } from './rules.js'
import { actions, coinsText } from './text.js'
import type { View } from './view.js'

/** What is drawn of a table; '?' is a card that this reader may not see. */
export interface Scene {
  readonly hands: readonly string[]
  readonly lost: readonly string[]
  readonly coins: readonly number[]
  /** On offer in an exchange. */
  readonly drawn: string
  readonly deck: number | undefined
  readonly file: string
}

/** What of it a seat may know. */
export function seen(view: View, seat: number): Scene {
  const pair = <T>(own: T, other: T): readonly T[] => (seat === 0 ? [own, other] : [other, own])
  return {
    hands: pair(view.cards, '?'.repeat(view.theirCards)),
    lost: pair(view.lost, view.theirLost),
    coins: pair(view.coins, view.theirCoins),
    drawn: view.drawn,
    deck: undefined,
    file: view.file,
  }
}

/** The whole position. */
export const sceneOf = ({ hands, lost, coins, drawn, deck, file }: State): Scene => ({
  hands,
  lost,
  coins,
  drawn,
  deck: deck.length,
  file,
})

/** The signs of a turn as what they mean. */
export const turnInWords = (line: string): string =>
  line === '' ? 'a turn begins' : `this turn: ${[...line].map((sign) => lookUp(actions, sign) ?? sign).join(', ')}`

/** How many cards are left, as far as one may know. */
export const deckInWords = (deck: number | undefined): string =>
  deck === undefined ? 'the court deck' : `${deck} in the deck`

const word = (action: string): string => actions[action] ?? action

/** A claim names the character that it claims. */
export function inWords(action: string): string {
  const card = CLAIMS[action as Claim]
  return card === undefined || 'dacs'.includes(action) ? word(action) : `${word(action)} as the ${NAMES[card]}`
}

/** What a seat has, in words. */
export function holdings({ hands, coins }: Scene, seat: number): string {
  const cards = [...(hands[seat] ?? '')].map((card) => NAMES[card as Card] ?? 'a hidden card')
  return `${coinsText(coins[seat])}, ${cards.join(' and ') || 'no cards'}`
}

/** Colours of the sigils, in which shapes tell characters apart. */
export const COLOURS: Readonly<Record<Card, string>> = {
  '~': 'var(--seat-2)',
  '^': 'var(--quiet)',
  '*': 'var(--seat-0)',
  '!': 'var(--seat-1)',
  $: 'var(--seat-3)',
}
/** One drawing a character, around its middle. */
export const SIGILS: Readonly<Record<Card, string>> = {
  '~': 'M-22-16h44v26H2l-12 14V10h-12z',
  '^': 'M0-30 7 8h-14zM-16 8h32v6h-12v16h-8V14h-12z',
  '*': 'M0-28a6 6 0 0 1 4 11v5h12v7H4V18q14-2 18-14l6 10Q18 28 0 28T-28 14l6-10q4 12 18 14V-5h-12v-7h12v-5a6 6 0 0 1 4-11z',
  '!': 'M0-26q14 0 14 16 12 6 12 36h-52q0-30 12-36 0-16 14-16z',
  $: 'M-28 20V-12l14 14L0-22 14 2l14-14v32z',
}
