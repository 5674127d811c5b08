/** The five characters in the rules' order; cards held or shown are these signs (rule 1.1). */
export const CARDS = ['~', '^', '*', '!', '$'] as const
export type Card = (typeof CARDS)[number]

/** Each card's sign when given up, in the same order. */
export const GIVEN_UP = ['_', "'", '<', '=', '0'] as const
export type GivenUp = (typeof GIVEN_UP)[number]

export const NAMES: Readonly<Record<Card, string>> = {
  '~': 'Ambassador',
  '^': 'Assassin',
  '*': 'Captain',
  '!': 'Contessa',
  $: 'Duke',
}

/** What each action or block claims. Income, foreign aid and the coup claim nothing. */
export const CLAIMS = { E: '~', T: '$', A: '^', S: '*', d: '$', a: '~', c: '*', s: '!' } as const
export type Claim = keyof typeof CLAIMS

/** What is on offer and shown in words. */
export const WORDS = {
  I: 'income',
  F: 'foreign aid',
  E: 'exchange',
  T: 'tax',
  A: 'assassinate',
  C: 'coup',
  S: 'steal',
  d: 'block as the Duke',
  a: 'block as the Ambassador',
  c: 'block as the Captain',
  s: 'block as the Contessa',
  p: 'let it pass',
  q: 'challenge',
  end: 'end the turn',
} as const

/** Everything a player can answer (rule 9.1). */
export type Action = keyof typeof WORDS | Card | GivenUp | `keep ${string}`

/** The sign with which a held card is given up. */
export function giveUp(card: Card): GivenUp {
  return GIVEN_UP[CARDS.indexOf(card)] as GivenUp
}

/** The card that a sign of giving up means; undefined for other texts. */
export function cardGivenUp(text: string): Card | undefined {
  const at = (GIVEN_UP as readonly string[]).indexOf(text)
  return at < 0 ? undefined : CARDS[at]
}

export function isCard(text: string): text is Card {
  return (CARDS as readonly string[]).includes(text)
}

/** The cards of a hand or a deck, '~~$'. Other signs are the caller's fault. */
export function cardsOf(hand: string): readonly Card[] {
  return hand.split('') as Card[]
}

/** A hand or deck without one of its cards, in order. */
export function without(hand: string, card: Card): string {
  return hand.replace(card, () => '')
}
