import type { KeptFiles } from '../data.js'
import { type KeptRow, keptSum, packSnapshot, rowSum, unpackSnapshot } from '../kept.js'
import { compress } from '../packing.js'
import { bytes } from '../run-rows.js'
import { minus, plus } from '../sums.js'
import { damagedAt } from './errors.js'
import type { Sql } from './server.js'

/** All that is kept in a tournament. Throws UserError where it is not as it was written. */
async function keptRows(sql: Sql, tournament: string): Promise<KeptRow[]> {
  const rows = await sql.all<KeptRow>(
    'SELECT entrant, now, start FROM agon.kept WHERE tournament = $1 ORDER BY entrant COLLATE "C"',
    bytes(tournament),
  )
  if (keptSum(rows) !== (await storedSum(sql, tournament))) throw damagedAt(sql.where)
  return rows
}

const storedSum = async (sql: Sql, tournament: string): Promise<number> =>
  (await sql.get<{ sum: number }>('SELECT sum FROM agon.kept_sum WHERE tournament = $1', bytes(tournament)))?.sum ?? 0

/** What entrants hold on disk in a tournament, by name. Throws UserError where it is not as it was written. */
export async function readKept(sql: Sql, tournament: string, only?: string): Promise<Map<string, KeptFiles>> {
  const rows = (await keptRows(sql, tournament)).filter(({ entrant }) => only === undefined || entrant === only)
  const kept = new Map<string, KeptFiles>()
  for (const { entrant, now, start } of rows)
    kept.set(entrant, { now: await load(sql, now), start: start === null ? undefined : await load(sql, start) })
  return kept
}

async function load(sql: Sql, hash: Uint8Array): Promise<KeptFiles['now']> {
  const row = await sql.get<{ data: Uint8Array }>('SELECT data FROM agon.snapshot WHERE hash = $1', hash)
  if (row === undefined) throw damagedAt(sql.where)
  return unpackSnapshot(sql.where, hash, row.data)
}

/** Replaces what entrants hold; the same contents are stored once, and contents that no entrant holds any more are removed. Within a write. */
export async function writeKept(sql: Sql, tournament: string, by: Readonly<Record<string, KeptFiles>>): Promise<void> {
  await alone(sql)
  const before = new Map((await keptRows(sql, tournament)).map((row) => [row.entrant, row]))
  let total = await storedSum(sql, tournament)
  const dropped: Uint8Array[] = []
  for (const [entrant, { now, start }] of Object.entries(by)) {
    const old = before.get(entrant)
    const row = { entrant, now: await keep(sql, now), start: start === undefined ? null : await keep(sql, start) }
    await sql.run(
      `INSERT INTO agon.kept (tournament, entrant, now, start) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tournament, entrant) DO UPDATE SET now = excluded.now, start = excluded.start`,
      bytes(tournament),
      entrant,
      row.now,
      row.start,
    )
    total = plus(minus(total, old ? rowSum(old) : 0), rowSum(row))
    if (old) dropped.push(old.now, ...(old.start === null ? [] : [old.start]))
  }
  await sql.run(
    'INSERT INTO agon.kept_sum (tournament, sum) VALUES ($1, $2) ON CONFLICT (tournament) DO UPDATE SET sum = excluded.sum',
    bytes(tournament),
    total,
  )
  await sql.run(`DELETE FROM agon.snapshot s WHERE hash = ANY($1::bytea[]) AND ${UNHELD}`, dropped)
}
const UNHELD =
  'NOT EXISTS (SELECT 1 FROM agon.kept WHERE now = s.hash) AND NOT EXISTS (SELECT 1 FROM agon.kept WHERE start = s.hash)'

/** Until this write ends no other process changes what is kept: contents that one lets go of another may just have taken. */
async function alone(sql: Sql): Promise<void> {
  await sql.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
}
const LOCK = 0x6b657074

async function keep(sql: Sql, snapshot: KeptFiles['now']): Promise<Uint8Array> {
  const { hash, text } = packSnapshot(snapshot)
  await sql.run(
    'INSERT INTO agon.snapshot (hash, data) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING',
    hash,
    compress(text),
  )
  return hash
}

/** Forgets all that was kept in a tournament. Within a write. */
export async function dropKept(sql: Sql, tournament: string): Promise<void> {
  await alone(sql)
  await sql.run('DELETE FROM agon.kept WHERE tournament = $1', bytes(tournament))
  await sql.run('DELETE FROM agon.kept_sum WHERE tournament = $1', bytes(tournament))
  await sql.run(`DELETE FROM agon.snapshot s WHERE ${UNHELD}`)
}
