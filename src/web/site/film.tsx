import { type ReactNode, useMemo } from 'react'
import type { PackedMatch } from '../document.js'
import { placeOf } from '../hash.js'
import { Replay } from '../replay/replay.js'
import { type Shared, SharedProvider } from '../shared.js'
import { go, pathTo, useAddress } from './router.js'
import { SiteBar } from './shell.js'

interface FilmProps {
  readonly packed: PackedMatch
  /** Whose match it is; undefined: of none. */
  readonly contest?: string
  /** The address of a place in the match. */
  readonly own: (turn: number | undefined, as: number | undefined) => string
  readonly note?: ReactNode
  /** Where the way back leads, and what it is called; absent: to the contest's matches, or to all contests. */
  readonly back?: readonly [to: string, name: string]
  /** The turn that is shown first, where the address says none. */
  readonly start?: number
}

/** A match in the replay player. */
export function Film({ packed, contest, own, note, back, start }: FilmProps) {
  const { query } = useAddress()
  const shared = useMemo((): Shared => {
    const usual = contest === undefined ? (['/', 'All contests'] as const) : [pathTo(['contests', contest, 'matches'])]
    const [to = '/', name] = back ?? usual
    const href: Shared['href'] = ({ match, turn, as }) => (match === undefined ? to : own(turn, as))
    return {
      place: { turn: start, ...placeOf(query), match: 'match' },
      back: name,
      href,
      go: (place, replace) => go(href(place), replace),
    }
  }, [contest, packed, query.toString()])
  return (
    <SharedProvider value={shared}>
      <SiteBar />
      {note}
      <Replay packed={packed} />
    </SharedProvider>
  )
}
