import type { Outcome, Result } from '../core/index.js'
import { Counts } from './counts.js'
import type { Database } from './database.js'
import { type RunEntry, bytes } from './entries.js'
import { type Place, packRecords, storeLoose } from './packs.js'
import type { MatchFilter, MatchRow, Played, PlayedUnit, StoredFault } from './port.js'
import { writeKept } from './snapshots.js'

/** Stores units in a run; those that are there already are counted in it as they are, and their keys returned. Within a write. */
export function recordUnits(db: Database, run: RunEntry, units: readonly PlayedUnit[], at: number): Set<string> {
  const counts = new Counts()
  const before = new Set<string>()
  for (const { key } of units) if (adoptUnit(db, run, key, counts)) before.add(key)
  const fresh = units.filter(({ key }) => !before.has(key))
  insertUnits(db, run, fresh, counts, () => at)
  for (const { kept } of fresh) {
    for (const [entrant, what] of Object.entries(kept?.by ?? {}))
      writeKept(db, bytes(kept?.tournament ?? ''), entrant, what)
  }
  counts.store(db, run.number)
  return before
}

/** Adds units that are not there, and counts them in a run. Within a write. */
export function insertUnits<Match extends Played>(
  db: Database,
  run: RunEntry,
  units: readonly { readonly key: string; readonly matches: readonly Match[] }[],
  counts: Counts,
  at: (match: Match) => number,
): void {
  const list = units.flatMap(({ key, matches }) =>
    matches.map((match, number) => ({ match, unit: bytes(key), number, line: JSON.stringify(match.record) })),
  )
  const places = packRecords(
    db,
    list.map(({ line }) => line),
  )
  const loose: { match: number; record: string }[] = []
  for (const [i, { match, unit, number, line }] of list.entries()) {
    const place = places[i] as Place
    const id = insertMatch(db, run, unit, number, match, at(match), place)
    if (place.pack === null) loose.push({ match: id, record: line })
    counts.add({ ...match, outcome: match.record.outcome })
  }
  storeLoose(db, loose)
}

/** Counts those of the units that are there in a run, and returns their keys. Within a write. */
export function adoptUnits(db: Database, run: RunEntry, units: readonly string[]): Set<string> {
  const counts = new Counts()
  const there = new Set(units.filter((unit) => adoptUnit(db, run, unit, counts)))
  counts.store(db, run.number)
  return there
}

function insertMatch(
  db: Database,
  run: RunEntry,
  unit: Uint8Array,
  number: number,
  { record, faults, seats, playoff }: Played,
  at: number,
  { pack, slot }: Place,
): number {
  const { id } = db.run(
    'INSERT INTO match (unit, number, place, outcome, playoff, at, pack, slot) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    unit,
    number,
    record.key ?? '',
    JSON.stringify(record.outcome),
    playoff ? 1 : 0,
    at,
    pack,
    slot,
  )
  link(db, run, id)
  for (const [seat, entrant] of seats.entries()) {
    db.run(
      'INSERT INTO seat (match, seat, entrant, rank) VALUES (?, ?, ?, ?)',
      id,
      seat,
      run.entrants[entrant] as number,
      record.outcome.place[seat] ?? 0,
    )
  }
  for (const { seat, turn, fault, why, said } of faults) {
    db.run(
      'INSERT INTO fault (match, turn, seat, kind, why, said) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      turn,
      seat,
      fault,
      why ?? null,
      said ?? null,
    )
  }
  return id
}

interface Row {
  readonly id: number
  readonly place: string
  readonly outcome: string
  readonly playoff: number
  readonly at: number
}

/** Counts a unit in a run, where it is not yet. False: there is no such unit. */
function adoptUnit(db: Database, run: RunEntry, key: string, counts: Counts): boolean {
  const rows = db.all<Row>('SELECT id, outcome, playoff FROM match WHERE unit = ? ORDER BY number', bytes(key))
  for (const row of rows) {
    if (!link(db, run, row.id)) continue
    counts.add({
      seats: seatsOf(db, run, row.id),
      outcome: db.parse<Outcome>(row.outcome),
      faults: readFaults(db, row.id),
      playoff: row.playoff === 1,
    })
  }
  return rows.length > 0
}

const link = (db: Database, run: RunEntry, match: number): boolean =>
  db.run('INSERT OR IGNORE INTO run_match (run, match) VALUES (?, ?)', run.number, match).changes > 0

/** By seat: entrants' indexes in the run. */
export function seatsOf(db: Database, run: RunEntry, match: number): number[] {
  return db
    .all<{ entrant: number }>('SELECT entrant FROM seat WHERE match = ? ORDER BY seat', match)
    .map(({ entrant }) => run.index.get(entrant) ?? -1)
}

/** A match's faults in the order of turns. */
export function readFaults(db: Database, match: number): StoredFault[] {
  return db
    .all<Omit<StoredFault, 'why' | 'said'> & { why: string | null; said: string | null }>(
      'SELECT seat, turn, kind AS fault, why, said FROM fault WHERE match = ? ORDER BY turn, seat',
      match,
    )
    .map(({ why, said, ...fault }) => ({ ...fault, ...(why !== null && { why }), ...(said !== null && { said }) }))
}

/** How a run's matches ended, rulings applied, by the pairing's key. */
export function readResults(db: Database, run: RunEntry): Map<string, Result> {
  const seats = new Map<number, number[]>()
  for (const { match, entrant } of db.all<{ match: number; entrant: number }>(
    'SELECT s.match, s.entrant FROM run_match r JOIN seat s ON s.match = r.match WHERE r.run = ? ORDER BY s.match, s.seat',
    run.number,
  )) {
    const index = run.index.get(entrant) ?? -1
    const known = seats.get(match)
    if (known === undefined) seats.set(match, [index])
    else known.push(index)
  }
  const rows = db.all<Row>(
    `SELECT m.id, m.place, ${RULED} FROM run_match r JOIN match m ON m.id = r.match ${RULING} WHERE r.run = ? ORDER BY m.id`,
    run.number,
  )
  return new Map(
    rows.map(({ id, place, outcome }) => [
      place,
      { key: place, seats: seats.get(id) ?? [], outcome: db.parse<Outcome>(outcome) },
    ]),
  )
}
const RULED = 'coalesce(u.outcome, m.outcome) AS outcome'
const RULING = 'LEFT JOIN ruling u ON u.run = r.run AND u.match = r.match'

/** A run's matches, the newest first. */
export function readMatches(db: Database, run: RunEntry, { entrant, lost, last }: MatchFilter): MatchRow[] {
  const limit = lost ? -1 : (last ?? -1)
  const rows =
    entrant === undefined
      ? db.all<Row>(
          `SELECT m.id, m.place, ${RULED}, m.at FROM run_match r JOIN match m ON m.id = r.match ${RULING} WHERE r.run = ? ORDER BY r.match DESC LIMIT ?`,
          run.number,
          limit,
        )
      : db.all<Row>(
          `SELECT m.id, m.place, ${RULED}, m.at FROM seat s INDEXED BY seat_entrant CROSS JOIN run_match r ON r.run = ? AND r.match = s.match JOIN match m ON m.id = s.match ${RULING} WHERE s.entrant = ? ORDER BY s.match DESC LIMIT ?`,
          run.number,
          run.entrants[entrant] ?? -1,
          limit,
        )
  const matches = rows.map(({ id, place, outcome, at }) => ({
    id,
    place,
    seats: seatsOf(db, run, id),
    outcome: db.parse<Outcome>(outcome),
    at: new Date(at).toISOString(),
  }))
  if (!lost) return matches
  const behind = matches.filter(({ seats, outcome }) =>
    seats.some((who, seat) => (entrant === undefined || who === entrant) && (outcome.place[seat] ?? 1) > 1),
  )
  return behind.slice(0, last)
}
