import { UserError } from '../core/index.js'
import type { MatchRecord, Outcome, Result } from '../core/index.js'
import { Counts } from './counts.js'
import type { Database } from './database.js'
import { type RunEntry, bytes, hex, insertRun, readEntrants, readEntry, readRuns } from './entries.js'
import { adoptUnits, insertUnits, readFaults, seatsOf } from './matches.js'
import type { Unpacker } from './packs.js'
import type { Exclusion, LogEntry, RatingRow, Ruling, RunDump, UnitDump } from './port.js'
import { readKept, writeKept } from './snapshots.js'

/** All that makes up a run but its matches. */
export function dumpRun(db: Database, id: string): RunDump {
  const { number } = readEntry(db, id)
  const [summary] = readRuns(db, id)
  if (summary === undefined) throw new Error(`${db.file} holds no run ${id}`)
  const { matches: _, ...run } = summary
  const tournament = bytes(run.tournament)
  return {
    run,
    entrants: readEntrants(db, number),
    exclusions: readExclusions(db, number),
    stderr: Object.fromEntries(
      db
        .all<{ name: string; text: string }>('SELECT name, text FROM stderr WHERE run = ? ORDER BY name', number)
        .map(({ name, text }) => [name, text]),
    ),
    rulings: db
      .all<{ place: string; outcome: string; why: string }>(
        'SELECT m.place, u.outcome, u.why FROM ruling u JOIN match m ON m.id = u.match WHERE u.run = ? ORDER BY m.id',
        number,
      )
      .map((row) => ({ ...row, outcome: db.parse<Outcome>(row.outcome) })),
    ratings: readRatings(db, number),
    log: readLog(db, number),
    kept: db
      .all<{ entrant: string }>('SELECT entrant FROM kept WHERE tournament = ? ORDER BY entrant', tournament)
      .flatMap(({ entrant }) => {
        const kept = readKept(db, tournament, entrant)
        return kept === undefined ? [] : [{ tournament: run.tournament, entrant, kept }]
      }),
  }
}

export const readExclusions = (db: Database, run: number): Exclusion[] =>
  db.all<Exclusion>('SELECT name, status, treatment, why FROM exclusion WHERE run = ? ORDER BY name', run)

export const readRatings = (db: Database, run: number): RatingRow[] =>
  db.all<RatingRow>(
    'SELECT place AS entrant, kind, value, low, high FROM rating WHERE run = ? ORDER BY kind, place',
    run,
  )

export const readLog = (db: Database, run: number): LogEntry[] =>
  db
    .all<Omit<LogEntry, 'detail'> & { detail: string }>(
      'SELECT at, agon, what, detail FROM log WHERE run = ? ORDER BY id',
      run,
    )
    .map((row) => ({ ...row, detail: db.parse<LogEntry['detail']>(row.detail) }))

/** A run's units in the order in which they were first stored, in this store or in the one that they came from. */
export function* dumpUnits(db: Database, unpacker: Unpacker, runId: string): Generator<UnitDump> {
  const run = readEntry(db, runId)
  const firsts = db.all<{ id: number }>(
    'SELECT m.id FROM run_match r JOIN match m ON m.id = r.match WHERE r.run = ? AND m.number = 0 ORDER BY m.at, m.id',
    run.number,
  )
  for (const { id: first } of firsts) {
    const row = db.get<{ unit: Uint8Array }>('SELECT unit FROM match WHERE id = ?', first)
    if (row !== undefined) yield dumpUnit(db, run, unpacker, hex(row.unit))
  }
}

function dumpUnit(db: Database, run: RunEntry, unpacker: Unpacker, key: string): UnitDump {
  const rows = db.all<{ id: number; playoff: number; at: number }>(
    'SELECT id, playoff, at FROM match WHERE unit = ? ORDER BY number',
    bytes(key),
  )
  return {
    key,
    matches: rows.map(({ id, playoff, at }) => ({
      record: unpacker.record(id),
      faults: readFaults(db, id),
      seats: seatsOf(db, run, id),
      playoff: playoff === 1,
      at: new Date(at).toISOString(),
    })),
  }
}

/** What was heard in a match, and what came of it: neither how long it took nor the words for people beside a fault. */
function courseText(record: MatchRecord): string {
  return JSON.stringify({ ...record, times: [] }, (name, value: unknown) => (name === 'why' ? undefined : value))
}

/** Throws UserError where a unit of the archive went otherwise in the store: they cannot both be kept. */
export function refuseOther(db: Database, unpacker: Unpacker, unit: UnitDump): void {
  const rows = db.all<{ id: number }>('SELECT id FROM match WHERE unit = ? ORDER BY number', bytes(unit.key))
  for (const [i, { id }] of rows.entries()) {
    const record = unit.matches[i]?.record
    if (record !== undefined && courseText(unpacker.record(id)) === courseText(record)) continue
    throw new UserError(
      `${db.file} holds the match ${record?.key ?? unit.key} with another course than the archive: import into another workspace with --workspace`,
    )
  }
}

/** Adds a run of an archive, without its matches; one that is there already must be the same. Within a write. */
export function loadRun(db: Database, dump: RunDump): RunEntry {
  const [there] = readRuns(db, dump.run.id)
  if (there === undefined) insertRun(db, dump.run, dump.entrants)
  else if (there.tournament !== dump.run.tournament)
    throw new UserError(`${db.file} holds another run ${dump.run.id}: import into another workspace with --workspace`)
  return readEntry(db, dump.run.id)
}

/** Adds units of an archive to a run. Within a write. */
export function loadUnits(db: Database, run: RunEntry, units: readonly UnitDump[]): void {
  const there = adoptUnits(
    db,
    run,
    units.map(({ key }) => key),
  )
  const counts = new Counts()
  const fresh = units.filter(({ key }) => !there.has(key))
  insertUnits(db, run, fresh, counts, ({ at }) => Date.parse(at))
  counts.store(db, run.number)
}

/** Adds all that an archive says beside the matches, which must be there. Within a write. */
export function loadRest(db: Database, run: RunEntry, dump: RunDump): void {
  const { number } = run
  const at = db.get<{ n: number }>('SELECT count(*) AS n FROM log WHERE run = ?', number)?.n ?? 0
  for (const entry of dump.log.slice(at)) {
    db.run(
      'INSERT INTO log (at, agon, run, what, detail) VALUES (?, ?, ?, ?, ?)',
      entry.at,
      entry.agon,
      number,
      entry.what,
      JSON.stringify(entry.detail),
    )
  }
  for (const one of dump.exclusions) insertExclusion(db, number, one)
  for (const [name, text] of Object.entries(dump.stderr)) insertStderr(db, number, name, text)
  for (const one of dump.ratings) insertRating(db, number, one)
  for (const { tournament, entrant, kept } of dump.kept)
    if (readKept(db, bytes(tournament), entrant) === undefined) writeKept(db, bytes(tournament), entrant, kept)
  applyRulings(
    db,
    run,
    dump.rulings.flatMap(({ place, ...ruling }) => {
      const match = db.get<{ id: number }>(
        'SELECT m.id FROM run_match r JOIN match m ON m.id = r.match WHERE r.run = ? AND m.place = ?',
        number,
        place,
      )
      return match === undefined ? [] : [{ ...ruling, match: match.id }]
    }),
  )
}

export function insertExclusion(db: Database, run: number, { name, status, treatment, why }: Exclusion): void {
  db.run(
    'INSERT OR REPLACE INTO exclusion (run, name, status, treatment, why) VALUES (?, ?, ?, ?, ?)',
    run,
    name,
    status,
    treatment,
    why,
  )
}

export function insertStderr(db: Database, run: number, name: string, text: string): void {
  db.run('INSERT OR REPLACE INTO stderr (run, name, text) VALUES (?, ?, ?)', run, name, text)
}

export function insertRating(db: Database, run: number, { entrant, kind, value, low, high }: RatingRow): void {
  db.run(
    'INSERT OR REPLACE INTO rating (run, place, kind, value, low, high) VALUES (?, ?, ?, ?, ?, ?)',
    run,
    entrant,
    kind,
    value,
    low,
    high,
  )
}

/** Lets other outcomes count in a run than those that count now. Within a write. */
export function applyRulings(db: Database, run: RunEntry, rulings: readonly Ruling[]): void {
  const counts = new Counts()
  for (const { match, outcome, why } of rulings) {
    const row = db.get<{ outcome: string; playoff: number }>(
      'SELECT coalesce(u.outcome, m.outcome) AS outcome, m.playoff FROM match m LEFT JOIN ruling u ON u.run = ? AND u.match = m.id WHERE m.id = ?',
      run.number,
      match,
    )
    if (row === undefined) throw new Error(`${db.file}: there is no match ${match}`)
    const counted = { seats: seatsOf(db, run, match), faults: [], playoff: row.playoff === 1 }
    counts.add({ ...counted, outcome: db.parse<Result['outcome']>(row.outcome) }, -1)
    counts.add({ ...counted, outcome })
    db.run(
      'INSERT OR REPLACE INTO ruling (run, match, outcome, why) VALUES (?, ?, ?, ?)',
      run.number,
      match,
      JSON.stringify(outcome),
      why,
    )
  }
  counts.store(db, run.number)
}
