/** The tables in which runs and workers know of each other (src/workers/queue/registry.ts). `published` is as it was sent: the order of its options is that of the records. */
export const WORKERS = `
CREATE TABLE worker (
  id text PRIMARY KEY,
  info json NOT NULL,
  news json NOT NULL,
  matches bigint NOT NULL DEFAULT 0,
  faults bigint NOT NULL DEFAULT 0,
  aside text,
  since timestamptz NOT NULL DEFAULT now(),
  heard timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE published_run (
  run text PRIMARY KEY,
  published json NOT NULL,
  news json NOT NULL
);
`
