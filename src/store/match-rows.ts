import type { MatchRecord, Outcome } from '../core/index.js'
import { answersDigest } from './answers.js'
import { damaged, parsed } from './damage.js'
import type { PlayedMatch, StoredFault, StoredMatch } from './data.js'
import { type StoreSql, portions, list } from './sql.js'
import { BETWEEN, sumOf, sumOfText, total } from './sums.js'

/** A match as it lies in the store. */
export interface MatchRow {
  readonly id: number
  readonly job: number
  /** Its place in the job, from 0. */
  readonly number: number
  readonly key: string
  /** By seat the entrants' names, as JSON. */
  readonly seats: string
  /** As JSON, as it was recorded. */
  readonly outcome: string
  readonly playoff: number
  readonly turns: number
  readonly answers: number
  readonly luck: number
  /** As JSON, in the order of turns; null: there are none. */
  readonly faults: string | null
  /** Milliseconds since 1970. */
  readonly at: number
  /** The checksum of all that. */
  readonly sum: number
}

/**
 * A match called m as one text, from which its row is read and its checksum taken: a column of a row costs as much as all else that is done
 * with it. The key comes last, as no other part can hold what stands between them.
 */
const TEXT = ['id', 'job', 'number', 'seats', 'outcome', 'playoff', 'turns', 'answers', 'luck', 'faults', 'at', 'key']
  .map((name) => (name === 'faults' ? "coalesce(m.faults, '')" : `m.${name}`))
  .join(` || '${BETWEEN}' || `)

/** The columns of a match's text, of a match called m. */
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
  // By hand: it is done for every match that is written, and a list of the parts takes as long as the sum.
  let text = row.id + BETWEEN + row.job + BETWEEN + row.number + BETWEEN + row.seats + BETWEEN + row.outcome + BETWEEN
  text += row.playoff + BETWEEN + row.turns + BETWEEN + row.answers + BETWEEN + row.luck + BETWEEN
  return text + (row.faults ?? '') + BETWEEN + row.at + BETWEEN + row.key
}

/** A match's row, as it is written; `names`: the run's entrants. */
export function matchRow(
  { record, faults, seats, playoff }: PlayedMatch,
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
    faults: faults.length === 0 ? null : JSON.stringify(inOrder(faults)),
    at,
    sum: 0,
  }
  row.sum = sumOfText(textOf(row))
  return row
}

const inOrder = (faults: readonly StoredFault[]): readonly StoredFault[] =>
  [...faults].sort((a, b) => a.turn - b.turn || a.seat - b.seat)

/** A job that counts in a run. */
export interface LinkRow {
  /** Its number in the run, in the order in which the run got it. */
  readonly number: number
  readonly writer: number
  readonly job: number
  /** 1: somebody faulted in it. */
  readonly faulted: number
  /** The checksum of its matches' rows. */
  readonly sum: number
}

/** The columns of a `LinkRow`, of a row called r. */
export const LINK = 'r.number, r.writer, r.job, r.faulted, r.sum'

/** The checksum of a link. */
export const linkSum = ({ number, job, faulted, sum }: Omit<LinkRow, 'writer'>): number =>
  sumOf(number, job, faulted, sum)

/** The checksum of all rows of a job. */
export const jobSum = (rows: readonly MatchRow[]): number => total(rows.map(({ sum }) => sum))

/** Links that are read together. */
const AT_ONCE = 2000

/**
 * Goes through the jobs of a run in the order in which it got them, or through those of one writer behind a number. Throws UserError for a job
 * whose rows are not those that were written; whether one is missing, `Tally` finds.
 */
export async function eachJob(
  sql: StoreSql,
  run: number,
  { after = 0, writer }: { readonly after?: number; readonly writer?: number },
  take: (link: LinkRow, rows: readonly MatchRow[]) => void,
): Promise<void> {
  const own = writer === undefined ? '' : ' AND r.writer = $4'
  const owner = writer === undefined ? [] : [writer]
  for (let from = after; ;) {
    const links = await sql.all<LinkRow>(
      `SELECT ${LINK} FROM run_job r WHERE r.run = $1 AND r.number > $2${own} ORDER BY r.number LIMIT $3`,
      [run, from, AT_ONCE, ...owner],
    )
    const to = links.at(-1)?.number
    if (to === undefined) return
    const rows = await sql.all<TextRow>(
      `SELECT ${MATCH} FROM run_job r JOIN match m ON m.job = r.job
       WHERE r.run = $1 AND r.number > $2 AND r.number <= $3${own} ORDER BY r.number, m.number`,
      [run, from, to, ...owner],
    )
    let at = 0
    for (const link of links) {
      const begin = at
      while (rows[at]?.job === link.job) at++
      const matches = rows.slice(begin, at).map(rowFrom)
      if (jobSum(matches) !== link.sum) throw damaged(sql.where)
      take(link, matches)
    }
    if (at !== rows.length) throw damaged(sql.where)
    from = to
  }
}

/** The rows of jobs by their numbers, each in its order. Throws UserError where one has none. */
export async function rowsOfJobs(sql: StoreSql, jobs: readonly number[]): Promise<Map<number, MatchRow[]>> {
  const by = new Map<number, MatchRow[]>()
  for (const part of portions(jobs, 200)) {
    const rows = await sql.all<TextRow>(
      `SELECT ${MATCH} FROM match m WHERE m.job IN (${list(part.length)}) ORDER BY m.job, m.number`,
      part,
    )
    for (const row of rows) {
      const own = by.get(row.job)
      if (own === undefined) by.set(row.job, [rowFrom(row)])
      else own.push(rowFrom(row))
    }
  }
  return by
}

export const faultsOf = (where: string, { faults }: MatchRow): readonly StoredFault[] =>
  faults === null ? [] : parsed<StoredFault[]>(where, faults)

/** A key's last number, of those that are written in one way only. */
function splitKey(key: string): readonly [group: string, number: number | undefined] {
  const slash = key.lastIndexOf('/')
  const tail = key.slice(slash + 1)
  const number = Number(tail)
  return slash >= 0 && Number.isSafeInteger(number) && number >= 0 && String(number) === tail
    ? [key.slice(0, slash), number]
    : [key, undefined]
}

/** The key that was split. */
export const keyOf = ({ group, number }: Pick<StoredMatch, 'group' | 'number'>): string =>
  number === undefined ? group : `${group}/${number}`

/** Different texts that are kept parsed. */
const DIFFERENT = 10_000

/** Reads rows of matches for one run, rulings applied: equal seatings and outcomes are the same objects again. */
export class RowReader {
  private readonly seatings = new Map<string, readonly number[]>()
  private readonly outcomes = new Map<string, Outcome>()
  private readonly groups = new Map<string, string>()

  constructor(
    private readonly where: string,
    /** By name: the entrant's index in the run. */
    private readonly index: ReadonlyMap<string, number>,
    private readonly ruled: ReadonlyMap<number, Outcome>,
  ) {}

  seats({ seats }: MatchRow): readonly number[] {
    return shared(this.seatings, seats, () =>
      parsed<string[]>(this.where, seats).map((name) => this.index.get(name) ?? -1),
    )
  }

  outcome({ id, outcome }: MatchRow): Outcome {
    return this.ruled.get(id) ?? shared(this.outcomes, outcome, () => parsed<Outcome>(this.where, outcome))
  }

  match(row: MatchRow): StoredMatch {
    const { id, key, playoff, turns, answers: course, luck } = row
    const [name, number] = splitKey(key)
    const group = shared(this.groups, name, () => name)
    return {
      id,
      group,
      number,
      seats: this.seats(row),
      outcome: this.outcome(row),
      playoff: playoff === 1,
      turns,
      course,
      luck,
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

/** The record that a line holds. */
export const recordIn = (where: string, line: string): MatchRecord => parsed<MatchRecord>(where, line)
