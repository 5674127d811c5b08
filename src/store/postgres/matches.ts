import type { Outcome } from '../../core/index.js'
import { Counts } from '../counts.js'
import type { JudgedMatch, PlayedJob, Ruling } from '../data.js'
import { COUNTED } from '../parts.js'
import type { JobStore, MatchStore, RulingStore } from '../port.js'
import { type RunEntry, bytes } from '../run-rows.js'
import { rulingRows, writeRulings } from './beside.js'
import { addCounts } from './counts.js'
import { readDigests } from './digests.js'
import { damagedAt } from './errors.js'
import type { ServerLeases } from './leases.js'
import { eachMatch, readAllPairs, readLeaderboard, readMatches, readPage, readResults, readRuled } from './reads.js'
import { adoptJobs, packedOf, recordJobs } from './record.js'
import { type ServerMatchRow, faultsOf, jobRows, matchRows, records, seatsOf, storedJobs } from './rows.js'
import { lastHead, readSpreads } from './segments.js'
import type { Server, Sql } from './server.js'
import type { Session } from './session.js'

/** Matches on the server. */
export function serverMatches(session: Session, leases: ServerLeases): JobStore & MatchStore & RulingStore {
  const { server } = session
  /** Reads something of a run. */
  const ofRun = <T>(run: string, read: (sql: Sql, entry: RunEntry) => Promise<T>): Promise<T> =>
    server.look(async (sql) => read(sql, await session.entry(sql, run)))
  return {
    has: (job) =>
      server.look(
        async (sql) => (await sql.get('SELECT 1 FROM agon.match WHERE unit = $1 LIMIT 1', bytes(job))) !== undefined,
      ),

    read: async (job) => (await readMany(server, [job]))[0] ?? [],
    readMany: (jobs) => readMany(server, jobs),

    record: (run, jobs) => server.write((sql) => recordIn(session, leases, sql, run, jobs)),

    async adopt(run, jobs) {
      const keys = [...new Set(jobs)]
      // Of a new run none is there: then it need not wait for processes that store matches of it.
      const there = await ofRun(run, (sql) => storedJobs(sql, keys))
      if (there.size === 0) return there
      return server.write(async (sql) => adoptJobs(sql, await session.entry(sql, run, 'lock'), keys))
    },

    results: (run) => ofRun(run, readResults),
    eachMatch: (run, take) => ofRun(run, (sql, entry) => eachMatch(sql, entry, take)),
    spreads: (run) => ofRun(run, (sql, { number }) => readSpreads(sql, number)),
    matches: (run, filter = {}) => ofRun(run, (sql, entry) => readMatches(sql, entry, filter)),

    recordOf: (match) =>
      server.look(async (sql) => {
        const record = (await records(sql, [...(await matchRows(sql, [match])).values()])).get(match)
        if (record === undefined) throw damagedAt(sql.where)
        return record
      }),

    faults: (match) =>
      server.look(async (sql) => [...(await matchRows(sql, [match])).values()].flatMap((row) => faultsOf(sql, row))),

    rule: (run, rulings) =>
      server.write(async (sql) => {
        const entry = await session.entry(sql, run, 'lock')
        const places = await applyRulings(sql, entry, rulings)
        for (const { match, ...detail } of rulings)
          await session.note(sql, entry.number, 'ruled', { match: places.get(match), ...detail })
      }),

    ruled: (run) => ofRun(run, readRuled),
    leaderboard: (run) => ofRun(run, readLeaderboard),
    pairs: (run) => ofRun(run, readAllPairs),
    page: (run, entrant) => ofRun(run, (sql, entry) => readPage(sql, entry, entrant)),
    stamp: (run) => ofRun(run, (sql, { number }) => stampOf(sql, number)),
  }
}

/** The checksums of these parts, and how many matches there are: sums alone may meet. */
async function stampOf(sql: Sql, run: number): Promise<string> {
  const { number, games } = (await lastHead(sql, run)) ?? { number: 0, games: 0 }
  const digests = await readDigests(sql, run)
  return [number, games, ...COUNTED.map((part) => digests.of(run, part))].join(' ')
}

async function readMany(server: Server, jobs: readonly string[]): Promise<(readonly JudgedMatch[])[]> {
  const there = await server.look((sql) => judgedJobs(sql, jobs))
  return jobs.map((job) => {
    const matches = there.get(job)
    if (matches === undefined) throw new Error(`${server.where} holds no job ${job}`)
    return matches
  })
}

async function judgedJobs(sql: Sql, jobs: readonly string[]): Promise<Map<string, readonly JudgedMatch[]>> {
  const rows = await jobRows(sql, jobs)
  const known = await records(sql, [...rows.values()].flat())
  const judged = (row: ServerMatchRow): JudgedMatch => {
    const record = known.get(row.id)
    if (record === undefined) throw damagedAt(sql.where)
    return { record, faults: faultsOf(sql, row) }
  }
  return new Map([...rows].map(([job, matches]) => [job, matches.map(judged)]))
}

/** `record` as a part of a write. */
async function recordIn(
  session: Session,
  leases: ServerLeases,
  sql: Sql,
  run: string,
  jobs: readonly PlayedJob[],
): Promise<ReadonlySet<string>> {
  const packed = packedOf(jobs)
  const entry = await session.entry(sql, run, 'lock')
  for (const key of new Set(jobs.flatMap(({ kept }) => kept?.tournament ?? []))) await leases.refuseLost(sql, key)
  return recordJobs(sql, entry, jobs, Date.now(), packed)
}

/** Lets other outcomes count in a run than those that count now. Returns the places of the matches. Within a write. */
export async function applyRulings(
  sql: Sql,
  run: RunEntry,
  rulings: readonly Ruling[],
): Promise<ReadonlyMap<number, string>> {
  const last = [...new Map(rulings.map((one) => [one.match, one])).values()]
  if (last.length === 0) return new Map()
  const rows = await matchRows(
    sql,
    last.map(({ match }) => match),
  )
  const before = new Map((await rulingRows.rows(sql, run.number)).map(({ match, outcome }) => [match, outcome]))
  const counts = new Counts()
  for (const { match, outcome } of last) {
    const row = rows.get(match)
    if (row === undefined) throw damagedAt(sql.where)
    const counted = { seats: seatsOf(run, row), faults: [], playoff: row.playoff === 1 }
    counts.add({ ...counted, outcome: sql.parse<Outcome>(before.get(match) ?? row.outcome) }, -1)
    counts.add({ ...counted, outcome })
  }
  await writeRulings(sql, run.number, last)
  await addCounts(sql, run, counts)
  return new Map([...rows.values()].map(({ id, place }) => [id, place]))
}
