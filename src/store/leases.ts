import { randomBytes } from 'node:crypto'
import { isRunning, thisProcess } from '../lease/index.js'
import type { Database } from './database.js'
import { LeaseLostError } from './port.js'

/*
 * Theory of operation.
 *
 * A lease is a row with its owner's id. While an owner has the store open, it writes its heartbeat into its rows: the time by the
 * store's clock. A lease whose heartbeat is older than LEASE_MS is free, wherever its owner runs. An owner that is seen from here to
 * have ended frees its leases at once.
 *
 * So a lease may be lost: its owner was stopped for longer than LEASE_MS, and went on. It learns of it when it writes what the
 * lease is for, in the transaction that would have written it.
 */

/** Milliseconds between two heartbeats. */
export const HEARTBEAT_MS = 5000
/** Milliseconds after its last heartbeat during which a lease is its owner's. */
const LEASE_MS = 12 * HEARTBEAT_MS

/** Milliseconds since 1970 by the store's clock. */
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

/** Owners in this process that hold leases. */
export const holding = new Set<string>()

/** A lease as it lies there. */
export interface LeaseRow {
  readonly owner: string
  /** The owner's process, as `src/lease` names it; '': nothing is known of it. */
  readonly process: string
  /** Milliseconds since 1970 by the store's clock, as `now` is. */
  readonly heartbeat: number
  readonly now: number
}

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

  /** Throws a LeaseLostError where the lease of that key was acquired here and is another's, or nobody's, now. Within a write. */
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

/** The number of the owner's process, for a person. */
export const holderOf = ({ owner, process }: LeaseRow): string =>
  /^\d+/.exec(process)?.[0] ?? /^\d+/.exec(owner)?.[0] ?? owner

/** Whether a lease of another owner may be acquired. */
export function isFree({ owner, process, heartbeat, now }: LeaseRow): boolean {
  if (owner.includes(' ')) return !isHeldByOlder(owner)
  if (process === thisProcess()) return !holding.has(owner)
  // A process that cannot be seen from here is not known to have ended.
  const ended = process !== '' && !isRunning(process, Date.now())
  // A heartbeat of the future was written before the clock was set back.
  return ended || Math.abs(now - heartbeat) > LEASE_MS
}

/**
 * Older agons wrote the process's name, the store's number in it and the time of its last sign of life, in one text; still older ones
 * a process's number and start.
 */
function isHeldByOlder(owner: string): boolean {
  const [name = '', number = '', sign] = owner.split(' ')
  return name.includes('-') ? isRunning(name, Number(sign)) : isRunning(`${name} ${number}`)
}
