import type { MatchRecord, Result } from '../core/index.js'
import type { Database } from './database.js'
import {
  exclusionRows,
  insertExclusion,
  insertLog,
  insertRating,
  insertStderr,
  ratingRows,
  readBeside,
  stderrRows,
} from './beside.js'
import { setDigest } from './digests.js'
import { applyRulings, dumpRun, dumpUnits, loadRest, loadRun, loadUnits, readLog, refuseOther } from './dumps.js'
import {
  type RunEntry,
  bytes,
  changeState,
  deleteRun,
  insertRun,
  readEntrants,
  readEntry,
  readRuns,
} from './entries.js'
import type { Lost } from './mark.js'
import { readFaults, unitRows } from './match-rows.js'
import { adoptUnits, recordUnits } from './matches.js'
import { openDatabase } from './open.js'
import { Unpacker, sweepRecords } from './packs.js'
import { readLeaderboard, readPage } from './pages.js'
import { Leases } from './leases.js'
import type {
  BotPage,
  EntrantInfo,
  Exclusion,
  Judged,
  Kept,
  LogEntry,
  MatchFilter,
  MatchRow,
  PlayedUnit,
  RatingRow,
  Ruling,
  RunDump,
  RunInfo,
  RunState,
  RunSummary,
  StandingRow,
  Store,
  StoredFault,
  UnitDump,
} from './port.js'
import { readMatches, readResults } from './results.js'
import { dropKept, readKept } from './snapshots.js'

/** Opens the store of a workspace, made where there is none. `agon`: the version that the log will name. Throws UserError. */
export function openStore(workspace: string, agon: string): Store {
  return new SqliteStore(openDatabase(workspace), agon)
}

/** The store in one file. */
class SqliteStore implements Store {
  private readonly unpacker: Unpacker
  private readonly entries = new Map<string, RunEntry>()
  private readonly leases: Leases

  constructor(
    private readonly db: Database,
    private readonly agon: string,
  ) {
    this.unpacker = new Unpacker(db)
    this.leases = new Leases(db)
  }

  get where(): string {
    return this.db.file
  }

  get lost(): Lost | undefined {
    return this.db.lost
  }

  async addRun(run: RunInfo, entrants: readonly EntrantInfo[]): Promise<void> {
    this.db.write(() => {
      insertRun(this.db, run, entrants)
      this.log1(run.id, 'began', { seed: run.seed, entrants: run.plan.names.length })
    })
    // A run that is known outlives the loss of the log: it can be resumed.
    this.db.settle()
  }

  async runs(): Promise<readonly RunSummary[]> {
    return this.db.look(() => readRuns(this.db))
  }

  async run(id: string): Promise<RunSummary | undefined> {
    return this.db.look(() => readRuns(this.db, id)[0])
  }

  async setState(run: string, state: RunState): Promise<void> {
    this.db.write(() => {
      const ended = state === 'finished' ? now() : null
      changeState(this.db, run, state, ended)
    })
  }

  async removeRun(id: string): Promise<void> {
    const { db } = this
    db.write(() => {
      const { number, tournament } = readEntry(db, id)
      // A run without a match leaves nothing behind: damage elsewhere in the file is in nobody's way then.
      if (db.get('SELECT 1 FROM run_match WHERE run = ?', number) !== undefined) dropMatches(db, number)
      for (const table of OF_RUN) db.run(`DELETE FROM ${table} WHERE run = ?`, number)
      deleteRun(db, number, id)
      if (db.get('SELECT 1 FROM run WHERE tournament = ?', tournament) === undefined) dropKept(db, tournament)
    })
    this.entries.delete(id)
  }

  async entrants(run: string): Promise<readonly EntrantInfo[]> {
    return this.db.look(() => readEntrants(this.db, this.entry(run).number))
  }

  async has(unit: string): Promise<boolean> {
    return this.db.get('SELECT 1 FROM match WHERE unit = ?', bytes(unit)) !== undefined
  }

  async read(unit: string): Promise<readonly Judged[]> {
    return this.db.look(() => {
      const rows = unitRows(this.db, unit)
      if (rows.length === 0) throw new Error(`${this.where} holds no unit ${unit}`)
      return rows.map(({ id }) => ({ record: this.unpacker.record(id), faults: readFaults(this.db, id) }))
    })
  }

  async record(run: string, units: readonly PlayedUnit[]): Promise<ReadonlySet<string>> {
    const entry = this.entry(run)
    return this.db.write(() => recordUnits(this.db, entry, units, Date.now()))
  }

  async adopt(run: string, units: readonly string[]): Promise<ReadonlySet<string>> {
    const entry = this.entry(run)
    return this.db.write(() => adoptUnits(this.db, entry, units))
  }

  async kept(tournament: string, entrant: string): Promise<Kept | undefined> {
    return this.db.look(() => readKept(this.db, bytes(tournament), entrant))
  }

  async claim(tournament: string): Promise<string | undefined> {
    return this.leases.claim(bytes(tournament))
  }

  async results(run: string): Promise<ReadonlyMap<string, Result>> {
    const entry = this.entry(run)
    return this.db.look(() => readResults(this.db, entry))
  }

  async matches(run: string, filter: MatchFilter = {}): Promise<readonly MatchRow[]> {
    const entry = this.entry(run)
    return this.db.look(() => readMatches(this.db, entry, filter))
  }

  async recordOf(match: number): Promise<MatchRecord> {
    return this.db.look(() => this.unpacker.record(match))
  }

  async faults(match: number): Promise<readonly StoredFault[]> {
    return this.db.look(() => readFaults(this.db, match))
  }

  async leaderboard(run: string): Promise<readonly StandingRow[]> {
    const entry = this.entry(run)
    return this.db.look(() => readLeaderboard(this.db, entry))
  }

  async page(run: string, entrant: number): Promise<BotPage> {
    const entry = this.entry(run)
    return this.db.look(() => readPage(this.db, entry, entrant))
  }

  async exclude(run: string, exclusion: Exclusion): Promise<void> {
    const { number } = this.entry(run)
    this.db.write(() => {
      insertExclusion(this.db, number, exclusion)
      const { status, ...detail } = exclusion
      this.log1(run, status, detail)
    })
  }

  async exclusions(run: string): Promise<readonly Exclusion[]> {
    return this.db.look(() => readBeside(this.db, this.entry(run).number, 'exclusion', exclusionRows))
  }

  async rule(run: string, rulings: readonly Ruling[]): Promise<void> {
    const entry = this.entry(run)
    this.db.write(() => {
      applyRulings(this.db, entry, rulings)
      for (const { match, ...detail } of rulings) {
        const place = this.db.get<{ place: string }>('SELECT place FROM match WHERE id = ?', match)?.place
        this.log1(run, 'ruled', { match: place, ...detail })
      }
    })
  }

  async saveStderr(run: string, texts: ReadonlyMap<string, string>): Promise<void> {
    const { number } = this.entry(run)
    this.db.write(() => {
      for (const [name, text] of texts) if (text !== '') insertStderr(this.db, number, name, text)
    })
  }

  async stderr(run: string, entrant: string): Promise<string> {
    const { number } = this.entry(run)
    const rows = this.db.look(() => readBeside(this.db, number, 'stderr', stderrRows))
    return rows.find(({ name }) => name === entrant)?.text ?? ''
  }

  async saveRatings(run: string, ratings: readonly RatingRow[]): Promise<void> {
    const { number } = this.entry(run)
    this.db.write(() => {
      this.db.run('DELETE FROM rating WHERE run = ?', number)
      setDigest(this.db, number, 'rating', 0)
      for (const rating of ratings) insertRating(this.db, number, rating)
    })
  }

  async ratings(run: string): Promise<readonly RatingRow[]> {
    return this.db.look(() => readBeside(this.db, this.entry(run).number, 'rating', ratingRows))
  }

  async note(run: string | undefined, what: string, detail: LogEntry['detail']): Promise<void> {
    this.db.write(() => this.log1(run, what, detail))
  }

  async log(run: string): Promise<readonly LogEntry[]> {
    return this.db.look(() => readLog(this.db, this.entry(run).number))
  }

  async dump(run: string): Promise<RunDump> {
    return this.db.look(() => dumpRun(this.db, run))
  }

  async *units(run: string): AsyncIterable<UnitDump> {
    yield* dumpUnits(this.db, this.unpacker, run)
  }

  async load(dump: RunDump, units: () => AsyncIterable<UnitDump>): Promise<void> {
    const { db } = this
    for await (const unit of units()) refuseOther(db, this.unpacker, unit)
    const run = db.write(() => loadRun(db, dump))
    for await (const batch of batches(units(), 500)) db.write(() => loadUnits(db, run, batch))
    db.write(() => {
      loadRest(db, run, dump)
      this.log1(undefined, 'imported', { run: dump.run.id })
    })
  }

  async close(): Promise<void> {
    this.leases.release()
    this.db.close()
  }

  private entry(run: string): RunEntry {
    const entry = this.entries.get(run) ?? this.db.look(() => readEntry(this.db, run))
    this.entries.set(run, entry)
    return entry
  }

  private log1(run: string | undefined, what: string, detail: LogEntry['detail']): void {
    const number = run === undefined ? null : readEntry(this.db, run).number
    insertLog(this.db, number, { at: now(), agon: this.agon, what, detail: JSON.stringify(detail) })
  }
}

/** Removes the matches that a run alone holds. Within a write. */
function dropMatches(db: Database, run: number): void {
  db.run(
    'CREATE TEMP TABLE IF NOT EXISTS gone AS SELECT match FROM run_match WHERE run = ?1 AND match NOT IN (SELECT match FROM run_match WHERE run <> ?1)',
    run,
  )
  for (const table of ['match', 'seat', 'fault'])
    db.run(`DELETE FROM ${table} WHERE ${table === 'match' ? 'id' : 'match'} IN (SELECT match FROM gone)`)
  db.run('DROP TABLE gone')
  db.run('DELETE FROM run_match WHERE run = ?', run)
  sweepRecords(db)
}

/** Tables whose rows belong to one run. */
const OF_RUN = [
  'run_entrant',
  'run_match',
  'pair',
  'fault_count',
  'exclusion',
  'ruling',
  'rating',
  'stderr',
  'log',
] as const

const now = (): string => new Date().toISOString()

async function* batches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
