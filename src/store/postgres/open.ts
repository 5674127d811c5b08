import type { ClientBase } from 'pg'
import { UserError, command, message, option } from '../../core/index.js'
import { type ServerAddress, parseAddress } from './address.js'
import { requireClient } from './client.js'
import { altered } from './errors.js'
import { SCHEMA, VERSION } from './schema.js'
import { Server, type Sql } from './server.js'

/** PostgreSQL's numbers of the types bigint, integer[] and bigint[]. */
const INT8 = 20
const INTEGERS = new Set([1007, 1016])
/** Connections that one process holds at once, where it says nothing else. */
const CONNECTIONS = 8
/** Milliseconds until a server that says nothing is taken for none. */
const CONNECT_MS = 10_000
/** Milliseconds that a transaction may wait for the process that began it. */
const IDLE_MS = 6000
/** The number of a lock in the database: of several processes that open it at once, one makes the schema. */
const LOCK = 0x61676f6e

/**
 * Connects to the store of a server. Its schema is made where there is none, unless `make` is false. `notice` is called when it was made, and
 * when the server is waited for. Throws UserError where no server answers or lets agon in, and where the tables there are another
 * program's or have another version of the schema: they stay as they are.
 */
export async function openServer(
  url: string,
  notice: (text: string) => void,
  { make = true, connections = CONNECTIONS }: { readonly make?: boolean; readonly connections?: number } = {},
): Promise<Server> {
  const address = parseAddress(url)
  const server = new Server(await poolOf(address, connections), address, notice)
  try {
    const made = await server.first((sql) => makeSchema(sql, make))
    if (made) notice(`agon: ${address.where}: made the schema agon, which holds what is played`)
    return server
  } catch (error) {
    await server.close()
    throw error
  }
}

/** `pg` is loaded here, and only here: who needs no server does not load it. */
async function poolOf({ url, where }: ServerAddress, connections: number) {
  requireClient(where)
  const { default: pg } = await import('pg')
  const { getTypeParser } = pg.types
  const parserOf = (oid: number, format?: 'text'): unknown => {
    if (oid === INT8) return Number
    const parse = getTypeParser(oid, format) as (text: string) => unknown
    return INTEGERS.has(oid) ? (text: string) => integersOf(text) ?? parse(text) : parse
  }
  return new pg.Pool({
    connectionString: url,
    application_name: 'agon',
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_MS,
    allowExitOnIdle: true,
    // Statements that do not need each other's answers are sent together: a transaction holds its locks for fewer round trips.
    pipeline: true,
    // The locks of a process that is stopped in the middle of a transaction are released.
    idle_in_transaction_session_timeout: IDLE_MS,
    // Numbers of 64 bits are below 2⁵³ in all of agon's tables.
    types: { getTypeParser: parserOf as typeof getTypeParser },
    onConnect: planEachTime,
  })
}

/** A plain list of integers as PostgreSQL writes it; undefined: it is none. `pg` reads lists letter by letter, and every match has two. */
const integersOf = (text: string): readonly number[] | undefined =>
  /^\{(?:-?\d+(?:,-?\d+)*)?\}$/.test(text) ? (JSON.parse(`[${text.slice(1, -1)}]`) as number[]) : undefined

/** A plan made while a table was empty would go through all of it once it is full. A connection that is lost says so to who uses it next. */
function planEachTime(client: ClientBase): void {
  client.query('SET plan_cache_mode = force_custom_plan').catch(() => undefined)
}

/** Makes the schema where there is none, in one transaction that no second process cuts in on. True: there was none before. */
async function makeSchema(sql: Sql, make: boolean): Promise<boolean> {
  if (await isMade(sql)) return false
  await sql.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
  if (await isMade(sql)) return false
  if (!make) {
    throw new UserError(
      message`${sql.where} holds no store of agon yet: ${command('run CONTEST')} makes one, ${option('store')} names another place`,
    )
  }
  await sql.query(SCHEMA)
  return true
}

/** Whether the schema is there. Throws UserError where it is another program's, or has another version. */
async function isMade(sql: Sql): Promise<boolean> {
  const version = await versionThere(sql)
  if (version !== undefined && version !== VERSION) {
    throw new UserError(
      message`${sql.where} has version ${version} of the schema, and this agon reads only version ${VERSION}: use the agon that wrote it, or another database with ${option('store')}`,
    )
  }
  return version !== undefined
}

/** Undefined: there is no schema yet, or an empty one. Throws UserError where it is another program's. */
async function versionThere(sql: Sql): Promise<number | undefined> {
  const { rows } = await sql.query<{ name: string; columns: string }>(
    `SELECT c.relname AS name, string_agg(a.attname, ' ' ORDER BY a.attname) AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
     WHERE n.nspname = 'agon' AND c.relkind IN ('r', 'p', 'v', 'm', 'f') GROUP BY c.relname`,
  )
  if (rows.length === 0) return undefined
  if (rows.find(({ name }) => name === 'about')?.columns !== 'program version') throw foreign(sql.where)
  const about = await sql.query<{ program: string; version: number }>('SELECT program, version FROM agon.about')
  const [one] = about.rows
  if (about.rows.length !== 1 || one === undefined) throw altered(sql.where)
  if (one.program !== 'agon') throw foreign(sql.where)
  return one.version
}

const foreign = (where: string): UserError =>
  new UserError(
    message`${where}: the schema agon there holds tables of another program: use another database with ${option('store')}`,
  )
