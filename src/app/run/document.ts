import type { Entrant, EntrantSpec, Run, Standings, Stopped } from '../../core/index.js'
import type { ResolvedContest } from '../../contest/index.js'
import type { RunResult } from '../../engine/index.js'
import type { Exclusion } from '../../store/index.js'
import type { LeftOut } from './admit.js'
import { type Strengths, eloDocument } from '../compare/strengths.js'
import type { FaultCount } from '../../results/faults.js'

/** contest.json: what was played, for people and for `agon verify`. */
export const contestFacts = (
  { contest, file }: Pick<ResolvedContest, 'contest' | 'file'>,
  { agon, game, seed, entrants }: Pick<Run, 'agon' | 'game' | 'seed' | 'entrants'>,
): Readonly<Record<string, unknown>> => ({
  agon,
  ...contest,
  entrants: withLanguages(contest.entrants, entrants),
  game: game.id,
  version: game.version,
  seed,
  contestFile: file,
  // A game that does not come with agon is loaded again to judge its records.
  gameFile: game.file,
})

/** Specs with a language each: one that an entrant does not name is told by its files, which were looked at since. */
function withLanguages(specs: readonly EntrantSpec[], entrants: readonly Entrant[]): readonly EntrantSpec[] {
  const told = new Map(entrants.map(({ name, facts }) => [name, facts.language]))
  return specs.map((spec) => ({ ...spec, language: spec.language ?? told.get(spec.name) }))
}

/** What a document is made of. */
interface RunFacts {
  readonly run: Run
  readonly result: RunResult
  readonly standings: Standings
  readonly faults: FaultCount
  readonly leftOut: readonly LeftOut[]
  readonly excluded: readonly Exclusion[]
  /** Where it was played until settled. */
  readonly stopped: Stopped | undefined
  readonly strengths: Strengths
}

/** The results as one document: results.json, and what programs are given. */
export function runDocument({
  run: { contest, game, seed, entrants },
  result,
  standings,
  faults,
  leftOut,
  excluded,
  stopped,
  strengths: { elo, scores },
}: RunFacts): unknown {
  return {
    contest: contest.title,
    game: game.id,
    seed,
    finished: result.finished,
    matches: result.played + result.reused,
    played: result.played,
    reused: result.reused,
    stopped,
    ...tableFacts(standings, faults, entrants),
    elo: elo ? eloDocument(elo) : undefined,
    scores,
    leftOut: leftOut.map(({ name, why }) => ({ name, why })),
    excluded: excluded.length > 0 ? excluded : undefined,
  }
}

/** The table and the faults, as every document has them. */
export function tableFacts(standings: Standings, faults: FaultCount, entrants: readonly Entrant[]) {
  return {
    standings: standings.rows.map(({ rank, entrant, name, points, cells, bound }) => ({
      rank,
      name,
      ...entrants[entrant]?.facts,
      remote: entrants[entrant]?.remote,
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
