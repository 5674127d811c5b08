/** The version of the schema. A file of another version is refused. */
export const VERSION = 5

/**
 * The schema; docs/store.md draws it. What each match writes stands on as few pages as it can: its seats in its own row, and every number that
 * it moves on beside the checksums.
 */
export const SCHEMA = `
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
  plan TEXT NOT NULL
) STRICT;

CREATE TABLE run_entrant (
  run INTEGER NOT NULL,
  place INTEGER NOT NULL,
  entrant INTEGER NOT NULL,
  matches INTEGER NOT NULL DEFAULT 0,
  wins INTEGER NOT NULL DEFAULT 0,
  draws INTEGER NOT NULL DEFAULT 0,
  losses INTEGER NOT NULL DEFAULT 0,
  pairs INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE match (
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
  held INTEGER NOT NULL,
  UNIQUE (unit, number)
) STRICT;

CREATE TABLE fault (
  match INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  seat INTEGER NOT NULL,
  kind TEXT NOT NULL,
  why TEXT,
  said TEXT,
  PRIMARY KEY (match, turn, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE pack (id INTEGER PRIMARY KEY AUTOINCREMENT, data BLOB NOT NULL, sum INTEGER NOT NULL) STRICT;
CREATE TABLE loose (match INTEGER PRIMARY KEY, record TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;

CREATE TABLE run_match (
  run INTEGER NOT NULL,
  match INTEGER NOT NULL,
  PRIMARY KEY (run, match)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE kept_sum (tournament BLOB PRIMARY KEY, sum INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE lease (
  tournament BLOB PRIMARY KEY,
  owner TEXT NOT NULL,
  process TEXT NOT NULL,
  heartbeat INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE log (
  id INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  agon TEXT NOT NULL,
  run INTEGER,
  what TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX log_run ON log (run);

CREATE TABLE digest (
  run INTEGER NOT NULL,
  part TEXT NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (run, part)
) STRICT, WITHOUT ROWID;
INSERT INTO digest (run, part, sum) VALUES (0, 'runs', 0), (0, 'commits', 0), (0, 'stored', 0);
CREATE TABLE mark (store TEXT NOT NULL) STRICT;
INSERT INTO mark (store) VALUES (lower(hex(randomblob(8))));
`

/** 'agon' as four letters: distinguishes our files from other programs'. */
export const APPLICATION_ID = 0x61676f6e
