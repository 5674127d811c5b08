import type { Contest, Standings, Stopped } from '../core/index.js'
import { type ResolvedContest, gameFile } from '../contest/index.js'
import type { RunResult } from '../engine/index.js'
import type { Exclusion } from '../store/index.js'
import type { LeftOut } from './admit.js'
import type { Strengths } from './ranking/strengths.js'
import type { FaultCount } from '../archive/faults.js'
import { eloDocument } from './ranking/elo-table.js'
import type { Measured } from './policy.js'
import { VERSION } from './version.js'
import { authorsOf } from './plan.js'

/** What contest.json holds. */
export type ContestJson = Readonly<Record<string, unknown>> & { readonly gameFile?: string }

/** contest.json: what was played, for people and for `agon verify`. */
export function contestFacts({ file, definition }: ResolvedContest, contest: Contest, seed: string): ContestJson {
  const own = gameFile(definition)
  return {
    agon: VERSION,
    ...contest,
    game: definition.game.id,
    version: definition.game.version,
    seed,
    contestFile: file,
    // A game that does not come with agon is loaded again to judge its records.
    gameFile: own,
  }
}

/** What a document is made of. */
interface RunFacts {
  readonly contest: Contest
  readonly game: string
  readonly seed: string
  readonly result: RunResult
  readonly standings: Standings
  readonly faults: FaultCount
  readonly leftOut: readonly LeftOut[]
  readonly excluded: readonly Exclusion[]
  /** Where it was played until settled. */
  readonly stopped: Stopped | undefined
  readonly strengths: Strengths
  readonly exploitability: ReturnType<typeof exploitabilityFacts>
}

/** The results as one document: results.json, and what programs are given. */
export function runDocument({
  contest,
  game,
  seed,
  result,
  standings,
  faults,
  leftOut,
  excluded,
  stopped,
  strengths: { elo, scores },
  exploitability,
}: RunFacts): unknown {
  return {
    contest: contest.title,
    game,
    seed,
    finished: result.finished,
    matches: result.played + result.reused,
    played: result.played,
    reused: result.reused,
    stopped,
    ...tableFacts(standings, faults, authorsOf(contest.entrants)),
    elo: elo ? eloDocument(elo) : undefined,
    scores,
    exploitability: exploitability.length > 0 ? exploitability : undefined,
    leftOut: leftOut.map(({ name, why }) => ({ name, why })),
    excluded: excluded.length > 0 ? excluded : undefined,
  }
}

/** How much best answers win of those that could be measured. */
export const exploitabilityFacts = (names: readonly string[], measured: readonly (Measured | null | undefined)[]) =>
  measured.flatMap((one, entrant) => (one ? [{ name: names[entrant] ?? '', ...one }] : []))

/** The table and the faults, as every document has them. */
export function tableFacts(
  standings: Standings,
  faults: FaultCount,
  authors: Readonly<Record<string, string>> | undefined = {},
) {
  return {
    standings: standings.rows.map(({ rank, name, points, cells, bound }) => ({
      rank,
      name,
      author: Object.hasOwn(authors, name) ? authors[name] : undefined,
      points,
      ...(standings.columns.length > 0 && {
        cells: Object.fromEntries(standings.columns.map((column, i) => [column, cells[i] ?? null])),
      }),
      bound,
    })),
    notes: standings.notes,
    faults: Object.fromEntries([...faults].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
