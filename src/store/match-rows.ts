import { setImmediate } from 'node:timers/promises'
import { type Outcome, type FaultAt, type Match, answersDigest, sidesOf } from '../core/index.js'
import type { Ruling, StoredMatch } from './port.js'
import { type StoreSql, rowsAmong } from './sql.js'
import { BETWEEN, damaged, parsed, sumOf, sumOfText, total } from './sums.js'

export interface MatchRow {
  readonly id: number
  readonly job: number
  readonly number: number
  readonly key: string
  /** Entrants' names by seat, as JSON. */
  readonly seats: string
  readonly outcome: string
  readonly playoff: number
  readonly turns: number
  readonly answers: number
  readonly luck: number
  /** As JSON, in the order of turns; null: none. */
  readonly faults: string | null
  /** Milliseconds since 1970. */
  readonly at: number
  readonly sum: number
}

/**
 * A match called m as one text, for its row and its checksum: reading a column costs as much as all else done with a row. The key comes
 * last, as no other part can hold the separator.
 */
const TEXT = ['id', 'job', 'number', 'seats', 'outcome', 'playoff', 'turns', 'answers', 'luck', 'faults', 'at', 'key']
  .map((name) => (name === 'faults' ? "coalesce(m.faults, '')" : `m.${name}`))
  .join(` || '${BETWEEN}' || `)

const MATCH = `m.job, ${TEXT} AS text`

interface TextRow {
  readonly job: number
  readonly text: string
}

function rowFrom({ text }: TextRow): MatchRow {
  const parts = text.split(BETWEEN)
  const [id, job, number, seats, outcome, playoff, turns, answers, luck, faults, at] = parts
  return {
    id: Number(id),
    job: Number(job),
    number: Number(number),
    key: parts.length === PARTS ? (parts[PARTS - 1] ?? '') : parts.slice(PARTS - 1).join(BETWEEN),
    seats: seats ?? '',
    outcome: outcome ?? '',
    playoff: Number(playoff),
    turns: Number(turns),
    answers: Number(answers),
    luck: Number(luck),
    faults: faults === '' ? null : (faults ?? null),
    at: Number(at),
    sum: sumOfText(text),
  }
}
const PARTS = 12

function textOf(row: Omit<MatchRow, 'sum'>): string {
  // By hand, for every match written: a list of the parts takes as long as the sum.
  let text = row.id + BETWEEN + row.job + BETWEEN + row.number + BETWEEN + row.seats + BETWEEN + row.outcome + BETWEEN
  text += row.playoff + BETWEEN + row.turns + BETWEEN + row.answers + BETWEEN + row.luck + BETWEEN
  return text + (row.faults ?? '') + BETWEEN + row.at + BETWEEN + row.key
}

/** A match's row, as it is written; `names`: the run's entrants. */
export function matchRow(
  { record, faults, seats, playoff }: Match,
  { id, job, number, at }: Pick<MatchRow, 'id' | 'job' | 'number' | 'at'>,
  names: readonly string[],
): MatchRow {
  const row = {
    id,
    job,
    number,
    key: record.key ?? '',
    seats: JSON.stringify(seats.map((entrant) => names[entrant] ?? '')),
    outcome: JSON.stringify(record.outcome),
    playoff: playoff ? 1 : 0,
    turns: record.steps.length,
    answers: answersDigest(record),
    luck: sumOf(record.luck.seed),
    faults: faults.length === 0 ? null : JSON.stringify([...faults].sort((a, b) => a.turn - b.turn || a.seat - b.seat)),
    at,
  }
  return { ...row, sum: sumOfText(textOf(row)) }
}

export interface LinkRow {
  /** Its number in the run, in the order of arrival. */
  readonly number: number
  readonly writer: number
  readonly job: number
  /** 1: somebody faulted in it. */
  readonly faulted: number
  readonly sum: number
}

/** The columns of a `LinkRow` called r. */
export const LINK = 'r.number, r.writer, r.job, r.faulted, r.sum'

export const linkSum = ({ number, job, faulted, sum }: Omit<LinkRow, 'writer'>): number =>
  sumOf(number, job, faulted, sum)

export const jobSum = (rows: readonly MatchRow[]): number => total(rows.map(({ sum }) => sum))

export interface Walk {
  /** From the newest back, not in the order of arrival. */
  readonly back?: true
  /** Only those behind this number in the run; back: before it. */
  readonly from?: number
  readonly entrant?: number
  readonly opponent?: number
  /** The entrant faulted in them; without one, anybody. */
  readonly faulted?: boolean
}

export interface WalkedJob extends LinkRow {
  readonly rows: readonly MatchRow[]
}

/** Jobs read together; of a walk back few at first, as its page may be full by then. */
const [FEW, SOME, MANY] = [32, 256, 2000]

/**
 * Goes through a run's jobs, many together; the thread does other work in between. Throws UserError for a job whose rows are not those that were
 * written; callers check whether one is missing.
 */
export async function* walkJobs(sql: StoreSql, run: number, walk: Walk = {}): AsyncGenerator<Iterable<WalkedJob>> {
  const { back, entrant } = walk
  const by = entrant === undefined ? 'r' : 's'
  const [from, where, values] = linksOf(by, walk)
  const [order, beyond, until] = back ? [`${by}.number DESC`, '<', '>='] : [`${by}.number`, '>', '<=']
  const links = `SELECT ${LINK} FROM ${from} WHERE ${where} AND ${by}.number ${beyond} $2 ORDER BY ${order} LIMIT $3`
  const matches = `SELECT ${MATCH} FROM ${from} JOIN match m ON m.job = r.job
    WHERE ${where} AND ${by}.number ${beyond} $2 AND ${by}.number ${until} $3 ORDER BY ${order}, m.number`
  let at = walk.from ?? (back ? Number.MAX_SAFE_INTEGER : 0)
  for (let most = back ? FEW : MANY; ; most = back ? SOME : MANY) {
    const some = await sql.all<LinkRow>(links, [run, at, most, ...values])
    const last = some.at(-1)
    if (last === undefined) return
    const rows = await sql.all<TextRow>(matches, [run, at, last.number, ...values])
    yield withRows(sql, some, rows)
    if (some.length < most) return
    at = last.number
    // Requests are answered between two portions.
    await setImmediate()
  }
}

/** The rows of a walk's links, which are run $1's, and the values from $4 on. */
function linksOf(by: 'r' | 's', { entrant, opponent, faulted = false }: Walk): [string, string, number[]] {
  const from = by === 'r' ? 'run_job r' : 'seat s JOIN run_job r ON r.run = s.run AND r.number = s.number'
  const where = [`${by}.run = $1`]
  if (entrant !== undefined) where.push('s.entrant = $4')
  if (faulted) where.push(`${by}.faulted = 1`)
  if (opponent !== undefined)
    where.push('(SELECT count(*) FROM seat o WHERE o.run = s.run AND o.entrant = $5 AND o.number = s.number) = 1')
  return [from, where.join(' AND '), [entrant, opponent].flatMap((one) => one ?? [])]
}

/** Links with their matches' rows, in the same order. */
function* withRows(sql: StoreSql, links: readonly LinkRow[], rows: readonly TextRow[]): Generator<WalkedJob> {
  let at = 0
  for (const link of links) {
    const own: MatchRow[] = []
    for (let row = rows[at]; row?.job === link.job; row = rows[++at]) own.push(rowFrom(row))
    if (jobSum(own) !== link.sum) throw damaged(sql.where)
    yield { ...link, rows: own }
  }
  if (at !== rows.length) throw damaged(sql.where)
}

/** The rows of the jobs that are undamaged, by the jobs' numbers, each in its order. */
export async function rowsOfJobs(
  sql: StoreSql,
  jobs: readonly Pick<LinkRow, 'job' | 'sum'>[],
): Promise<Map<number, MatchRow[]>> {
  const by = new Map<number, MatchRow[]>()
  const text = `SELECT ${MATCH} FROM match m WHERE m.job IN (%) ORDER BY m.job, m.number`
  const numbers = jobs.map(({ job }) => job)
  for (const row of await rowsAmong<TextRow>(sql, text, numbers)) {
    const own = by.get(row.job) ?? []
    by.set(row.job, own)
    own.push(rowFrom(row))
  }
  for (const { job, sum } of jobs) if (jobSum(by.get(job) ?? []) !== sum) by.delete(job)
  return by
}

export const faultsOf = (where: string, { faults }: MatchRow): readonly FaultAt[] =>
  faults === null ? [] : parsed<FaultAt[]>(where, faults)

/** A copy: a part of a row's text would keep the whole row in memory. */
export const apart = (text: string): string => Buffer.from(text).toString()

/** Different texts kept parsed. */
const DIFFERENT = 10_000

/** Reads rows of matches for one run, rulings applied; equal seatings and outcomes are the same objects. */
export class RowReader {
  private readonly seatings = new Map<string, readonly number[]>()
  private readonly outcomes = new Map<string, Outcome>()

  constructor(
    private readonly where: string,
    /** By name: the entrant's index in the run. */
    private readonly index: ReadonlyMap<string, number>,
    private readonly ruled: ReadonlyMap<number, Ruling>,
  ) {}

  seats({ seats }: MatchRow): readonly number[] {
    return shared(this.seatings, seats, () =>
      parsed<string[]>(this.where, seats).map((name) => this.index.get(name) ?? -1),
    )
  }

  outcome({ id, outcome }: MatchRow): Outcome {
    return this.ruled.get(id)?.outcome ?? shared(this.outcomes, outcome, () => parsed<Outcome>(this.where, outcome))
  }

  match(row: MatchRow): StoredMatch {
    const { id, key, playoff, turns, answers: course, luck, at } = row
    const seated = this.seats(row)
    const { seats, outcome } = sidesOf({ seats: seated, outcome: this.outcome(row) })
    const faults = faultsOf(this.where, row)
    return {
      id,
      key: apart(key),
      seats,
      outcome,
      playoff: playoff === 1,
      turns,
      course,
      luck,
      at,
      faults:
        seats === seated ? faults : faults.map((one) => ({ ...one, seat: seats.indexOf(seated[one.seat] as number) })),
    }
  }
}

function shared<T>(known: Map<string, T>, text: string, make: () => T): T {
  let value = known.get(text)
  if (value !== undefined) return value
  value = make()
  if (known.size >= DIFFERENT) known.clear()
  known.set(text, value)
  return value
}
