import { describe } from 'vitest'
import type { Store } from '../../src/store/port.js'
import { describeCheckpoints } from './store-checkpoints.js'
import { describeDumps } from './store-dumps.js'
import { describeGames } from './store-games.js'
import { describeLeases } from './store-leases.js'
import { describeLog } from './store-log.js'
import { describeMatches } from './store-matches.js'
import { openings } from './store-opening.js'
import { describeRuns } from './store-runs.js'

/** What every store does, port by port. `open` opens the store of a workspace, made where there is none. */
export function describeStore(kind: string, open: (workspace: string) => Promise<Store>): void {
  describe(`${kind}: the store`, () => {
    const opening = openings(open)
    describeRuns(opening)
    describeMatches(opening)
    describeGames(opening)
    describeCheckpoints(opening)
    describeLeases(opening)
    describeLog(opening)
    describeDumps(opening)
  })
}
