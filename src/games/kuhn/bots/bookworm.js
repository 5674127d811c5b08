/**
 * Bookworm: has read that a bluff is a lie. It bets a king, pays a bet with a queen or a king, and passes otherwise.
 *
 * @param {{ card: string, said: readonly string[] }} view
 * @returns {string} the action
 */
export default function bookworm({ card, said }) {
  const isAsked = said.at(-1) === 'bet'
  return card === 'K' || (isAsked && card === 'Q') ? 'bet' : 'pass'
}
