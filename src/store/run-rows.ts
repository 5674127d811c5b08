import type { Memory } from '../core/index.js'
import type { EntrantInfo, RunInfo, RunPlan, RunState, RunSummary } from './data.js'
import { bytesPart, sumOf, total } from './sums.js'

/** A run with its number here and its entrants' numbers. */
export interface RunEntry {
  readonly number: number
  readonly tournament: Uint8Array
  /** By index in the contest. */
  readonly entrants: readonly number[]
  readonly index: ReadonlyMap<number, number>
  readonly plan: RunPlan
}

/** A run as it lies there; `identity` and `plan` are JSON. */
export interface RunRow {
  readonly number: number
  readonly id: string
  readonly agon: string
  readonly contest: string
  readonly title: string
  readonly game: string
  readonly version: number
  readonly seed: string
  readonly out: string
  readonly began: string
  readonly ended: string | null
  readonly state: RunState
  readonly tournament: Uint8Array
  readonly identity: string
  readonly plan: string
  readonly matches: number
}

export const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex')

const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex')

/** A run's row as the list of runs has it. */
export const listedSum = ({ number, id }: Pick<RunRow, 'number' | 'id'>): number => sumOf('run', number, id)

/** The checksum of a run's own row; its counts have another. */
export const rowSum = (row: RunRow): number =>
  sumOf(
    row.number,
    row.id,
    row.agon,
    row.contest,
    row.title,
    row.game,
    row.version,
    row.seed,
    row.out,
    row.began,
    row.ended,
    row.state,
    bytesPart(row.tournament),
    row.identity,
    row.plan,
  )

/** What a run is, by its row; `parse` reads a column of JSON. */
export function summaryOf(
  { number: _number, ended, tournament, identity, plan, ...row }: RunRow,
  parse: <T>(text: string) => T,
): RunSummary {
  return {
    ...row,
    ended: ended ?? undefined,
    tournament: hex(tournament),
    identity: parse<RunInfo['identity']>(identity),
    plan: parse<RunPlan>(plan),
  }
}

/** The columns that a run's row is written with. */
export const WRITTEN =
  'id, agon, contest, title, game, version, seed, out, began, ended, state, tournament, identity, plan'

/** What is written in them, in their order. */
export const runValues = (run: RunInfo): readonly (string | number | Uint8Array | null)[] => [
  run.id,
  run.agon,
  run.contest,
  run.title,
  run.game,
  run.version,
  run.seed,
  run.out,
  run.began,
  run.ended ?? null,
  run.state,
  bytes(run.tournament),
  JSON.stringify(run.identity),
  JSON.stringify(run.plan),
]

/** The columns of a `RunRow`. */
export const COLUMNS = `number, ${WRITTEN}, matches`

/** A run's numbers, by its row and those of its entrants. */
export function entryOf(row: RunRow, plan: RunPlan, rows: readonly EntrantRow[]): RunEntry {
  const entrants = rows.map(({ number }) => number)
  return {
    number: row.number,
    tournament: row.tournament,
    entrants,
    index: new Map(entrants.map((entrant, place) => [entrant, place])),
    plan,
  }
}

/** The index in the run of the entrant with that number; -1: it is not among them. */
export const indexIn = (run: RunEntry, entrant: number): number => run.index.get(entrant) ?? -1

/** An entrant of a run as it lies there. */
export interface EntrantRow extends Omit<EntrantInfo, 'output'> {
  readonly number: number
  readonly place: number
  readonly output: string | null
  readonly memory: Memory
}

/** The checksum of a run's entrants. */
export const entrantsSum = (rows: readonly EntrantRow[]): number =>
  total(
    rows.map((row) =>
      sumOf(
        row.place,
        row.number,
        row.name,
        row.hash,
        row.source,
        row.build,
        row.command,
        row.wire,
        row.memory,
        row.limits,
        row.toolchain,
        row.output,
      ),
    ),
  )

/** Entrants as they were stored, by their rows. */
export const entrantsOf = (rows: readonly EntrantRow[]): EntrantInfo[] =>
  rows.map(({ number: _number, place: _place, output, ...row }) => ({ ...row, output: output ?? undefined }))
