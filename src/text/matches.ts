import { type FaultKind, visible } from '../core/index.js'
import { listed, number } from './numbers.js'
import { shorten } from './width.js'

/** What a fault was, in a line: 'Ant: timeout: did not end within 1000 ms (answered "B")'. */
export function faultText(
  name: string,
  fault: { readonly fault: FaultKind; readonly why?: string; readonly said?: string },
): string {
  const why = fault.why === undefined ? '' : `: ${fault.why}`
  const quoted =
    fault.said === undefined || fault.said === '' ? '' : ` (answered ${JSON.stringify(shorten(fault.said, 60))})`
  return visible(`${name}: ${fault.fault}${why}${quoted}`)
}

/** A match's end in a line: 'Ant wins: shot', 'Ant and Bee share first place: turn limit', 'Ant wins: end; score 3 to 0.5'. */
export function outcomeText(
  names: readonly string[],
  outcome: { readonly place: readonly number[]; readonly score?: readonly number[]; readonly reason: string },
): string {
  const first = [...new Set(names.filter((_, seat) => outcome.place[seat] === 1))].map(visible)
  const who = outcome.place.every((place) => place === 1)
    ? 'a draw'
    : first.length === 1
      ? `${first[0]} wins`
      : `${listed(first)} share first place`
  const score = outcome.score === undefined ? '' : `; score ${outcome.score.map(number).join(' to ')}`
  return `${who}: ${visible(outcome.reason)}${score}`
}

/** Who sits where: 'Ant (seat 0) against Bee (seat 1)'. */
export function seatsText(names: readonly string[]): string {
  return names.map((name, seat) => `${visible(name)} (seat ${seat})`).join(' against ')
}
