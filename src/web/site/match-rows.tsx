import { MatchList } from '../match-list.js'
import type { MatchFacts } from './facts.js'
import { pathTo } from './router.js'

interface MatchRowsProps {
  readonly contest: string
  readonly matches: readonly MatchFacts[]
  /** Whose matches they are: how each ended for it stands first. */
  readonly of?: string
  /** Tells one list of a page from another. */
  readonly label?: string
}

/** Matches of a contest, a row each; each leads to its replay. */
export function MatchRows({ contest, matches, ...more }: MatchRowsProps) {
  const listed = matches.map((match) => ({
    ...match,
    href: pathTo(['matches', match.id], { contest }),
    seats: match.seats.map((seat) => ({ ...seat, href: pathTo(['contests', contest, 'bots', seat.name]) })),
    faults: match.seats.reduce((sum, seat) => sum + seat.faults.length, 0),
  }))
  return <MatchList matches={listed} {...more} />
}
