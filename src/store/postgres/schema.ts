/** The version of the schema. A database with another version is refused. */
export const VERSION = 8

/**
 * The schema. docs/scale.md tells how it differs from the file's.
 *
 * What may hold a NUL, which PostgreSQL's text cannot, is stored as JSON. Checksums are those of the file (`../sums.ts`).
 */
export const SCHEMA = `
CREATE SCHEMA IF NOT EXISTS agon;
CREATE TABLE agon.about (program text NOT NULL, version integer NOT NULL);
INSERT INTO agon.about (program, version) VALUES ('agon', ${VERSION});

CREATE TABLE agon.entrant (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  hash text NOT NULL,
  source text NOT NULL,
  build text NOT NULL,
  command text NOT NULL,
  wire text NOT NULL,
  memory text NOT NULL,
  limits text NOT NULL,
  toolchain text NOT NULL,
  output text,
  UNIQUE (name, hash)
);

CREATE TABLE agon.run (
  number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  agon text NOT NULL,
  contest text NOT NULL,
  title text NOT NULL,
  game text NOT NULL,
  version integer NOT NULL,
  seed text NOT NULL,
  out text NOT NULL,
  began text NOT NULL,
  ended text,
  state text NOT NULL,
  tournament bytea NOT NULL,
  identity text NOT NULL,
  plan text NOT NULL,
  matches bigint NOT NULL DEFAULT 0
);

CREATE TABLE agon.run_entrant (
  run integer NOT NULL,
  place integer NOT NULL,
  entrant integer NOT NULL,
  matches bigint NOT NULL DEFAULT 0,
  wins bigint NOT NULL DEFAULT 0,
  draws bigint NOT NULL DEFAULT 0,
  losses bigint NOT NULL DEFAULT 0,
  pairs bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (run, place)
) WITH (fillfactor = 50);

CREATE SEQUENCE agon.match_id;
CREATE TABLE agon.match (
  id bigint PRIMARY KEY,
  unit bytea NOT NULL,
  number integer NOT NULL,
  place text NOT NULL,
  outcome text NOT NULL,
  playoff smallint NOT NULL,
  at bigint NOT NULL,
  entrants integer[] NOT NULL,
  ranks integer[] NOT NULL,
  faulted text,
  faults bigint NOT NULL,
  sum bigint NOT NULL,
  pack bigint NOT NULL,
  slot integer NOT NULL,
  held bigint NOT NULL,
  UNIQUE (unit, number)
);

CREATE SEQUENCE agon.pack_id;
CREATE TABLE agon.pack (id bigint PRIMARY KEY, data bytea NOT NULL, sum bigint NOT NULL);
ALTER TABLE agon.pack ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE agon.run_match (run integer NOT NULL, match bigint NOT NULL, PRIMARY KEY (run, match));

CREATE TABLE agon.segment (
  run integer NOT NULL,
  number integer NOT NULL,
  games integer NOT NULL,
  sum bigint NOT NULL,
  data bytea NOT NULL,
  times bytea NOT NULL,
  PRIMARY KEY (run, number)
);

CREATE TABLE agon.pair (
  run integer NOT NULL,
  one integer NOT NULL,
  other integer NOT NULL,
  ahead bigint NOT NULL,
  level bigint NOT NULL,
  behind bigint NOT NULL,
  PRIMARY KEY (run, one, other)
) WITH (fillfactor = 50);
CREATE INDEX pair_other ON agon.pair (run, other);
CREATE TABLE agon.fault_count (
  run integer NOT NULL,
  place integer NOT NULL,
  kind text NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (run, place, kind)
) WITH (fillfactor = 50);

CREATE TABLE agon.exclusion (
  run integer NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  treatment text NOT NULL,
  why text NOT NULL,
  PRIMARY KEY (run, name)
);
CREATE TABLE agon.ruling (
  run integer NOT NULL,
  match bigint NOT NULL,
  outcome text NOT NULL,
  why text NOT NULL,
  PRIMARY KEY (run, match)
);
CREATE TABLE agon.rating (
  run integer NOT NULL,
  place integer NOT NULL,
  kind text NOT NULL,
  value double precision NOT NULL,
  low double precision NOT NULL,
  high double precision NOT NULL,
  PRIMARY KEY (run, kind, place)
);
CREATE TABLE agon.stderr (run integer NOT NULL, name text NOT NULL, text text NOT NULL, PRIMARY KEY (run, name));

CREATE TABLE agon.kept (
  tournament bytea NOT NULL,
  entrant text NOT NULL,
  now bytea NOT NULL,
  start bytea,
  PRIMARY KEY (tournament, entrant)
);
CREATE INDEX kept_now ON agon.kept (now);
CREATE INDEX kept_start ON agon.kept (start);
CREATE TABLE agon.kept_sum (tournament bytea PRIMARY KEY, sum bigint NOT NULL);
CREATE TABLE agon.snapshot (hash bytea PRIMARY KEY, data bytea NOT NULL);

CREATE TABLE agon.lease (
  key bytea PRIMARY KEY,
  owner text NOT NULL,
  process text NOT NULL,
  heartbeat timestamptz NOT NULL
);
CREATE INDEX lease_owner ON agon.lease (owner);

CREATE TABLE agon.log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at text NOT NULL,
  agon text NOT NULL,
  run integer,
  what text NOT NULL,
  detail text NOT NULL
);
CREATE INDEX log_run ON agon.log (run);

CREATE TABLE agon.digest (
  run integer NOT NULL,
  part text NOT NULL,
  sum bigint NOT NULL,
  PRIMARY KEY (run, part)
) WITH (fillfactor = 50);

CREATE TABLE agon.source (hash text PRIMARY KEY, data bytea NOT NULL, sum bigint NOT NULL);
ALTER TABLE agon.source ALTER COLUMN data SET STORAGE EXTERNAL;

-- What runs and the workers that play them know of each other: src/workers/queue/registry.ts.
CREATE TABLE agon.worker (
  id text PRIMARY KEY,
  host text NOT NULL,
  pid integer NOT NULL,
  agon text NOT NULL,
  cores integer NOT NULL,
  slots integer NOT NULL,
  labels jsonb NOT NULL,
  toolchains jsonb NOT NULL,
  isolation text NOT NULL,
  playing jsonb NOT NULL DEFAULT '[]',
  matches bigint NOT NULL DEFAULT 0,
  faults bigint NOT NULL DEFAULT 0,
  aside text,
  gone boolean NOT NULL DEFAULT false,
  since timestamptz NOT NULL DEFAULT now(),
  heard timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE agon.published_run (
  run text PRIMARY KEY,
  -- As it was sent: the order of its options is that of the records.
  published json NOT NULL,
  paused boolean NOT NULL DEFAULT false,
  ended boolean NOT NULL DEFAULT false,
  waits text
);
CREATE TABLE agon.run_queue (
  queue text PRIMARY KEY,
  run text NOT NULL REFERENCES agon.published_run ON DELETE CASCADE,
  needs jsonb NOT NULL,
  urgent boolean NOT NULL,
  open boolean NOT NULL DEFAULT true
);
CREATE TABLE agon.refusal (
  run text NOT NULL REFERENCES agon.published_run ON DELETE CASCADE,
  worker text NOT NULL,
  entrant text NOT NULL,
  why text NOT NULL,
  PRIMARY KEY (run, worker, entrant)
);
CREATE TABLE agon.presence (
  run text NOT NULL REFERENCES agon.published_run ON DELETE CASCADE,
  worker text NOT NULL,
  PRIMARY KEY (run, worker)
);
CREATE TABLE agon.worker_stderr (
  run text NOT NULL REFERENCES agon.published_run ON DELETE CASCADE,
  worker text NOT NULL,
  entrant text NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (run, worker, entrant)
);
`
