import type { State, View } from './rules.js'

/** What each key of a view means, for those who write bots. */
export const fields: Readonly<Record<keyof View, string>> = {
  turn: 'turns played',
  prize: 'what is bid for; 0 once all are taken',
  hand: 'your cards',
  points: 'what you have taken so far',
  others: 'the other players from the next seat on, each with hand and points',
}

/** The whole position as a few lines for a terminal. */
export function board({ prizes, turn, hands, points, bids }: State): string {
  const prize = prizes[turn]
  const head =
    prize === undefined ? 'all prizes are taken' : `turn ${turn + 1} of ${prizes.length}: a prize of ${prize}`
  const line = (seat: number): string => {
    const bid = bids === null ? '' : `  bid ${bids[seat]}`
    return `seat ${seat}  ${String(points[seat]).padStart(3)} points${bid}  hand ${hands[seat]?.join(' ')}`
  }
  return [head, ...hands.map((_, seat) => line(seat))].join('\n')
}

/** What matters of a seat, in a few characters beside its move. */
export const figures = ({ points }: State, seat: number): string => `${points[seat]} points`
