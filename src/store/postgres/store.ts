import { UserError, command, message, option } from '../../core/index.js'
import { type CheckOptions, type CheckedStore, checkDatabase } from '../check.js'
import type { ServerStore } from '../port.js'
import { MIGRATIONS, SCHEMA, VERSION, stepsFrom } from '../schema.js'
import { type Sql, type StoreDatabase, type StoreSql, first, rowsAmong } from '../sql.js'
import { storeOver } from '../store.js'
import { damaged, sumOf, sumOfBytes } from '../sums.js'
import { type ServerAddress, parseAddress } from './address.js'
import { requireClient } from './client.js'
import { CONNECTIONS } from './errors.js'
import { ServerDatabase, typeOf } from './sql.js'

/** PostgreSQL's type number of bigint. */
const INT8 = 20
/** Milliseconds until a silent server counts as none. */
const CONNECT_MS = 10_000
/** Milliseconds that a transaction may be idle. */
const IDLE_MS = 6000
/** The database lock under which one of several processes makes the schema. */
const LOCK = 0x61676f6e

/** The tables' schema: not that of agon before 1.0. */
const SERVER_SCHEMA = 'agon1'

/**
 * Opens the store of a PostgreSQL server by its URL, made where there is none, unless `make` is false. `agon`: the version for the log;
 * `notice` is called when it was made, and when the server is waited for. Throws UserError where no server answers or lets agon in, and
 * where the tables are another program's or of another version: they stay as they are.
 */
export async function openServerStore(
  url: string,
  agon: string,
  notice: (text: string) => void = () => undefined,
  make = true,
): Promise<ServerStore> {
  const db = await openServer(url, notice, make)
  return { ...storeOver(db, agon), ...sourcesOf(db), url, sql: db }
}

/** Compares a server's store with its records and checksums. Throws UserError where it cannot be opened. */
export async function checkServerStore(
  url: string,
  agon: string,
  options: CheckOptions,
  notice: (text: string) => void,
): Promise<CheckedStore> {
  const db = await openServer(url, notice, false)
  try {
    return await checkDatabase(db, agon, options)
  } finally {
    await db.close()
  }
}

async function openServer(url: string, notice: (text: string) => void, make = true): Promise<ServerDatabase> {
  const address = parseAddress(url)
  const db = new ServerDatabase(await poolOf(address), address, notice)
  try {
    if (await db.first((sql) => makeSchema(sql, make)))
      notice(`agon: ${address.where}: made the schema ${SERVER_SCHEMA}, which holds what is played`)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/** `pg` is loaded here only: who needs no server does not load it. */
async function poolOf({ url, where }: ServerAddress) {
  requireClient(where)
  const { default: pg } = await import('pg')
  const { getTypeParser } = pg.types
  const parserOf = (oid: number, format?: 'text'): unknown => (oid === INT8 ? Number : getTypeParser(oid, format))
  return new pg.Pool({
    connectionString: url,
    application_name: 'agon',
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_MS,
    allowExitOnIdle: true,
    // So that a process stopped within a transaction holds no locks.
    idle_in_transaction_session_timeout: IDLE_MS,
    // 64-bit numbers in agon's tables are below 2⁵³.
    types: { getTypeParser: parserOf as typeof getTypeParser },
    // A lost connection tells its next user.
    onConnect: (client) => void client.query(SETTINGS).catch(() => undefined),
  })
}

/**
 * Makes PostgreSQL find tables by plain names, and rows by their indexes: a plan made while a table was empty, or before its rows were counted,
 * would read all of it. Compiling such plans takes longer than they do.
 */
const SETTINGS = `SET search_path = ${SERVER_SCHEMA}, public;
SET plan_cache_mode = force_custom_plan;
SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
SET jit = off`

/** Makes the schema where there is none, in one transaction that no other process cuts in on. True: it was made. */
async function makeSchema(sql: StoreSql, make: boolean): Promise<boolean> {
  if ((await versionThere(sql)) === VERSION) return false
  await sql.run('SELECT pg_advisory_xact_lock($1)', [LOCK])
  const version = await versionThere(sql)
  if (version !== undefined) {
    await migrate(sql, sql.where, version, MIGRATIONS)
    return false
  }
  if (!make) {
    throw new UserError(
      message`${sql.where} holds no store of agon yet: ${command('run CONTEST')} makes one, ${option('store')} names another place`,
    )
  }
  // A database of agon before 1.0 stays as it is: its contents would not be seen.
  if ((await tablesIn(sql, 'agon')).includes('about'))
    throw new UserError(
      message`${sql.where} was written by an agon before 1.0, which this one does not read: use another database with ${option('store')}`,
    )
  await sql.run(`CREATE SCHEMA IF NOT EXISTS ${SERVER_SCHEMA}; ${serverSchema()}`)
  await sql.run("INSERT INTO about (program, version) VALUES ('agon', $1)", [VERSION])
  return true
}

/** Migrates tables of an earlier version. Throws UserError for a later one. */
export async function migrate(sql: Sql, where: string, from: number, migrations: readonly string[]): Promise<void> {
  const steps = stepsFrom(from, where, message`database with ${option('store')}`, migrations)
  if (steps.length === 0) return
  await sql.run(steps.map(inServerWords).join(';'))
  await sql.run('UPDATE about SET version = $1', [migrations.length + 1])
}

/**
 * The schema in PostgreSQL's words. Compressed bytes are not compressed again, and often written rows have room beside them. In `worker` and
 * `published_run`, runs and workers know of each other (src/workers/queue/registry.ts). `published` is as sent: its options are in the records'
 * order.
 */
const serverSchema = (): string => `CREATE TABLE about (program text NOT NULL, version bigint NOT NULL);
CREATE SEQUENCE serial;
${inServerWords(SCHEMA)};
ALTER TABLE job ALTER COLUMN records SET STORAGE EXTERNAL;
ALTER TABLE source ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE kept ALTER COLUMN files SET STORAGE EXTERNAL;
ALTER TABLE writer SET (fillfactor = 50);
ALTER TABLE lease SET (fillfactor = 50);
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
CREATE TABLE published_run (run text PRIMARY KEY, published json NOT NULL, news json NOT NULL)`

const inServerWords = (text: string): string =>
  text.replace(/\) STRICT(?:, WITHOUT ROWID)?/g, ')').replace(/\b(?:INTEGER|BLOB|TEXT)\b/g, typeOf)

/** Undefined: no schema yet, or an empty one. Throws UserError where it is another program's. */
async function versionThere(sql: StoreSql): Promise<number | undefined> {
  const tables = await tablesIn(sql, SERVER_SCHEMA)
  if (tables.length === 0) return undefined
  const text = 'SELECT program, version FROM about'
  const [about] = tables.includes('about') ? await sql.all<{ program: string; version: number }>(text) : []
  if (about?.program === 'agon') return about.version
  throw new UserError(
    message`${sql.where}: the schema ${SERVER_SCHEMA} there holds tables of another program: use another database with ${option('store')}`,
  )
}

async function tablesIn(sql: StoreSql, schema: string): Promise<readonly string[]> {
  const text = 'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1'
  return (await sql.all<{ name: string }>(text, [schema])).map(({ name }) => name)
}

const sourceSum = (hash: string, data: Uint8Array): number => sumOfBytes(sumOf('source', hash), data)

const sourcesOf = (db: StoreDatabase): Pick<ServerStore, 'lackingSources' | 'saveSource' | 'source'> => ({
  lackingSources: (hashes) =>
    db.look(async (sql) => {
      const rows = await rowsAmong<{ hash: string }>(sql, 'SELECT hash FROM source WHERE hash IN (%)', hashes)
      const there = new Set(rows.map(({ hash }) => hash))
      return hashes.filter((hash) => !there.has(hash))
    }),

  async saveSource(hash, data) {
    const text = 'INSERT INTO source (hash, data, sum) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING'
    await db.transaction((sql) => sql.run(text, [hash, data, sourceSum(hash, data)]))
  },

  source: (hash) =>
    db.look(async (sql) => {
      const text = 'SELECT data, sum FROM source WHERE hash = $1'
      const row = await first<{ data: Uint8Array; sum: number }>(sql, text, [hash])
      if (row !== undefined && row.sum !== sourceSum(hash, row.data)) throw damaged(sql.where)
      return row?.data
    }),
})
