import { useEffect, useState } from 'react'
import type { MatchRecord } from '../../core/index.js'
import type { ComputedMatch, PackedMatch } from '../document.js'
import { listen } from './live.js'
import { pathTo } from './router.js'

/** A match while it is played, as far as the page has received it. */
export interface Watching {
  /** undefined: nothing has come yet, or nothing is shown of it. */
  readonly packed?: PackedMatch
  /** Why no more of it is shown. */
  readonly sealed?: 'hidden' | 'chance'
  /** Its number, once it is stored. */
  readonly ended?: number
  /** It is neither played nor stored. */
  readonly gone?: true
  readonly connected: boolean
}

type Began = Omit<MatchRecord, 'luck' | 'outcome'> & { readonly positions?: ComputedMatch }
interface Steps extends Pick<MatchRecord, 'steps' | 'times'> {
  readonly from: number
  readonly positions?: ComputedMatch
}

/** Watches a match of a contest. */
export function useWatching(contest: string, key: string): Watching {
  const [watching, setWatching] = useState<Watching>({ connected: true })
  useEffect(() => {
    const note = (news: Partial<Watching>) => setWatching((now) => ({ ...now, ...news }))
    const end = listen(
      pathTo(['contests', contest, 'live', 'events'], { match: key }),
      (connected) => note({ connected }),
      {
        began: (began: Began) => setWatching({ packed: begunOf(began), connected: true }),
        steps: (steps: Steps) =>
          setWatching((now) => (now.packed ? { ...now, packed: withSteps(now.packed, steps) } : now)),
        sealed: ({ why }: { readonly why: 'hidden' | 'chance' }) => note({ sealed: why }),
        ended({ match }: { readonly match: number }) {
          end()
          note({ ended: match })
        },
        gone() {
          end()
          note({ gone: true })
        },
      },
    )
    return end
  }, [contest, key])
  return watching
}

/** A record that has no end yet. Nothing was drawn of its luck, so any does. */
function begunOf({ positions, ...began }: Began): PackedMatch {
  const outcome = { place: began.seats.map(() => 1), reason: '' }
  return { record: { ...began, luck: { seed: '', at: 0 }, outcome }, positions, live: true }
}

function withSteps(
  { record, positions }: PackedMatch,
  { from, steps, times = [], positions: more }: Steps,
): PackedMatch {
  const grown = {
    ...record,
    steps: [...record.steps.slice(0, from), ...steps],
    times: [...(record.times ?? []).slice(0, from), ...times],
  }
  return { record: grown, live: true, positions: positions && more && joined(positions, more, from) }
}

/** Positions as text, the first of `more` being that after step `from`. */
const joined = (positions: ComputedMatch, more: ComputedMatch, from: number): ComputedMatch => ({
  boards: [...positions.boards.slice(0, from + 1), ...more.boards],
  moves: [...positions.moves.slice(0, from), ...more.moves],
  figures: positions.figures && more.figures && [...positions.figures.slice(0, from + 1), ...more.figures],
  pictures: positions.pictures && more.pictures && [...positions.pictures.slice(0, from + 1), ...more.pictures],
})
