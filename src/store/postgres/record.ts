import type { Outcome } from '../../core/index.js'
import { Counts } from '../counts.js'
import type { PlayedJob, PlayedMatch } from '../data.js'
import { type AddedMatch, addedMatch } from '../stored-match.js'
import { heldSum, joined, portions } from '../packing.js'
import type { RunEntry } from '../run-rows.js'
import { faultsSum, matchSum } from '../seals.js'
import { sumOfBytes } from '../sums.js'
import { addCounts } from './counts.js'
import { damagedAt } from './errors.js'
import { writeKept } from './kept.js'
import {
  type ServerMatchRow,
  faultsOf,
  jobKeys,
  jobRows,
  matchesOfJobs,
  records,
  seatRows,
  seatsOf,
  storedJobs,
} from './rows.js'
import { appendMatches, lastOpen } from './segments.js'
import type { Sql } from './server.js'
import { together } from './together.js'

/** Jobs to be stored; `at`: when a match was played, milliseconds since 1970. */
interface Batch<Match extends PlayedMatch> {
  readonly jobs: readonly { readonly key: string; readonly matches: readonly Match[] }[]
  readonly at: (match: Match) => number
}

/** The records of jobs, as they are stored: made before the run's lock is taken. */
export type Packed = readonly { readonly records: number; readonly data: Uint8Array }[]

/**
 * Stores jobs in a run; those that are there already are counted in it as they are, and their keys returned. Within a write that holds the
 * run's lock.
 */
export async function recordJobs(
  sql: Sql,
  run: RunEntry,
  jobs: readonly PlayedJob[],
  at: number,
  packed: Packed = packedOf(jobs),
): Promise<Set<string>> {
  const before = await addJobs(sql, run, { jobs, at: () => at }, packed)
  const kept = jobs.filter((job) => !before.has(job.key)).flatMap((job) => (job.kept === undefined ? [] : [job.kept]))
  for (const { tournament, by } of kept) await writeKept(sql, tournament, by)
  return before
}

/** The same without what bots hold on disk. */
export async function addJobs<Match extends PlayedMatch>(
  sql: Sql,
  run: RunEntry,
  { jobs, at }: Batch<Match>,
  packed: Packed = packedOf(jobs),
): Promise<Set<string>> {
  const counts = new Counts()
  const keys = jobs.map(({ key }) => key)
  const [before, ids, last] = await together([
    storedJobs(sql, keys),
    newIds(sql, packed.length, countOf(jobs)),
    lastOpen(sql, run.number),
  ])
  // Another run's process may have stored one of them just now: then that one counts.
  const fresh = before.size === 0 ? jobs : jobs.filter(({ key }) => !before.has(key))
  const place = fresh === jobs ? { packed, ids } : await placeOf(sql, fresh)
  for (const late of await insertJobs(sql, run, { jobs: fresh, at }, place, counts)) before.add(late)
  if (before.size > 0) await countJobs(sql, run, [...before], counts)
  await together([addCounts(sql, run, counts), appendMatches(sql, run.number, counts.games, last)])
  return before
}

/** Counts those of the jobs that are there in a run, and returns their keys. Within a write that holds the run's lock. */
export async function adoptJobs(sql: Sql, run: RunEntry, keys: readonly string[]): Promise<Set<string>> {
  const counts = new Counts()
  const there = await countJobs(sql, run, keys, counts)
  await addCounts(sql, run, counts)
  await appendMatches(sql, run.number, counts.games)
  return there
}

/** A match on its way to its row. */
interface Fresh<Match extends PlayedMatch> {
  readonly match: Match
  readonly row: ServerMatchRow
}

interface Slot {
  readonly pack: number
  readonly slot: number
}

/** Where matches are put: their records, packed, and numbers for as many packs and matches. */
interface Place {
  readonly packed: Packed
  readonly ids: NewIds
}

interface NewIds {
  readonly packs: readonly number[]
  readonly matches: readonly number[]
}

type JobsOf<Match> = readonly { readonly matches: readonly Match[] }[]

export const packedOf = (jobs: JobsOf<PlayedMatch>): Packed =>
  portions(jobs.flatMap(({ matches }) => matches.map(({ record }) => JSON.stringify(record)))).map((lines) => {
    const data = joined(lines)
    if (data === undefined) throw new Error('records cannot be compressed')
    return { records: lines.length, data }
  })

async function placeOf(sql: Sql, jobs: JobsOf<PlayedMatch>): Promise<Place> {
  const packed = packedOf(jobs)
  return { packed, ids: await newIds(sql, packed.length, countOf(jobs)) }
}

const countOf = (jobs: JobsOf<unknown>): number => jobs.reduce((sum, { matches }) => sum + matches.length, 0)

async function newIds(sql: Sql, packs: number, matches: number): Promise<NewIds> {
  const ids = await sql.get<NewIds>(
    `SELECT ARRAY(SELECT nextval('agon.pack_id') FROM generate_series(1, $1)) AS packs,
       ARRAY(SELECT nextval('agon.match_id') FROM generate_series(1, $2)) AS matches`,
    packs,
    matches,
  )
  if (ids === undefined) throw damagedAt(sql.where)
  return ids
}

/** Adds jobs that are not there. Returns the keys of those that came to be there meanwhile, and are not added. */
async function insertJobs<Match extends PlayedMatch>(
  sql: Sql,
  run: RunEntry,
  { jobs, at }: Batch<Match>,
  place: Place,
  counts: Counts,
): Promise<Set<string>> {
  const { packed, ids } = place
  const list = jobs.flatMap(({ key, matches }) => matches.map((match, number) => ({ match, key, number })))
  if (list.length === 0) return new Set()
  const slots = packed.flatMap(({ records: n }, pack) =>
    Array.from({ length: n }, (_, slot): Slot => ({ pack: ids.packs[pack] as number, slot })),
  )
  const fresh = list.map(({ match, key, number }, i): Fresh<Match> => ({
    match,
    row: rowOf(run, match, {
      id: ids.matches[i] as number,
      unit: key,
      number,
      at: at(match),
      pack: (slots[i] as Slot).pack,
      slot: (slots[i] as Slot).slot,
    }),
  }))
  const rows = fresh.map(({ row }) => row)
  const [, inserted] = await together([insertPacks(sql, place), insertRows(sql, run, rows)])
  const late = new Set(fresh.filter(({ row }) => !inserted.has(row.id)).map(({ row }) => row.unit))
  for (const { match, row } of fresh) {
    if (late.has(row.unit)) continue
    counts.link(row.sum)
    counts.add({ ...match, outcome: match.record.outcome })
    counts.games.push(addedMatch(row.id, match, row.outcome))
  }
  return late
}

async function insertPacks(sql: Sql, { packed, ids: { packs } }: Place): Promise<void> {
  await sql.run(
    'INSERT INTO agon.pack (id, data, sum) SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bigint[])',
    packs,
    packed.map(({ data }) => data),
    packed.map(({ data }, i) => sumOfBytes(packs[i] as number, data)),
  )
}

function rowOf(
  run: RunEntry,
  { record, faults, seats, playoff }: PlayedMatch,
  { id, unit, number, at, pack, slot }: Pick<ServerMatchRow, 'id' | 'unit' | 'number' | 'at' | 'pack' | 'slot'>,
): ServerMatchRow {
  const { outcome } = record
  const entrants = seats.map((entrant) => run.entrants[entrant] as number)
  const ranks = seats.map((_, seat) => outcome.place[seat] ?? 0)
  const sealed = {
    unit,
    number,
    place: record.key ?? '',
    outcome: JSON.stringify(outcome),
    playoff: playoff ? 1 : 0,
    at,
    faults: faultsSum(faults),
  }
  const sum = matchSum(sealed, seatRows({ entrants, ranks }))
  // Name by name: to spread one object into the next takes five times as long, and it is done for every match.
  return {
    id,
    unit,
    number,
    at,
    place: sealed.place,
    outcome: sealed.outcome,
    playoff: sealed.playoff,
    faulted: faults.length === 0 ? null : JSON.stringify(inOrder(faults)),
    faults: sealed.faults,
    entrants,
    ranks,
    sum,
    pack,
    slot,
    held: heldSum(sum, { pack, slot }),
  }
}

const inOrder = (faults: PlayedMatch['faults']): PlayedMatch['faults'] =>
  [...faults].sort((a, b) => a.turn - b.turn || a.seat - b.seat)

/** Adds rows, and links them to the run. Returns the numbers of those that were not there. */
async function insertRows(sql: Sql, run: RunEntry, rows: readonly ServerMatchRow[]): Promise<Set<number>> {
  // In one order, so that two who add the same matches do not wait for each other.
  const sorted = [...rows].sort((a, b) => (a.unit === b.unit ? a.number - b.number : a.unit < b.unit ? -1 : 1))
  const column = <Name extends keyof ServerMatchRow>(name: Name): ServerMatchRow[Name][] =>
    sorted.map((row) => row[name])
  const array = (name: 'entrants' | 'ranks'): string[] => sorted.map((row) => `{${row[name].join()}}`)
  const inserted = await sql.all<{ match: number }>(
    `WITH fresh AS (
       INSERT INTO agon.match (id, unit, number, place, outcome, playoff, at, entrants, ranks, faulted, faults, sum, pack, slot, held)
       SELECT id, unit, number, place, outcome, playoff, at, entrants::integer[], ranks::integer[], faulted, faults, sum, pack, slot, held
       FROM unnest($2::bigint[], $3::bytea[], $4::integer[], $5::text[], $6::text[], $7::smallint[], $8::bigint[], $9::text[], $10::text[],
         $11::text[], $12::bigint[], $13::bigint[], $14::bigint[], $15::integer[], $16::bigint[])
         AS n (id, unit, number, place, outcome, playoff, at, entrants, ranks, faulted, faults, sum, pack, slot, held)
       ON CONFLICT (unit, number) DO NOTHING RETURNING id)
     INSERT INTO agon.run_match (run, match) SELECT $1::integer, id FROM fresh RETURNING match`,
    run.number,
    column('id'),
    column('unit').map((unit) => Buffer.from(unit, 'hex')),
    column('number'),
    column('place'),
    column('outcome'),
    column('playoff'),
    column('at'),
    array('entrants'),
    array('ranks'),
    column('faulted'),
    column('faults'),
    column('sum'),
    column('pack'),
    column('slot'),
    column('held'),
  )
  return new Set(inserted.map(({ match }) => match))
}

/** Counts jobs that are there in a run, where they are not yet. Returns the keys of those that are there. */
async function countJobs(sql: Sql, run: RunEntry, keys: readonly string[], counts: Counts): Promise<Set<string>> {
  // The link comes first: from then on no other process removes them.
  const linked = await sql.all<{ match: number }>(
    `INSERT INTO agon.run_match (run, match) SELECT $1::integer, m.id FROM ${matchesOfJobs('$2')}
     ON CONFLICT DO NOTHING RETURNING match`,
    run.number,
    jobKeys(keys),
  )
  const jobs = await jobRows(sql, keys)
  const fresh = new Set(linked.map(({ match }) => match))
  const rows = keys.flatMap((key) => jobs.get(key) ?? []).filter(({ id }) => fresh.has(id))
  if (rows.length !== fresh.size) throw damagedAt(sql.where)
  for (const game of await gamesOf(sql, run, rows, counts)) counts.games.push(game)
  return new Set(jobs.keys())
}

async function gamesOf(
  sql: Sql,
  run: RunEntry,
  rows: readonly ServerMatchRow[],
  counts: Counts,
): Promise<AddedMatch[]> {
  if (rows.length === 0) return []
  const ruled = new Map(
    (
      await sql.all<{ match: number; outcome: string }>(
        'SELECT match, outcome FROM agon.ruling WHERE run = $1 AND match = ANY($2::bigint[])',
        run.number,
        rows.map(({ id }) => id),
      )
    ).map(({ match, outcome }) => [match, outcome]),
  )
  const known = await records(sql, rows)
  return rows.map((row) => {
    const match = { seats: seatsOf(run, row), playoff: row.playoff === 1 }
    const record = known.get(row.id)
    if (record === undefined) throw damagedAt(sql.where)
    counts.link(row.sum)
    counts.add({ ...match, outcome: sql.parse<Outcome>(ruled.get(row.id) ?? row.outcome), faults: faultsOf(sql, row) })
    return addedMatch(row.id, { ...match, record }, row.outcome)
  })
}
