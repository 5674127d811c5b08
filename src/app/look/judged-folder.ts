import { join } from 'node:path'
import * as z from 'zod'
import {
  type GameDefinition,
  type MatchRecord,
  type Result,
  type Standings,
  type TournamentSpec,
  UserError,
  command,
  message,
  canonical,
} from '../../core/index.js'
import { RecordError, factsOf, isChanceless, judge } from '../../match/index.js'
import { type ReportSource, readPart, ruledSource } from '../../results/index.js'
import type { Exclusion } from '../../store/index.js'
import { tournamentWithout } from '../../tournament/exclusions.js'
import { exclusion, format, scoring } from '../../results/schema.js'
import { withExclusions } from '../run/control.js'
import { RecordFacts } from './record-facts.js'

/** A run in a folder whose records were judged again, with the table that they make. */
interface JudgedFolder {
  readonly source: ReportSource
  /** Matches of another version of the rules: they count as their records say. */
  readonly unjudged: number
}

/**
 * Judges the records of a results folder again, compares them with contest.json and with each other, counts the table from them,
 * and compares it with results.json. Only the contest's rules, its entrants and who was put out are taken as they stand there.
 * Throws UserError for the first thing that does not fit.
 */
export async function judgedFolder(
  folder: string,
  source: ReportSource,
  definition: GameDefinition,
): Promise<JudgedFolder> {
  const { records, unjudged } = await judgedRecords(folder, source, definition)
  const { excluded, leftOut } = readPart(folder, 'results.json', outSchema)
  // What the schema leaves open was checked when the run was played; a change gives another table than the one there.
  const rules = readPart(folder, 'contest.json', rulesSchema) as unknown as Pick<TournamentSpec, 'format' | 'scoring'>
  const gone = new Set(leftOut.map(({ name }) => name))
  const names = source.contest.entrants.map(({ name }) => name).filter((name) => !gone.has(name))
  const results = resultsOf(records, names)
  const plain = {
    format: rules.format,
    scoring: rules.scoring,
    names,
    seed: source.contest.seed,
    seats: definition.game.seats,
  }
  let why: string | undefined
  const chanceless = isChanceless(definition, source.contest.options, 2)
  for (const spec of specsOf(plain, chanceless)) {
    const tournament = tournamentWithout(spec, excluded)
    const table = withExclusions(tournament.standings(results), excluded)
    const differs = difference(table, source)
    if (differs === undefined)
      return { source: ruledSource(source, table, counting(results, names, excluded)), unjudged }
    why ??= differs
  }
  throw new UserError(
    message`${join(folder, 'results.json')}: its table differs from that of its records (${why ?? ''}); ${command('report CONTEST')} shows a run as the store has it`,
  )
}

const outSchema = z.looseObject({
  leftOut: z.array(z.looseObject({ name: z.string() })).default([]),
  excluded: z.array(exclusion).default([]),
})
const rulesSchema = z.looseObject({ format, scoring })

async function judgedRecords(
  folder: string,
  source: ReportSource,
  definition: GameDefinition,
): Promise<{ records: readonly MatchRecord[]; unjudged: number }> {
  const file = join(folder, 'records.jsonl')
  const refuse = (why: string) =>
    new UserError(message`${file}: ${why}; ${command(`verify ${folder}`)} lists all that does not agree`)
  const facts = new RecordFacts(folder)
  const records: MatchRecord[] = []
  let unjudged = 0
  for await (const { record } of source.records()) {
    const own = record.version === definition.game.version
    const where = `record ${records.push(record)}`
    if (!own) unjudged++
    const why = facts.contradiction(record, where) ?? (own ? againstRules(definition, record) : undefined)
    if (why !== undefined) throw refuse(`${record.key ?? where}: ${why}`)
  }
  const missing = facts.missing()
  if (missing !== undefined) throw refuse(missing)
  return { records, unjudged }
}

/** How a record differs from its outputs by the rules; undefined: it does not. */
function againstRules(definition: GameDefinition, record: MatchRecord): string | undefined {
  try {
    if (canonical(judge(definition, record).outcome) === canonical(record.outcome)) return undefined
    return 'its outcome is not what the rules make of its outputs'
  } catch (error) {
    if (error instanceof RecordError) return error.message
    throw error
  }
}

function resultsOf(records: readonly MatchRecord[], names: readonly string[]): ReadonlyMap<string, Result> {
  return new Map(
    records.map((record, i) => {
      const key = record.key ?? `match ${i + 1}`
      const seats = record.seats.map(({ entrant }) => names.indexOf(entrant))
      return [key, { key, seats, outcome: record.outcome, ...factsOf(record) }]
    }),
  )
}

/** The tournaments that the contest may have been: contest.json does not show whether a bot lived through it. */
function specsOf(plain: Omit<TournamentSpec, 'shuffled' | 'chanceless'>, chanceless: boolean): TournamentSpec[] {
  return [
    { ...plain, shuffled: false, chanceless },
    // A bot with one life never meets itself.
    ...(plain.format.self ? [] : [{ ...plain, shuffled: true }]),
  ]
}

/** How the table of the records differs from the one in the folder, in words. */
function difference({ rows }: Standings, { standings, contest }: ReportSource): string | undefined {
  if (rows.length !== standings.rows.length)
    return `it has ${standings.rows.length} entrants, the records give ${rows.length}`
  for (const [i, row] of rows.entries()) {
    const shown = standings.rows[i]
    const name = shown && contest.entrants[shown.entrant]?.name
    const same = shown?.rank === row.rank && name === row.name && shown.points === row.points
    if (same && canonical(shown.cells) === canonical(row.cells)) continue
    return `line ${i + 1} has ${JSON.stringify(name)}, ${shown?.points} points; the records give ${JSON.stringify(row.name)}, ${row.points} points`
  }
  return undefined
}

/** By key: how the matches end that count. */
function counting(results: ReadonlyMap<string, Result>, names: readonly string[], excluded: readonly Exclusion[]) {
  const voided = new Set(excluded.flatMap(({ name, treatment }) => (treatment === 'void' ? [names.indexOf(name)] : [])))
  const counts = [...results.values()].filter(({ seats }) => !seats.some((entrant) => voided.has(entrant)))
  return new Map(counts.map(({ key, outcome }) => [key, outcome]))
}
