import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import type { Transaction } from '../port.js'
import type { ServerAddress } from './address.js'
import { damagedAt, gone, inWords, isLost, meets } from './errors.js'
import { together } from './together.js'

/*
 * Theory of operation.
 *
 * What reads sees one moment (REPEATABLE READ, READ ONLY); what writes is one transaction. A server that goes in the middle takes nothing
 * with it: a read or a write waits for it for a minute, and is done again from the start. Only of a COMMIT whose answer was lost
 * it is not plain whether it was done: the transaction's number is known by then, and the server is asked (`pg_xact_status`).
 */

/** Milliseconds during which a lost server is waited for. */
const PATIENCE_MS = 60_000
/** Milliseconds between two attempts. */
const PAUSE_MS = 250
/** How often a transaction that met another one is begun anew. */
const MEETINGS = 20

type List = readonly (string | number | null | Uint8Array)[]
export type Value = string | number | null | boolean | Uint8Array | List

/** A connection within a transaction: the store's own statements are prepared once a connection. */
export class Sql implements Transaction {
  constructor(
    private readonly client: PoolClient,
    readonly where: string,
  ) {}

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<{ rows: Row[]; rowCount: number | null }> {
    const { rows, rowCount } = await this.client.query(text, [...values])
    return { rows: rows as Row[], rowCount }
  }

  async all<Row>(text: string, ...values: readonly Value[]): Promise<Row[]> {
    const { rows } = await this.client.query({ name: nameOf(text), text, values: values.map(sent) })
    return rows as Row[]
  }

  async get<Row>(text: string, ...values: readonly Value[]): Promise<Row | undefined> {
    return (await this.all<Row>(text, ...values))[0]
  }

  /** How many rows it changed. */
  async run(text: string, ...values: readonly Value[]): Promise<number> {
    const { rowCount } = await this.client.query({ name: nameOf(text), text, values: values.map(sent) })
    return rowCount ?? 0
  }

  /** What a column of JSON says. Throws UserError, which names the server, where it is none. */
  parse<T>(text: string): T {
    try {
      return JSON.parse(text) as T
    } catch {
      throw damagedAt(this.where)
    }
  }
}

/** `pg` knows bytes by Buffer alone. */
const sent = (value: Value): unknown =>
  value instanceof Uint8Array ? bufferOf(value) : Array.isArray(value) ? literalOf(value as List) : value
const bufferOf = (data: Uint8Array): Buffer => Buffer.from(data.buffer, data.byteOffset, data.byteLength)

/**
 * A list as PostgreSQL reads it. `pg` quotes and searches numbers too: of a batch of matches, with tens of thousands of values, that
 * takes longer than PostgreSQL takes to read them.
 */
function literalOf(list: List): string {
  let text = '{'
  for (const [i, one] of list.entries()) {
    if (i > 0) text += ','
    if (one === null) text += 'NULL'
    else if (typeof one === 'number') text += one
    else if (typeof one === 'string') text += `"${one.replace(/["\\]/g, '\\$&')}"`
    else text += `"\\\\x${bufferOf(one).toString('hex')}"`
  }
  return `${text}}`
}

/** A statement's name among those that a connection has prepared. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) names.set(text, (name = createHash('sha256').update(text).digest('hex').slice(0, 32)))
  return name
}
const names = new Map<string, string>()

/** The connections to a server's store. */
export class Server {
  /** Whether a notice was given that the server is waited for. */
  private waiting = false

  constructor(
    private readonly pool: Pool,
    readonly address: ServerAddress,
    private readonly notice: (text: string) => void,
  ) {
    // An idle connection is lost with the server: the next query gets another.
    pool.on('error', () => undefined)
  }

  get where(): string {
    return this.address.where
  }

  /** Reads of one moment. */
  look<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.again(() => this.attempt('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work))
  }

  /** One transaction: all of it, or nothing. `work` may be done more than once. */
  write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.again(async () => {
      let committing: { readonly number: string; readonly result: T } | undefined
      try {
        return await this.attempt('BEGIN', work, (number, result) => (committing = { number, result }))
      } catch (error) {
        if (committing === undefined || !isLost(error)) throw error
        if (await this.wasCommitted(committing.number)) return committing.result
        throw error
      }
    })
  }

  /** The same without waiting for a server that is not there: for who asks for the first time. */
  async first<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    try {
      return await this.attempt('BEGIN', work)
    } catch (error) {
      throw inWords(error, this.address)
    }
  }

  /** One statement outside of a transaction, done once. */
  async query<Row>(text: string, values: readonly unknown[] = []): Promise<{ rows: Row[]; rowCount: number | null }> {
    try {
      const { rows, rowCount } = await this.pool.query(text, [...values])
      return { rows: rows as Row[], rowCount }
    } catch (error) {
      throw inWords(error, this.address)
    }
  }

  async close(): Promise<void> {
    await this.pool.end()
  }

  /** `beforeCommit`: told the transaction's number. */
  private async attempt<T>(
    begin: string,
    work: (sql: Sql) => Promise<T>,
    beforeCommit?: (number: string, result: T) => void,
  ): Promise<T> {
    const client = await this.pool.connect()
    let lost: Error | undefined
    // Without a listener the loss of the connection would end the process.
    const onError = (error: Error): void => {
      lost = error
    }
    client.on('error', onError)
    const sql = new Sql(client, this.where)
    try {
      const [, numbered] = await together([
        client.query(begin),
        beforeCommit && sql.get<{ number: string }>('SELECT pg_current_xact_id()::text AS number'),
      ])
      const result = await work(sql)
      beforeCommit?.(numbered?.number ?? '', result)
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
        if (meets(error) && ++met < MEETINGS) continue
        if (!isLost(error)) throw inWords(error, this.address)
        if (performance.now() > until) throw gone(this.address)
        if (!this.waiting) this.notice(`agon: ${this.where}: the connection is lost; waiting for the server`)
        this.waiting = true
        await sleep(PAUSE_MS)
      }
    }
  }

  private wasCommitted(number: string): Promise<boolean> {
    return this.again(async () => {
      const row = await this.attempt('BEGIN', (sql) =>
        sql.get<{ status: string | null }>('SELECT pg_xact_status($1::xid8) AS status', number),
      )
      return row?.status === 'committed'
    })
  }
}
