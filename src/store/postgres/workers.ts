/** The tables in which runs and workers know of each other (src/workers/queue/registry.ts). `published` is as it was sent: the order of its options is that of the records. */
export const WORKERS = `
CREATE TABLE worker (
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
CREATE TABLE published_run (
  run text PRIMARY KEY,
  published json NOT NULL,
  paused boolean NOT NULL DEFAULT false,
  ended boolean NOT NULL DEFAULT false,
  waits text
);
CREATE TABLE run_queue (
  queue text PRIMARY KEY,
  run text NOT NULL REFERENCES published_run ON DELETE CASCADE,
  needs jsonb NOT NULL,
  urgent boolean NOT NULL,
  open boolean NOT NULL DEFAULT true
);
CREATE TABLE refusal (
  run text NOT NULL REFERENCES published_run ON DELETE CASCADE,
  worker text NOT NULL,
  entrant text NOT NULL,
  why text NOT NULL,
  PRIMARY KEY (run, worker, entrant)
);
CREATE TABLE presence (
  run text NOT NULL REFERENCES published_run ON DELETE CASCADE,
  worker text NOT NULL,
  PRIMARY KEY (run, worker)
);
CREATE TABLE worker_stderr (
  run text NOT NULL REFERENCES published_run ON DELETE CASCADE,
  worker text NOT NULL,
  entrant text NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (run, worker, entrant)
);
`
