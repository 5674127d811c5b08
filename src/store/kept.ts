import { createHash } from 'node:crypto'
import { damaged } from './damage.js'
import type { Snapshot } from './data.js'
import { expand } from './packing.js'
import { bytesPart, sumOf, total } from './sums.js'

/** What an entrant holds on disk, by the hashes of its snapshots. */
export interface KeptRow {
  readonly entrant: string
  readonly now: Uint8Array
  readonly start: Uint8Array | null
}

export const keptSum = (rows: readonly KeptRow[]): number => total(rows.map(rowSum))

/** The checksum of what an entrant holds. */
export const rowSum = ({ entrant, now, start }: KeptRow): number =>
  sumOf(entrant, bytesPart(now), start && bytesPart(start))

/** A snapshot as a text, the same for the same files, and the hash that names it. */
export function packSnapshot(snapshot: Snapshot): { readonly hash: Buffer; readonly text: string } {
  const text = JSON.stringify(Object.fromEntries(Object.entries(snapshot).sort(([a], [b]) => (a < b ? -1 : 1))))
  return { hash: hashOf(text), text }
}

/** The snapshot of that hash. Throws UserError, which names the store, where these bytes are not its. */
export function unpackSnapshot(store: string, hash: Uint8Array, data: Uint8Array): Snapshot {
  const text = expand(store, data)
  if (!hashOf(text).equals(hash)) throw damaged(store)
  const snapshot = JSON.parse(text) as Snapshot
  if (!Object.keys(snapshot).every(isBelow)) throw damaged(store)
  return snapshot
}

/** Whether a path, as a snapshot has it, leads to a place below the folder that it is relative to. */
export const isBelow = (path: string): boolean =>
  path !== '' && !path.includes('\0') && !path.startsWith('/') && !/(?:^|[\\/])\.{1,2}(?:[\\/]|$)/.test(path)

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, 16)
