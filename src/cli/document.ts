import { dirname, resolve } from 'node:path'
import type { Contest, Standings } from '../core/index.js'
import type { ResolvedContest } from '../contest/index.js'
import type { RunResult } from '../engine/index.js'
import type { FaultCount } from './faults.js'
import { VERSION } from './manifest.js'

/** contest.json: what was played, for people and for `agon verify`. */
export function contestFacts({ file, kit }: ResolvedContest, contest: Contest, seed: string): Record<string, unknown> {
  const own = contest.game !== kit.game.id
  return {
    agon: VERSION,
    ...contest,
    game: kit.game.id,
    version: kit.game.version,
    seed,
    contestFile: file,
    // A game that does not come with agon is loaded again to judge its records.
    ...(own && { gameFile: resolve(dirname(file), contest.game) }),
  }
}

/** What --json prints: one document. */
export function runDocument(
  contest: Contest,
  game: string,
  seed: string,
  result: RunResult,
  standings: Standings,
  faults: FaultCount,
): unknown {
  return {
    contest: contest.title,
    game,
    seed,
    finished: result.finished,
    matches: result.played + result.reused,
    played: result.played,
    reused: result.reused,
    standings: standings.rows.map(({ rank, name, points, cells }) => ({
      rank,
      name,
      points,
      ...(standings.columns.length > 0 && {
        cells: Object.fromEntries(standings.columns.map((column, i) => [column, cells[i] ?? null])),
      }),
    })),
    notes: standings.notes,
    faults: Object.fromEntries([...faults.entries()].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
