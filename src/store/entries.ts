import type { Memory } from '../core/index.js'
import type { Database } from './database.js'
import type { EntrantInfo, RunInfo, RunPlan, RunState, RunSummary } from './port.js'

/** A run with its number here and its entrants' numbers. */
export interface RunEntry {
  readonly number: number
  readonly tournament: Uint8Array
  /** By index in the contest. */
  readonly entrants: readonly number[]
  readonly index: ReadonlyMap<number, number>
  readonly plan: RunPlan
}

interface RunRow {
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
export const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex')

/** Adds a run and its entrants. Within a write. */
export function insertRun(db: Database, run: RunInfo, entrants: readonly EntrantInfo[]): void {
  const { id } = db.run(
    'INSERT INTO run (id, agon, contest, title, game, version, seed, out, began, ended, state, tournament, identity, plan) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
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
  )
  for (const [place, entrant] of entrants.entries())
    db.run('INSERT INTO run_entrant (run, place, entrant) VALUES (?, ?, ?)', id, place, insertEntrant(db, entrant))
}

function insertEntrant(db: Database, one: EntrantInfo): number {
  const there = db.get<{ id: number }>('SELECT id FROM entrant WHERE name = ? AND hash = ?', one.name, one.hash)
  if (there !== undefined) return there.id
  return db.run(
    'INSERT INTO entrant (name, hash, source, build, command, wire, memory, limits, toolchain, output) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    one.name,
    one.hash,
    one.source,
    one.build,
    one.command,
    one.wire,
    one.memory,
    one.limits,
    one.toolchain,
    one.output ?? null,
  ).id
}

/** All runs, or that one; the newest first. */
export function readRuns(db: Database, id?: string): RunSummary[] {
  const rows =
    id === undefined
      ? db.all<RunRow>(`SELECT ${COLUMNS} FROM run ORDER BY began DESC, number DESC`)
      : db.all<RunRow>(`SELECT ${COLUMNS} FROM run WHERE id = ?`, id)
  return rows.map(({ ended, tournament, identity, plan, ...row }) => ({
    ...row,
    ...(ended !== null && { ended }),
    tournament: hex(tournament),
    identity: db.parse<RunInfo['identity']>(identity),
    plan: db.parse<RunPlan>(plan),
  }))
}

const COLUMNS =
  'id, agon, contest, title, game, version, seed, out, began, ended, state, tournament, identity, plan, matches'

/** A run's numbers. Throws where there is no such run. */
export function readEntry(db: Database, id: string): RunEntry {
  const row = db.get<{ number: number; tournament: Uint8Array; plan: string }>(
    'SELECT number, tournament, plan FROM run WHERE id = ?',
    id,
  )
  if (row === undefined) throw new Error(`${db.file} holds no run ${id}`)
  const entrants = db
    .all<{ entrant: number }>('SELECT entrant FROM run_entrant WHERE run = ? ORDER BY place', row.number)
    .map(({ entrant }) => entrant)
  return {
    number: row.number,
    tournament: row.tournament,
    entrants,
    index: new Map(entrants.map((entrant, place) => [entrant, place])),
    plan: db.parse<RunPlan>(row.plan),
  }
}

interface EntrantRow extends Omit<EntrantInfo, 'output'> {
  readonly output: string | null
  readonly memory: Memory
}

/** A run's entrants, in the contest's order. */
export function readEntrants(db: Database, run: number): EntrantInfo[] {
  return db
    .all<EntrantRow>(
      'SELECT name, hash, source, build, command, wire, memory, limits, toolchain, output FROM run_entrant JOIN entrant ON id = entrant WHERE run = ? ORDER BY place',
      run,
    )
    .map(({ output, ...row }) => ({ ...row, ...(output !== null && { output }) }))
}
