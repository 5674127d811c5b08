import { join } from 'node:path'
import * as z from 'zod'
import {
  type GameDefinition,
  type Result,
  type Standings,
  type TournamentSpec,
  UserError,
  canonical,
  command,
  message,
} from '../../core/index.js'
import { factsOf, isChanceless } from '../../match/index.js'
import { type ReportSource, readPart, ruledSource } from '../../results/index.js'
import { exclusion, format, scoring } from '../../results/schema.js'
import { tournamentWithout } from '../../tournament/exclusions.js'
import { withExclusions } from '../run/control.js'
import { voidedBy } from '../stored.js'
import { RecordFacts, judgedAgain } from './record-facts.js'

const outSchema = z.looseObject({
  leftOut: z.array(z.looseObject({ name: z.string() })).default([]),
  excluded: z.array(exclusion).default([]),
})
const rulesSchema = z.looseObject({ format, scoring })

/**
 * Judges the records of a results folder again, compares them with contest.json and with each other, counts the table from them,
 * and compares it with results.json. Only the contest's rules, its entrants and who was put out are taken as they stand there.
 * `unjudged`: matches of another version of the rules, which count as their records say. Throws UserError for the first thing that does not
 * fit.
 */
export async function judgedFolder(
  folder: string,
  source: ReportSource,
  definition: GameDefinition,
): Promise<{ readonly source: ReportSource; readonly unjudged: number }> {
  const { excluded, leftOut } = readPart(folder, 'results.json', outSchema)
  // What the schema leaves open was checked when the run was played; a change gives another table than the one there.
  const rules = readPart(folder, 'contest.json', rulesSchema) as unknown as Pick<TournamentSpec, 'format' | 'scoring'>
  const gone = new Set(leftOut.map(({ name }) => name))
  const names = source.contest.entrants.map(({ name }) => name).filter((name) => !gone.has(name))
  const { results, unjudged } = await judgedResults(folder, source, definition, names)
  const { seed, options } = source.contest
  const spec = { format: rules.format, scoring: rules.scoring, names, seed, seats: definition.game.seats }
  // contest.json does not show whether a bot lived through the tournament, which then is another one; such a bot never meets itself.
  const specs: TournamentSpec[] = [{ ...spec, shuffled: false, chanceless: isChanceless(definition, options, 2) }]
  if (!spec.format.self) specs.push({ ...spec, shuffled: true })
  const found = specs.map((one) => {
    const table = withExclusions(tournamentWithout(one, excluded).standings(results), excluded)
    return { table, differs: difference(table, source) }
  })
  const same = found.find(({ differs }) => differs === undefined)
  if (same === undefined)
    throw new UserError(
      message`${join(folder, 'results.json')}: its table differs from that of its records (${found[0]?.differs ?? ''}); ${command('report CONTEST')} shows a run as the store has it`,
    )
  const voided = voidedBy(excluded)
  const counting = [...results.values()].filter(({ seats }) => !seats.some((one) => voided.has(names[one] ?? '')))
  const outcomes = new Map(counting.map(({ key, outcome }) => [key, outcome]))
  return { source: ruledSource(source, same.table, outcomes), unjudged }
}

async function judgedResults(
  folder: string,
  source: ReportSource,
  definition: GameDefinition,
  names: readonly string[],
): Promise<{ readonly results: ReadonlyMap<string, Result>; readonly unjudged: number }> {
  const refuse = (why: string) =>
    new UserError(
      message`${join(folder, 'records.jsonl')}: ${why}; ${command(`verify ${folder}`)} lists all that does not agree`,
    )
  const facts = new RecordFacts(folder)
  const results = new Map<string, Result>()
  let unjudged = 0
  let number = 0
  for await (const { record } of source.records()) {
    const where = `record ${++number}`
    const { key = where, outcome } = record
    const contradiction = facts.contradiction(record, where)
    if (contradiction !== undefined) throw refuse(`${key}: ${contradiction}`)
    if (record.version === definition.game.version) {
      const judged = judgedAgain(definition, record)
      if ('differs' in judged) throw refuse(`${key}: ${judged.differs}`)
    } else unjudged++
    const seats = record.seats.map(({ entrant }) => names.indexOf(entrant))
    results.set(key, { key, seats, outcome, ...factsOf(record) })
  }
  const missing = facts.missing()
  if (missing !== undefined) throw refuse(missing)
  return { results, unjudged }
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
