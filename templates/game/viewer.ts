import type { ShownSeats } from 'agon'
import type { State } from './rules.js'

/** Authors choose their bots' names. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/**
 * The position as a picture for replays: one SVG text, from the state and who plays alone. It is shown in a frame without scripts and without
 * styles, so colours are attributes (`fill="…"`); `colours` are those of the page around it.
 */
export function viewer({ prizes, turn, hands, points, bids }: State, { names, colours }: ShownSeats): string {
  const most = prizes.reduce((sum, prize) => sum + prize, 0)
  const row = (seat: number): string => {
    const top = 40 + 44 * seat
    const width = (300 * (points[seat] ?? 0)) / most
    const cards = (hands[seat] ?? []).join(' ')
    const bid = bids === null ? '' : `bid ${bids[seat]}`
    return `<g font-family="sans-serif" font-size="12" fill="currentColor">
      <rect x="8" y="${top}" width="300" height="14" fill="#8884" />
      <rect x="8" y="${top}" width="${width}" height="14" fill="${colours[seat]}" />
      <text x="316" y="${top + 12}">${points[seat]} ${bid}</text>
      <text x="8" y="${top + 28}" font-size="10">${escaped(names[seat] ?? '')}: ${cards}</text>
    </g>`
  }
  const prize = prizes[turn]
  const head = prize === undefined ? 'All prizes are taken' : `A prize of ${prize}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 ${44 * hands.length + 48}">
    <text x="8" y="24" font-family="sans-serif" font-size="16" fill="currentColor">${head}</text>
    ${hands.map((_, seat) => row(seat)).join('\n')}
  </svg>`
}
