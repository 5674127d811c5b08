import type { Database } from './database.js'
import { numberLogs, segmentEverything, sumEverything } from './upgrade.js'

/** A step of the schema: statements, or what computes. */
export type SchemaStep = string | ((db: Database) => void)

/**
 * The schema, step by step: the first step makes a new file, each later one upgrades a file of the version before it. Statements that
 * were released are never changed. What computes runs after all statements, so it meets the newest tables. docs/store.md draws them.
 */
export const MIGRATIONS: readonly (readonly SchemaStep[])[] = [
  [
    `
CREATE TABLE entrant (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  source TEXT NOT NULL,
  build TEXT NOT NULL,
  command TEXT NOT NULL,
  wire TEXT NOT NULL,
  memory TEXT NOT NULL,
  limits TEXT NOT NULL,
  toolchain TEXT NOT NULL,
  output TEXT,
  UNIQUE (name, hash)
) STRICT;

CREATE TABLE run (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  agon TEXT NOT NULL,
  contest TEXT NOT NULL,
  title TEXT NOT NULL,
  game TEXT NOT NULL,
  version INTEGER NOT NULL,
  seed TEXT NOT NULL,
  out TEXT NOT NULL,
  began TEXT NOT NULL,
  ended TEXT,
  state TEXT NOT NULL,
  tournament BLOB NOT NULL,
  identity TEXT NOT NULL,
  plan TEXT NOT NULL,
  matches INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE run_entrant (
  run INTEGER NOT NULL,
  place INTEGER NOT NULL,
  entrant INTEGER NOT NULL,
  matches INTEGER NOT NULL DEFAULT 0,
  wins INTEGER NOT NULL DEFAULT 0,
  draws INTEGER NOT NULL DEFAULT 0,
  losses INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE match (
  id INTEGER PRIMARY KEY,
  unit BLOB NOT NULL,
  number INTEGER NOT NULL,
  place TEXT NOT NULL,
  outcome TEXT NOT NULL,
  playoff INTEGER NOT NULL,
  at INTEGER NOT NULL,
  pack INTEGER,
  slot INTEGER,
  UNIQUE (unit, number)
) STRICT;

CREATE TABLE seat (
  match INTEGER NOT NULL,
  seat INTEGER NOT NULL,
  entrant INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seat_entrant ON seat (entrant, match);

CREATE TABLE fault (
  match INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  seat INTEGER NOT NULL,
  kind TEXT NOT NULL,
  why TEXT,
  said TEXT,
  PRIMARY KEY (match, turn, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE pack (id INTEGER PRIMARY KEY AUTOINCREMENT, data BLOB NOT NULL) STRICT;
CREATE TABLE loose (match INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT;

CREATE TABLE run_match (
  run INTEGER NOT NULL,
  match INTEGER NOT NULL,
  PRIMARY KEY (run, match)
) STRICT, WITHOUT ROWID;
CREATE TABLE pair (
  run INTEGER NOT NULL,
  one INTEGER NOT NULL,
  other INTEGER NOT NULL,
  ahead INTEGER NOT NULL,
  level INTEGER NOT NULL,
  behind INTEGER NOT NULL,
  PRIMARY KEY (run, one, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX pair_other ON pair (run, other);
CREATE TABLE fault_count (
  run INTEGER NOT NULL,
  place INTEGER NOT NULL,
  kind TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (run, place, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE exclusion (
  run INTEGER NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  treatment TEXT NOT NULL,
  why TEXT NOT NULL,
  PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE ruling (
  run INTEGER NOT NULL,
  match INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  why TEXT NOT NULL,
  PRIMARY KEY (run, match)
) STRICT, WITHOUT ROWID;
CREATE TABLE rating (
  run INTEGER NOT NULL,
  place INTEGER NOT NULL,
  kind TEXT NOT NULL,
  value REAL NOT NULL,
  low REAL NOT NULL,
  high REAL NOT NULL,
  PRIMARY KEY (run, kind, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE stderr (run INTEGER NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (run, name)) STRICT;

CREATE TABLE kept (
  tournament BLOB NOT NULL,
  entrant TEXT NOT NULL,
  now BLOB NOT NULL,
  start BLOB,
  PRIMARY KEY (tournament, entrant)
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_now ON kept (now);
CREATE INDEX kept_start ON kept (start);
CREATE TABLE snapshot (hash BLOB PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE lease (tournament BLOB PRIMARY KEY, owner TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE log (
  id INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  agon TEXT NOT NULL,
  run INTEGER,
  what TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX log_run ON log (run);
`,
  ],
  [
    `
ALTER TABLE match ADD COLUMN faults INTEGER NOT NULL DEFAULT 0;
ALTER TABLE match ADD COLUMN sum INTEGER NOT NULL DEFAULT -1;
ALTER TABLE match ADD COLUMN held INTEGER NOT NULL DEFAULT -1;
ALTER TABLE pack ADD COLUMN sum INTEGER NOT NULL DEFAULT -1;
ALTER TABLE loose ADD COLUMN sum INTEGER NOT NULL DEFAULT -1;
ALTER TABLE run_entrant ADD COLUMN pairs INTEGER NOT NULL DEFAULT 0;
CREATE TABLE digest (
  run INTEGER NOT NULL,
  part TEXT NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (run, part)
) STRICT, WITHOUT ROWID;
CREATE TABLE kept_sum (tournament BLOB PRIMARY KEY, sum INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE mark (store TEXT NOT NULL, commits INTEGER NOT NULL, matches INTEGER NOT NULL) STRICT;
INSERT INTO mark (store, commits, matches) VALUES (lower(hex(randomblob(8))), 0, 0);
`,
    sumEverything,
  ],
  [
    `
ALTER TABLE lease ADD COLUMN process TEXT NOT NULL DEFAULT '';
ALTER TABLE lease ADD COLUMN heartbeat INTEGER NOT NULL DEFAULT 0;
`,
  ],
  [
    `
CREATE TABLE segment (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  number INTEGER NOT NULL,
  games INTEGER NOT NULL,
  sum INTEGER NOT NULL,
  data BLOB NOT NULL,
  times BLOB,
  UNIQUE (run, number)
) STRICT;
DROP INDEX seat_entrant;
`,
    segmentEverything,
  ],
  [
    // What each match writes stands on as few pages as it can: its seats in its own row, and every number that it moves on beside the checksums.
    // A damaged match may lack what its record has: it keeps its place in the file, under a checksum that nothing has, so that the file can be mended.
    `
CREATE TABLE one_match (
  id INTEGER PRIMARY KEY,
  unit BLOB NOT NULL,
  number INTEGER NOT NULL,
  place TEXT NOT NULL,
  seats TEXT NOT NULL,
  outcome TEXT NOT NULL,
  playoff INTEGER NOT NULL,
  at INTEGER NOT NULL,
  pack INTEGER,
  slot INTEGER,
  faults INTEGER NOT NULL,
  sum INTEGER NOT NULL,
  held INTEGER NOT NULL
) STRICT;
INSERT INTO one_match
  SELECT id, unit, number, coalesce(place, ''),
    coalesce((SELECT group_concat(entrant || ':' || rank, ' ' ORDER BY seat) FROM seat WHERE seat.match = match.id), ''),
    coalesce(outcome, ''), coalesce(playoff, 0), coalesce(at, 0), pack, slot, coalesce(faults, -1), coalesce(sum, -1), coalesce(held, -1)
  FROM match ORDER BY id;
DROP TABLE seat;
DROP TABLE match;
ALTER TABLE one_match RENAME TO match;
CREATE UNIQUE INDEX match_unit ON match (unit, number);
INSERT OR REPLACE INTO digest SELECT number, 'size', matches FROM run;
ALTER TABLE run DROP COLUMN matches;
INSERT OR REPLACE INTO digest SELECT 0, 'commits', commits FROM mark UNION ALL SELECT 0, 'stored', matches FROM mark;
ALTER TABLE mark DROP COLUMN commits;
ALTER TABLE mark DROP COLUMN matches;
`,
    numberLogs,
  ],
]

/** 'agon' as four letters: distinguishes our files from other programs'. */
export const APPLICATION_ID = 0x61676f6e
