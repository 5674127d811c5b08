import { visible } from '../core/index.js'
import { counted } from '../text/index.js'
import type { Compared } from './diff.js'

/** Matches that are shown in full. */
const SHOWN = 20

/** A comparison for people: the first moves that differ. `whole`: how the door names the document that lists all of them. */
export function diffText({ contest, old, new: word, matches, moves, differing }: Compared, whole: string): string {
  const head = `${visible(contest)}: ${visible(word)} in the place of ${visible(old)}, ${counted(matches, 'match', 'matches')}`
  if (differing.length === 0) return `${head}: ${moves === 1 ? 'the only move' : `all ${moves} moves`} the same`
  const lines = differing
    .slice(0, SHOWN)
    .map(({ match, turn, was, is }) => `  ${visible(match)}, turn ${turn}: was ${visible(was)}, is ${visible(is)}`)
  const more = differing.length - lines.length
  return [
    `${head}: another move in ${differing.length} of them, the first of each:`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more: ${whole} lists all`] : []),
  ].join('\n')
}
