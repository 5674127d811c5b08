import { randomBytes } from 'node:crypto'
import { thisProcess } from '../../lease/index.js'
import { type LeaseRow, HEARTBEAT_MS, holderOf, holding, isFree } from '../held.js'
import { LeaseLostError } from '../port.js'
import type { Database } from './database.js'

/** Milliseconds since 1970 by the store's clock. */
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

/** The leases of one store, of all that have its file open. */
export class Leases {
  private readonly owner = randomBytes(16).toString('hex')
  /** What it has acquired and not released, in hexadecimal digits. */
  private readonly acquired = new Set<string>()
  private heartbeats: NodeJS.Timeout | undefined

  constructor(private readonly db: Database) {}

  /** Acquires the lease of that key. Returns who has it (a process's number), if another one does. */
  acquire(key: Uint8Array): string | undefined {
    return this.db.write(() => {
      const row = this.db.get<LeaseRow>(
        `SELECT owner, process, heartbeat, ${NOW} AS now FROM lease WHERE tournament = ?`,
        key,
      )
      if (row !== undefined && row.owner !== this.owner && !isFree(row)) return holderOf(row)
      const columns = 'tournament, owner, process, heartbeat'
      this.db.run(`INSERT OR REPLACE INTO lease (${columns}) VALUES (?, ?, ?, ${NOW})`, key, this.owner, thisProcess())
      holding.add(this.owner)
      this.acquired.add(hex(key))
      this.heartbeats ??= setInterval(() => this.renew(), HEARTBEAT_MS).unref()
      return undefined
    })
  }

  /** Throws a LeaseLostError where the lease of that key was acquired here and is another's, or free, now. Within a write. */
  refuseLost(key: Uint8Array): void {
    if (!this.acquired.has(hex(key))) return
    const owner = this.db.get<{ owner: string }>('SELECT owner FROM lease WHERE tournament = ?', key)?.owner
    if (owner !== this.owner) throw new LeaseLostError()
  }

  /** Gives back the lease of that key, if it holds it. */
  release(key: Uint8Array): void {
    if (!this.acquired.delete(hex(key))) return
    this.db.write(() => this.db.run('DELETE FROM lease WHERE tournament = ? AND owner = ?', key, this.owner))
    if (this.acquired.size === 0) this.end()
  }

  /** Gives back all that it holds. */
  close(): void {
    const held = this.acquired.size > 0
    this.acquired.clear()
    this.end()
    if (held) this.db.write(() => this.db.run('DELETE FROM lease WHERE owner = ?', this.owner))
  }

  private end(): void {
    holding.delete(this.owner)
    clearInterval(this.heartbeats)
    this.heartbeats = undefined
  }

  private renew(): void {
    try {
      this.db.write(() => this.db.run(`UPDATE lease SET heartbeat = ${NOW} WHERE owner = ?`, this.owner))
    } catch {
      // The next heartbeat may find the disk in order again.
    }
  }
}

const hex = (key: Uint8Array): string => Buffer.from(key).toString('hex')
