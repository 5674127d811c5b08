import { isRunning, thisProcess } from '../lease/index.js'

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

/** The number of the owner's process, for a person. */
export const holderOf = ({ owner, process }: LeaseRow): string =>
  /^\d+/.exec(process)?.[0] ?? /^\d+/.exec(owner)?.[0] ?? owner

/** Whether a lease of another owner may be acquired. */
export function isFree({ owner, process, heartbeat, now }: LeaseRow): boolean {
  if (process === thisProcess()) return !holding.has(owner)
  // A process that cannot be seen from here is not known to have ended.
  const ended = process !== '' && !isRunning(process, Date.now())
  // A heartbeat of the future was written before the clock was set back.
  return ended || Math.abs(now - heartbeat) > LEASE_MS
}
