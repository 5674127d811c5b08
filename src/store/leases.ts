import { randomBytes } from 'node:crypto'
import { isRunning, thisProcess } from '../files/index.js'
import { bytesOf } from './jobs.js'
import { LeaseLostError } from './port.js'
import { type StoreDatabase, type StoreSql, first } from './sql.js'

/*
 * Theory of operation.
 *
 * A lease is a row with its owner's id. While an owner has the store open, it writes its heartbeat (the store's time) into its rows.
 * A lease whose heartbeat is older than LEASE_MS is free, wherever its owner runs. An owner that is seen from here to have ended
 * frees its leases at once.
 *
 * So an owner that was stopped for longer than LEASE_MS loses its lease. It learns of it in the transaction that writes what the
 * lease is for.
 */

const HEARTBEAT_MS = 5000

/** Milliseconds after its last heartbeat until a lease is free. */
const LEASE_MS = 12 * HEARTBEAT_MS

const holding = new Set<string>()

interface LeaseRow {
  /** The owner's process, as `src/files/owner.ts` names it, and by / which owner of that process it is. */
  readonly owner: string
  /** Milliseconds since 1970 by the store's clock, as `now` is. */
  readonly heartbeat: number
  readonly now: number
}

/** The owner's process number, for a person. */
const holderOf = ({ owner }: LeaseRow): string => /^\d+/.exec(owner)?.[0] ?? owner

function isFree({ owner, heartbeat, now }: LeaseRow): boolean {
  const process = owner.slice(0, owner.lastIndexOf('/'))
  if (process === thisProcess()) return !holding.has(owner)
  // A process that cannot be seen from here may still run.
  const ended = !isRunning(process, Date.now())
  // A heartbeat of the future: the clock was set back.
  return ended || Math.abs(now - heartbeat) > LEASE_MS
}

export class Leases {
  private readonly owner = `${thisProcess()}/${randomBytes(16).toString('hex')}`
  private readonly acquired = new Set<string>()
  private heartbeats: NodeJS.Timeout | undefined
  private renewing: Promise<unknown> | undefined

  constructor(private readonly db: StoreDatabase) {}

  /** Acquires the lease of that key. Returns another holder's process number, if there is one. */
  async acquire(key: string): Promise<string | undefined> {
    const holder = await this.db.transactionAlone((sql) => this.take(sql, key))
    if (holder !== undefined) return holder
    holding.add(this.owner)
    this.acquired.add(key)
    this.heartbeats ??= setInterval(() => {
      this.renewing ??= this.renew().finally(() => (this.renewing = undefined))
    }, HEARTBEAT_MS).unref()
    return undefined
  }

  private async take(sql: StoreSql, key: string): Promise<string | undefined> {
    const text = `SELECT owner, heartbeat, ${sql.now} AS now FROM lease WHERE key = $1`
    const row = await first<LeaseRow>(sql, text, [bytesOf(key)])
    if (row !== undefined && row.owner !== this.owner && !isFree(row)) return holderOf(row)
    await sql.run(
      `INSERT INTO lease (key, owner, heartbeat) VALUES ($1, $2, ${sql.now})
       ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, heartbeat = excluded.heartbeat`,
      [bytesOf(key), this.owner],
    )
    return undefined
  }

  /** Throws a LeaseLostError where this key's lease was acquired here and is lost. It stays so until the transaction ends. */
  async refuseLost(sql: StoreSql, key: string): Promise<void> {
    if (!this.acquired.has(key)) return
    const row = await first<{ owner: string }>(sql, 'SELECT owner FROM lease WHERE key = $1', [bytesOf(key)])
    if (row?.owner !== this.owner) throw new LeaseLostError()
  }

  /** Gives back all leases. If the store is gone, they end by themselves after a minute. */
  async close(): Promise<void> {
    if (this.acquired.size === 0) return
    this.acquired.clear()
    holding.delete(this.owner)
    clearInterval(this.heartbeats)
    await this.renewing
    await this.change(() => 'DELETE FROM lease WHERE owner = $1')
  }

  private renew(): Promise<unknown> {
    return this.change(({ now }) => `UPDATE lease SET heartbeat = ${now} WHERE owner = $1`)
  }

  /** Changes all leases held. If that fails, the next heartbeat tries again. */
  private change(text: (sql: StoreSql) => string): Promise<unknown> {
    return this.db.transaction((sql) => sql.run(text(sql), [this.owner])).catch(() => undefined)
  }
}
