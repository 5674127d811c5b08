import { randomBytes } from 'node:crypto'
import { thisProcess } from '../../lease/index.js'
import { type LeaseRow, HEARTBEAT_MS, holderOf, holding, isFree } from '../held.js'
import { LeaseLostError } from '../port.js'
import { bytes } from '../run-rows.js'
import type { Server, Sql } from './server.js'

/** Milliseconds since 1970 by the server's clock, at this moment of the transaction. */
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/**
 * The leases of the file's store (`../leases.ts`) on a server. Their owners are mostly on other machines, of whose processes nothing is
 * known here: their heartbeats alone count, by the server's clock.
 */
export class ServerLeases {
  private readonly owner = randomBytes(16).toString('hex')
  private readonly acquired = new Set<string>()
  private heartbeats: NodeJS.Timeout | undefined
  private renewing: Promise<void> | undefined

  constructor(private readonly server: Server) {}

  /** Acquires the lease of that key. Returns who has it (a process's number), if another one does. */
  async acquire(key: string): Promise<string | undefined> {
    const holder = await this.server.write(async (sql) => {
      // Of two who find it free, one waits for the other here.
      await sql.run(
        `INSERT INTO agon.lease (key, owner, process, heartbeat) VALUES ($1, $2, $3, clock_timestamp()) ON CONFLICT (key) DO NOTHING`,
        bytes(key),
        this.owner,
        thisProcess(),
      )
      const row = await sql.get<LeaseRow>(
        `SELECT owner, process, (extract(epoch FROM heartbeat) * 1000)::bigint AS heartbeat, ${NOW} AS now
         FROM agon.lease WHERE key = $1 FOR UPDATE`,
        bytes(key),
      )
      if (row !== undefined && row.owner !== this.owner && !isFree(row)) return holderOf(row)
      await sql.run(
        'UPDATE agon.lease SET owner = $2, process = $3, heartbeat = clock_timestamp() WHERE key = $1',
        bytes(key),
        this.owner,
        thisProcess(),
      )
      return undefined
    })
    if (holder !== undefined) return holder
    holding.add(this.owner)
    this.acquired.add(key)
    this.heartbeats ??= setInterval(() => {
      this.renewing ??= this.renew().finally(() => (this.renewing = undefined))
    }, HEARTBEAT_MS).unref()
    return undefined
  }

  /** Throws a LeaseLostError where the lease of that key was acquired here and is not its own now. It stays so until the write ends. */
  async refuseLost(sql: Sql, key: string): Promise<void> {
    if (!this.acquired.has(key)) return
    const row = await sql.get<{ owner: string }>('SELECT owner FROM agon.lease WHERE key = $1 FOR SHARE', bytes(key))
    if (row?.owner !== this.owner) throw new LeaseLostError()
  }

  /** Gives back the lease of that key, if it holds it. */
  async release(key: string): Promise<void> {
    if (!this.acquired.delete(key)) return
    if (this.acquired.size === 0) this.end()
    await this.server.write((sql) =>
      sql.run('DELETE FROM agon.lease WHERE key = $1 AND owner = $2', bytes(key), this.owner),
    )
  }

  /** Gives back all that it holds. A server that is not there any more takes them back itself, a minute later. */
  async close(): Promise<void> {
    const held = this.acquired.size > 0
    this.acquired.clear()
    this.end()
    await this.renewing
    if (!held) return
    await this.server
      .first((sql) => sql.run('DELETE FROM agon.lease WHERE owner = $1', this.owner))
      .catch(() => undefined)
  }

  private end(): void {
    holding.delete(this.owner)
    clearInterval(this.heartbeats)
    this.heartbeats = undefined
  }

  private async renew(): Promise<void> {
    // The next heartbeat may find the server again.
    await this.server
      .first((sql) => sql.run('UPDATE agon.lease SET heartbeat = clock_timestamp() WHERE owner = $1', this.owner))
      .catch(() => undefined)
  }
}
