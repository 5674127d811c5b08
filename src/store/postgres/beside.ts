import type { Exclusion, LogEntry, RatingRow, Ruling } from '../data.js'
import type { Part } from '../parts.js'
import {
  type LogRow,
  type RulingRow,
  type StderrRow,
  exclusionSum,
  logSum,
  ratingSum,
  rulingSum,
  stderrSum,
} from '../seals.js'
import { minus, plus, total } from '../sums.js'
import { addDigests, readDigests, setDigest } from './digests.js'
import type { Sql } from './server.js'

/** What is kept of a run beside its matches: how it is read, and the checksum of a row. */
export interface Beside<Row> {
  readonly rows: (sql: Sql, run: number) => Promise<Row[]>
  readonly sum: (row: Row) => number
}

/** Words of people and bots are kept as JSON. */
const written = (text: string): string => JSON.stringify(text)

export const exclusionRows: Beside<Exclusion> = {
  rows: async (sql, run) =>
    (
      await sql.all<Exclusion>(
        'SELECT name, status, treatment, why FROM agon.exclusion WHERE run = $1 ORDER BY name COLLATE "C"',
        run,
      )
    ).map((row) => ({ ...row, why: sql.parse<string>(row.why) })),
  sum: exclusionSum,
}
export const ratingRows: Beside<RatingRow> = {
  rows: (sql, run) =>
    sql.all(
      'SELECT place AS entrant, kind, value, low, high FROM agon.rating WHERE run = $1 ORDER BY kind COLLATE "C", place',
      run,
    ),
  sum: ratingSum,
}
export const stderrRows: Beside<StderrRow> = {
  rows: async (sql, run) =>
    (await sql.all<StderrRow>('SELECT name, text FROM agon.stderr WHERE run = $1 ORDER BY name COLLATE "C"', run)).map(
      ({ name, text }) => ({ name, text: sql.parse<string>(text) }),
    ),
  sum: stderrSum,
}
export const logRows: Beside<LogRow> = {
  rows: (sql, run) => sql.all('SELECT at, agon, what, detail FROM agon.log WHERE run = $1 ORDER BY id', run),
  sum: logSum,
}
export const rulingRows: Beside<RulingRow> = {
  rows: async (sql, run) =>
    (await sql.all<RulingRow>('SELECT match, outcome, why FROM agon.ruling WHERE run = $1 ORDER BY match', run)).map(
      (row) => ({ ...row, why: sql.parse<string>(row.why) }),
    ),
  sum: rulingSum,
}

/** The rows of a part. Throws UserError where they are not those that were written. */
export async function readBeside<Row>(sql: Sql, run: number, part: Part, { rows, sum }: Beside<Row>): Promise<Row[]> {
  const read = await rows(sql, run)
  ;(await readDigests(sql, run)).refuseDamage(run, part, total(read.map(sum)))
  return read
}

export async function readLog(sql: Sql, run: number): Promise<LogEntry[]> {
  const rows = await readBeside(sql, run, 'log', logRows)
  return rows.map((row) => ({ ...row, detail: sql.parse<Record<string, unknown>>(row.detail) }))
}

/** Puts an entrant out, or changes how. Within a write. */
export async function insertExclusion(sql: Sql, run: number, exclusion: Exclusion): Promise<void> {
  const { name, status, treatment, why } = exclusion
  const before = (await exclusionRows.rows(sql, run)).find((one) => one.name === name)
  await sql.run(
    `INSERT INTO agon.exclusion (run, name, status, treatment, why) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (run, name) DO UPDATE SET status = excluded.status, treatment = excluded.treatment, why = excluded.why`,
    run,
    name,
    status,
    treatment,
    written(why),
  )
  await addDigests(sql, run, { exclusion: minus(exclusionSum(exclusion), before ? exclusionSum(before) : 0) })
}

/** Replaces the ends of what entrants wrote to their standard error. Within a write. */
export async function insertStderr(sql: Sql, run: number, texts: ReadonlyMap<string, string>): Promise<void> {
  const fresh = [...texts].filter(([, text]) => text !== '').map(([name, text]) => ({ name, text }))
  const before = (await stderrRows.rows(sql, run)).filter(({ name }) => (texts.get(name) ?? '') !== '')
  await sql.run(
    `INSERT INTO agon.stderr (run, name, text) SELECT $1::integer, name, text FROM unnest($2::text[], $3::text[]) AS n (name, text)
     ON CONFLICT (run, name) DO UPDATE SET text = excluded.text`,
    run,
    fresh.map(({ name }) => name),
    fresh.map(({ text }) => written(text)),
  )
  await addDigests(sql, run, { stderr: minus(total(fresh.map(stderrSum)), total(before.map(stderrSum))) })
}

/** Replaces all of a run's ratings. Within a write. */
export async function replaceRatings(sql: Sql, run: number, ratings: readonly RatingRow[]): Promise<void> {
  await sql.run('DELETE FROM agon.rating WHERE run = $1', run)
  await sql.run(
    `INSERT INTO agon.rating (run, place, kind, value, low, high)
     SELECT $1::integer, * FROM unnest($2::integer[], $3::text[], $4::double precision[], $5::double precision[], $6::double precision[])`,
    run,
    ratings.map(({ entrant }) => entrant),
    ratings.map(({ kind }) => kind),
    ratings.map(({ value }) => value),
    ratings.map(({ low }) => low),
    ratings.map(({ high }) => high),
  )
  await setDigest(sql, run, 'rating', total(ratings.map(ratingSum)))
}

/** Writes rulings, one a match, in the place of those that were there. Within a write. */
export async function writeRulings(sql: Sql, run: number, rulings: readonly Ruling[]): Promise<void> {
  const rows = rulings.map(({ match, outcome, why }): RulingRow => ({ match, outcome: JSON.stringify(outcome), why }))
  const own = new Set(rows.map(({ match }) => match))
  const before = (await rulingRows.rows(sql, run)).filter(({ match }) => own.has(match))
  await sql.run(
    `INSERT INTO agon.ruling (run, match, outcome, why) SELECT $1::integer, * FROM unnest($2::bigint[], $3::text[], $4::text[])
     ON CONFLICT (run, match) DO UPDATE SET outcome = excluded.outcome, why = excluded.why`,
    run,
    rows.map(({ match }) => match),
    rows.map(({ outcome }) => outcome),
    rows.map(({ why }) => written(why)),
  )
  await addDigests(sql, run, { ruling: minus(plus(0, total(rows.map(rulingSum))), total(before.map(rulingSum))) })
}
