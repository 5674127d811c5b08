import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import {
  type EntrantFacts,
  FACTS,
  type FormatSpec,
  type MatchRecord,
  type Options,
  type Outcome,
  type ScoringSpec,
  type Standing,
  type Standings,
  UserError,
  parseStrange,
  message,
  option,
  command,
} from '../core/index.js'
import { partSize, partText } from './folder-files.js'
import { linesOf } from './record-lines.js'
import { RecordError, parseRecord } from '../match/index.js'

/** What was played, by contest.json. */
export interface PlayedContest {
  readonly agon: string
  readonly title: string
  readonly game: string
  readonly seed: string
  readonly options: Options
  readonly format: FormatSpec
  readonly scoring: ScoringSpec
  readonly limits: Readonly<Record<string, number>>
  readonly entrants: readonly (EntrantFacts & {
    readonly name: string
    readonly command?: readonly string[]
    readonly remote?: true
  })[]
}

/** A table whose rows name entrants by place in the contest's list. */
export type ReportStandings = Omit<Standings, 'rows'> & { readonly rows: readonly Omit<Standing, 'name'>[] }

/** An entrant that was not built, or gave no answer. Both texts may hold a stranger's words. */
export interface ReportLeftOut {
  readonly name: string
  readonly why: string
}

/** A finished run as a report needs it. */
export interface ReportSource {
  readonly contest: PlayedContest
  readonly standings: ReportStandings
  readonly over: boolean
  /** Matches whose records it holds, as the folder says. */
  readonly matches: number
  readonly leftOut?: readonly ReportLeftOut[]
  /** By key: how matches count that do not count as recorded; void if missing here. */
  readonly outcomes?: ReadonlyMap<string, Outcome>
  /** Records in the schedule's order, the newest last, with whether they are new enough to show: all, or only these. */
  records(only?: 'newest'): AsyncIterable<ShownRecord>
}

interface ShownRecord {
  readonly record: MatchRecord
  readonly shown: boolean
}

const contest = z.looseObject({
  agon: z.string(),
  title: z.string(),
  game: z.string(),
  seed: z.string(),
  options: z.record(z.string(), z.unknown()),
  format: z.looseObject({ kind: z.string(), repetitions: z.number() }),
  scoring: z.looseObject({ win: z.number(), draw: z.number(), loss: z.number() }),
  limits: z.record(z.string(), z.number()),
  entrants: z.array(
    z.looseObject({
      name: z.string(),
      command: z.array(z.string()).optional(),
      remote: z.literal(true).optional(),
      ...Object.fromEntries(FACTS.map((fact) => [fact, z.string().optional()])),
    }),
  ),
})
const results = z.looseObject({
  finished: z.boolean().default(true),
  matches: z.number().default(0),
  standings: z.array(
    z.looseObject({
      rank: z.number(),
      name: z.string(),
      points: z.number(),
      cells: z.record(z.string(), z.number().nullable()).optional(),
      bound: z.union([z.object({ below: z.number() }), z.object({ above: z.number() })]).optional(),
    }),
  ),
  notes: z.array(z.string()).default([]),
  leftOut: z.array(z.object({ name: z.string(), why: z.string() })).default([]),
  excluded: z.array(z.looseObject({ name: z.string(), status: z.string() })).default([]),
})

/** What a page shows at most, the newest: so many bytes, compressed about a tenth, and about so many matches. */
const SHOWN = { bytes: 16 * 2 ** 20, matches: 10_000 }

/** A results folder's run. Throws UserError where it is no such folder, or a line is no record. */
export function folderSource(folder: string, shown = SHOWN): ReportSource {
  const facts = readPart(folder, 'contest.json', contest) as unknown as PlayedContest
  const { finished, standings, matches, notes, leftOut, excluded } = readPart(folder, 'results.json', results)
  const status = new Map(excluded.map((one) => [one.name, one.status]))
  const columns = Object.keys(standings[0]?.cells ?? {})
  const records = join(folder, 'records.jsonl')
  // Records are of similar length: counting lines from the end would read the file twice.
  const shownBytes = (): number =>
    Math.min(shown.bytes, Math.ceil((partSize(records) / Math.max(1, matches)) * shown.matches))
  return {
    contest: facts,
    over: finished,
    matches,
    standings: reportTable(facts, {
      columns,
      notes,
      rows: standings.map((row) => ({
        ...row,
        out: status.get(row.name),
        cells: columns.map((column) => row.cells?.[column] ?? null),
      })),
    }),
    leftOut: leftOut.length > 0 ? leftOut : undefined,
    records: (only) => (only === 'newest' ? newestOf : recordsOf)(records, shownBytes()),
  }
}

/** The run of these matches and records as it stands; without a seed, which would reveal what a contest under way hides. */
export async function recordsSource(
  run: Omit<PlayedContest, 'seed'>,
  { over, records: all }: { readonly over: boolean; readonly records: () => AsyncIterable<MatchRecord> },
  shown = SHOWN,
): Promise<ReportSource> {
  let [matches, bytes] = [0, 0]
  const sizeOf = (record: MatchRecord): number => JSON.stringify(record).length
  for await (const record of all()) {
    matches++
    bytes += sizeOf(record)
  }
  async function* records(only?: 'newest'): AsyncGenerator<ShownRecord> {
    let [left, before] = [matches, 0]
    for await (const record of all()) {
      const isShown = left-- <= shown.matches && bytes - before <= shown.bytes
      before += sizeOf(record)
      if (isShown || only === undefined) yield { record, shown: isShown }
    }
  }
  const standings = { columns: [], notes: [], rows: [] }
  return { contest: { ...run, seed: '' }, standings, over, matches, records }
}

/** The same run after later rulings and exclusions: another table, and matches that count otherwise. */
export const ruledSource = (
  source: ReportSource,
  standings: Standings,
  outcomes: ReadonlyMap<string, Outcome>,
): ReportSource => ({ ...withTable(source, standings), outcomes })

/** The same run; `read` is told how many records are done: first none, then after each. */
export const watchedSource = (source: ReportSource, read: (records: number) => void): ReportSource => ({
  ...source,
  records: (only) => counted(source.records(only), read),
})

async function* counted<T>(records: AsyncIterable<T>, read: (records: number) => void): AsyncGenerator<T> {
  let n = 0
  read(n)
  for await (const record of records) {
    yield record
    read(++n)
  }
}

export const withTable = (source: ReportSource, standings: Standings): ReportSource => ({
  ...source,
  standings: reportTable(source.contest, standings),
})

/** A table whose rows name entrants by index in the contest's facts. */
export function reportTable(
  facts: PlayedContest,
  table: Pick<Standings, 'columns' | 'notes'> & { readonly rows: readonly Omit<Standing, 'entrant'>[] },
): ReportStandings {
  const { columns, notes } = table
  const entrantOf = indexOf(facts)
  const rows = table.rows.map(({ name, rank, points, cells, bound, out }) => {
    return { rank, points, cells, bound, out, entrant: entrantOf(name) }
  })
  return { columns, notes, rows }
}

/** An entrant's index by its name; throws UserError for a stranger. */
export function indexOf({ entrants }: PlayedContest): (name: string) => number {
  const places = new Map(entrants.map(({ name }, entrant) => [name, entrant]))
  return (name) => {
    const entrant = places.get(name)
    if (entrant === undefined)
      throw new UserError(`the results do not fit together: contest.json has no entrant ${JSON.stringify(name)}`)
    return entrant
  }
}

/** A run's document as `schema` has it. Throws UserError for what is none. */
export function readPart<T>(folder: string, name: string, schema: z.ZodType<T>): T {
  const file = join(folder, name)
  if (!existsSync(file))
    throw new UserError(
      message`${folder} holds no finished run: there is no ${name}; ${command('run')} ${option('out')} writes one`,
    )
  let data: unknown
  try {
    data = parseStrange(partText(file))
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${file} is not JSON: ${(error as Error).message}`)
  }
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UserError(
    message`${file} is not what ${command('run')} writes: ${issue?.path.join('.') || 'the whole'}: ${issue?.message ?? ''}`,
  )
}

async function* recordsOf(file: string, shownBytes: number): AsyncGenerator<ShownRecord> {
  const size = partSize(file)
  let before = 0
  let number = 0
  for await (const line of linesOf(file)) {
    number++
    const shown = size - before <= shownBytes
    before += Buffer.byteLength(line) + 1
    if (line !== '') yield { record: recordIn(line, `${file}, line ${number}`), shown }
  }
}

async function* newestOf(file: string, shownBytes: number): AsyncGenerator<ShownRecord> {
  // A line that begins just there is shown: the byte before ends the last one.
  const from = Math.max(0, partSize(file) - shownBytes - 1)
  let isFirst = from > 0
  for await (const line of linesOf(file, from)) {
    if (!isFirst && line !== '') yield { record: recordIn(line, `${file}, after byte ${from}`), shown: true }
    isFirst = false
  }
}

function recordIn(line: string, place: string): MatchRecord {
  try {
    return parseRecord(line)
  } catch (error) {
    if (error instanceof RecordError) throw new UserError(`${place}: ${error.message}`)
    throw error
  }
}
