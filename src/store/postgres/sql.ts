import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { message, option } from '../../core/index.js'
import { ServerLostError } from '../port.js'
import { type Table, columnsOf } from '../schema.js'
import { type StoreDatabase, type StoreSql, type Value, MetError } from '../sql.js'
import type { ServerAddress } from './address.js'
import { inWords, isLost, meets } from './errors.js'

/*
 * Theory of operation.
 *
 * What reads sees one moment (REPEATABLE READ, READ ONLY); what writes is one transaction. If the server goes, a read or a write waits a
 * minute for it, and is done again from the start. Only where the answer to a COMMIT was lost is its outcome unknown: the server is then
 * asked by the transaction's number (`pg_xact_status`).
 */

/** Milliseconds to wait for a lost server. */
const PATIENCE_MS = 60_000
/** Milliseconds between two attempts. */
const PAUSE_MS = 250
/** How often a transaction that met another one is begun anew. */
const MEETINGS = 20

/** The database lock that all writing transactions share, unless one is to be alone. */
const WRITERS = 0x61676f6f

/** The statements of a transaction, prepared once a connection. */
class ServerSql implements StoreSql {
  /** At this moment of the transaction. */
  readonly now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'
  readonly forUpdate = ' FOR UPDATE'

  constructor(
    private readonly client: PoolClient,
    readonly where: string,
  ) {}

  async all<Row>(text: string, values: readonly Value[] = []): Promise<Row[]> {
    return (await this.client.query(prepared(text, values))).rows as Row[]
  }

  async run(text: string, values: readonly Value[] = []): Promise<number> {
    return (await this.client.query(prepared(text, values))).rowCount ?? 0
  }

  async numbers(count: number): Promise<readonly number[]> {
    const rows = await this.all<{ n: number }>("SELECT nextval('serial') AS n FROM generate_series(1, $1)", [count])
    return rows.map(({ n }) => n)
  }

  insert(table: Table, values: readonly Value[]): Promise<number> {
    const columns = columnsOf(table)
    if (values.length === 0) return Promise.resolve(0)
    const types = columns.map(({ type }, i) => `$${i + 1}::${typeOf(type)}[]`)
    return this.run(
      `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) SELECT * FROM unnest(${types.join(', ')}) ON CONFLICT DO NOTHING`,
      columns.map((_, at) => literalOf(values, at, columns.length)),
    )
  }
}

export const typeOf = (type: string): string =>
  type === 'INTEGER' ? 'bigint' : type === 'BLOB' ? 'bytea' : type.toLowerCase()

/**
 * Every `step`-th value, from one on, as a list for PostgreSQL. `pg` quotes and searches numbers too: with the tens of thousands of values of a
 * batch, that takes longer than PostgreSQL takes to read them.
 */
function literalOf(values: readonly Value[], from: number, step: number): string {
  let text = '{'
  for (let i = from; i < values.length; i += step) {
    const value = values[i] as Value
    if (i > from) text += ','
    if (value === null) text += 'NULL'
    else if (typeof value === 'number') text += String(value)
    else if (typeof value === 'string') text += `"${value.replace(/["\\]/g, '\\$&')}"`
    else text += `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}"`
  }
  return `${text}}`
}

/** A statement with its name as a prepared one. One that lists values has too many forms for that. */
function prepared(text: string, values: readonly Value[]) {
  // Several statements at once cannot be prepared.
  const isNamed = values.length > 0 && values.length <= MOST_VALUES
  return { name: isNamed ? nameOf(text) : undefined, text, values: [...values] }
}
const MOST_VALUES = 12

/** The same in each process: a pooler may let several share a connection. */
function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}
const names = new Map<string, string>()

export class ServerDatabase implements StoreDatabase {
  readonly where: string
  private waiting = false

  constructor(
    private readonly pool: Pool,
    private readonly address: ServerAddress,
    private readonly notice: (text: string) => void,
  ) {
    this.where = address.where
    // The next query gets another connection.
    pool.on('error', () => undefined)
  }

  /** One statement, done at once. Throws a ServerLostError where the server went. */
  async all<Row>(text: string, values: readonly Value[] = []): Promise<Row[]> {
    // For several statements `pg` gives a list of results, which its types do not say.
    const results = [await this.query(text, values)].flat()
    return results.flatMap(({ rows }) => rows as Row[])
  }

  async run(text: string, values: readonly Value[] = []): Promise<number> {
    return (await this.query(text, values)).rowCount ?? 0
  }

  private async query(text: string, values: readonly Value[]) {
    try {
      return await this.pool.query(text, [...values])
    } catch (error) {
      throw inWords(error, this.address)
    }
  }

  look<T>(work: (sql: StoreSql) => Promise<T>): Promise<T> {
    return this.again(() => this.attempt('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work))
  }

  /** A transaction that does not wait for a missing server: for the first call. */
  async first<T>(work: (sql: StoreSql) => Promise<T>): Promise<T> {
    try {
      return await this.attempt('BEGIN', work)
    } catch (error) {
      throw inWords(error, this.address)
    }
  }

  transaction<T>(work: (sql: StoreSql) => Promise<T>): Promise<T> {
    return this.write(`BEGIN; SELECT pg_advisory_xact_lock_shared(${WRITERS})`, work)
  }

  transactionAlone<T>(work: (sql: StoreSql) => Promise<T>): Promise<T> {
    return this.write(`BEGIN; SELECT pg_advisory_xact_lock(${WRITERS})`, work)
  }

  private write<T>(begin: string, work: (sql: StoreSql) => Promise<T>): Promise<T> {
    return this.again(async () => {
      let committing: { readonly number: string; readonly result: T } | undefined
      try {
        return await this.attempt(begin, work, (number, result) => (committing = { number, result }))
      } catch (error) {
        if (committing === undefined || !isLost(error)) throw error
        if (await this.wasCommitted(committing.number)) return committing.result
        throw error
      }
    })
  }

  async close(): Promise<void> {
    await this.pool.end()
  }

  private async attempt<T>(
    begin: string,
    work: (sql: StoreSql) => Promise<T>,
    beforeCommit?: (number: string, result: T) => void,
  ): Promise<T> {
    const client = await this.pool.connect()
    let lost: Error | undefined
    // Without a listener the loss of the connection would end the process.
    const onError = (error: Error): void => {
      lost = error
    }
    client.on('error', onError)
    const sql = new ServerSql(client, this.where)
    try {
      await client.query(begin)
      const result = await work(sql)
      if (beforeCommit !== undefined) {
        const [numbered] = await sql.all<{ number: string }>('SELECT pg_current_xact_id()::text AS number')
        beforeCommit(numbered?.number ?? '', result)
      }
      await client.query('COMMIT')
      return result
    } catch (error) {
      lost ??= isLost(error) && error instanceof Error ? error : undefined
      if (lost === undefined) await client.query('ROLLBACK').catch((failed: Error) => (lost = failed))
      throw error
    } finally {
      client.removeListener('error', onError)
      client.release(lost)
    }
  }

  private async again<T>(work: () => Promise<T>): Promise<T> {
    const until = performance.now() + PATIENCE_MS
    for (let met = 0; ;) {
      try {
        const result = await work()
        this.waiting = false
        return result
      } catch (error) {
        if ((meets(error) || error instanceof MetError) && ++met < MEETINGS) continue
        if (!isLost(error)) throw inWords(error, this.address)
        if (performance.now() > until)
          throw new ServerLostError(
            message`${this.where}: no server has answered at ${this.address.host} for a minute: once it does, continue with ${option('resume')}`,
          )
        if (!this.waiting) this.notice(`agon: ${this.where}: the connection is lost; waiting for the server`)
        this.waiting = true
        await sleep(PAUSE_MS)
      }
    }
  }

  private wasCommitted(number: string): Promise<boolean> {
    return this.again(() =>
      this.attempt('BEGIN', async (sql) => {
        const [row] = await sql.all<{ status: string | null }>('SELECT pg_xact_status($1::xid8) AS status', [number])
        return row?.status === 'committed'
      }),
    )
  }
}
