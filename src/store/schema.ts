import { type Wording, UserError, message } from '../core/index.js'

/** Statements from each version of the schema to the next, for both dialects; the first: from 1 to 2. */
export const MIGRATIONS: readonly string[] = []

export const VERSION = MIGRATIONS.length + 1

/** The steps from a version of the schema to the last. Throws UserError for no such version; `elsewhere`: where else agon may store. */
export function stepsFrom(
  version: number,
  where: string,
  elsewhere: Wording,
  migrations: readonly string[],
): readonly string[] {
  const latest = migrations.length + 1
  if (version >= 1 && version <= latest) return migrations.slice(version - 1)
  throw new UserError(
    message`${where} has version ${version} of the schema, and this agon reads version ${latest}: use the agon that wrote it, or another ${elsewhere}`,
  )
}

/**
 * The schema, in SQLite's words; docs/store.md describes it. `sum` is a checksum (`sums.ts`). All numbers that a store gives out come from
 * one series: none is ever given twice. Texts that people or bots chose stand in JSON.
 */
export const SCHEMA = `
CREATE TABLE run (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL,
  ended TEXT,
  doc TEXT NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE TABLE writer (
  run INTEGER NOT NULL,
  number INTEGER NOT NULL,
  jobs INTEGER NOT NULL,
  matches INTEGER NOT NULL,
  job_sum INTEGER NOT NULL,
  notes INTEGER NOT NULL,
  note_sum INTEGER NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE job (
  number INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,
  sum INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  records BLOB NOT NULL
) STRICT;
CREATE TABLE match (
  id INTEGER PRIMARY KEY,
  job INTEGER NOT NULL,
  number INTEGER NOT NULL,
  key TEXT NOT NULL,
  seats TEXT NOT NULL,
  outcome TEXT NOT NULL,
  playoff INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  answers INTEGER NOT NULL,
  luck INTEGER NOT NULL,
  faults TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX match_job ON match (job, number);
CREATE TABLE run_job (
  run INTEGER NOT NULL,
  number INTEGER NOT NULL,
  writer INTEGER NOT NULL,
  job INTEGER NOT NULL,
  faulted INTEGER NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX run_job_job ON run_job (job, run);
CREATE INDEX run_job_faulted ON run_job (run, number) WHERE faulted = 1;
CREATE TABLE seat (
  run INTEGER NOT NULL,
  entrant INTEGER NOT NULL,
  number INTEGER NOT NULL,
  faulted INTEGER NOT NULL,
  PRIMARY KEY (run, entrant, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX seat_faulted ON seat (run, entrant, number) WHERE faulted = 1;
CREATE TABLE note (
  run INTEGER NOT NULL,
  number INTEGER NOT NULL,
  writer INTEGER NOT NULL,
  kind TEXT NOT NULL,
  doc TEXT NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (run, number)
) STRICT;
CREATE TABLE kept (
  tournament BLOB NOT NULL,
  entrant TEXT NOT NULL,
  files BLOB NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (tournament, entrant)
) STRICT;
CREATE TABLE lease (
  key BLOB PRIMARY KEY NOT NULL,
  owner TEXT NOT NULL,
  heartbeat INTEGER NOT NULL
) STRICT;
CREATE TABLE source (
  hash TEXT PRIMARY KEY NOT NULL,
  data BLOB NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
`

export type Table = 'job' | 'match' | 'run_job' | 'seat'

/** A column with its type, in SQLite's words. */
export interface Column {
  readonly name: string
  readonly type: string
}

export const columnsOf = (table: Table): readonly Column[] => COLUMNS.get(table) ?? []
const COLUMNS = new Map(
  [...SCHEMA.matchAll(/CREATE TABLE (\w+) \(\n([^;]*)\n\) STRICT/g)].map(([, table, body = '']) => [
    table,
    [...body.matchAll(/^ {2}([a-z_]+) ([A-Z]+)/gm)].map(([, name = '', type = '']) => ({ name, type })),
  ]),
)
