import { dirname, join } from 'node:path'
import * as z from 'zod'
import { recordGame } from '../../contest/index.js'
import {
  canonical,
  command,
  fixtureOfRecord,
  type GameDefinition,
  luckName,
  matchLuck,
  type MatchRecord,
  message,
  messageOf,
  parseStrange,
  type Result,
  spelled,
  type Standings,
  type TournamentSpec,
  UserError,
  wordingOf,
} from '../../core/index.js'
import { digestOf, digestOfAll, factsOf, isChanceless, judge, parseRecord, RecordError } from '../../match/index.js'
import { partText, playedWith } from '../../results/folder-files.js'
import { readPart, type ReportSource, ruledSource } from '../../results/index.js'
import { linesOf, recordsFile } from '../../results/record-lines.js'
import { exclusion, format, scoring } from '../../results/schema.js'
import { tournamentWithout } from '../../tournament/exclusions.js'
import { FORMATS } from '../../tournament/index.js'
import { seriesKey } from '../../tournament/keys.js'
import type { Context } from '../context.js'
import { withExclusions } from '../run/live-run.js'
import { countingAmong } from '../stored.js'

/** What a folder's contest.json says of its records; an entrant's version: of a bot that may be entered again. */
const contestFacts = z.looseObject({
  game: z.string(),
  seed: z.string(),
  entrants: z.array(z.looseObject({ name: z.string(), version: z.number().optional() })),
  format: z
    .looseObject({ kind: z.string().optional(), repetitions: z.number().default(0) })
    .default({ repetitions: 0 }),
})
const resultsFacts = z.looseObject({
  played: z.number(),
  reused: z.number(),
  finished: z.boolean().optional(),
  excluded: z.unknown().optional(),
})

type ContestFacts = z.infer<typeof contestFacts>

/** Deals beyond those of the matches before: playoffs, and rounds without a record yet. */
const MORE = 2000

/** What a file's records are compared with beside the rules: each other, and their archive's facts, if there. */
export function recordFacts(folder: string) {
  const contest = factsIn(join(folder, 'contest.json'), contestFacts)
  const results = contest && factsIn(join(folder, 'results.json'), resultsFacts)
  const versions = new Map(contest?.entrants.map(({ name, version = 1 }) => [name, version]))
  const seen = new Map<string, string>()
  /** Match numbers by series key. */
  const allSeries = new Map<string, Set<number>>()
  const deals = new Map<string, { readonly seeds: Set<string>; next: number }>()
  let records = 0

  /** Undefined: nothing is wrong. */
  function misplaced({ key, seats }: MatchRecord): string | undefined {
    const [, series = '', round = '', number = ''] = /^(([^/]*)\/[^/]*)\/([1-9]\d*)$/.exec(key ?? '') ?? []
    if (series === '') return undefined
    const numbers = allSeries.get(series) ?? new Set()
    allSeries.set(series, numbers)
    if (numbers.has(Number(number))) return 'another match has its key'
    numbers.add(Number(number))
    const names = [...new Set(seats.map(({ entrant }) => entrant))]
    const own = [names, names.length === 1 ? [...names, ...names] : names].map((all) => seriesKey(round, all))
    // The series of more than two may be that of a larger group.
    return seats.length > 2 || own.includes(series) ? undefined : 'its key is not that of its entrants'
  }

  /** Whether the seed deals these entrants this luck in one of the possible deals. */
  function isDealt({ luck, seats }: MatchRecord, { seed, game, format: { repetitions } }: ContestFacts): boolean {
    const names = seats.map(({ entrant }) => entrant).sort()
    const company = JSON.stringify(names)
    const dealt = names.map((name) => luckName({ name, version: versions.get(name) ?? 1 }))
    const known = deals.get(company) ?? { seeds: new Set<string>(), next: 0 }
    deals.set(company, known)
    const most = 2 * (records + repetitions) + MORE
    while (!known.seeds.has(luck.seed) && known.next < most)
      known.seeds.add(matchLuck(seed, game, dealt, known.next++).seed)
    return known.seeds.has(luck.seed)
  }

  return {
    /** In words for a person; undefined: nothing. `where`: its file and line. */
    contradiction(record: MatchRecord, where: string): string | undefined {
      records++
      if (record.key !== undefined) {
        // All that a match was before any output identifies it.
        const match = canonical(fixtureOfRecord(record))
        const before = seen.get(match)
        if (before !== undefined) return `the same match as ${before}`
        seen.set(match, where)
      }
      if (contest === undefined) return undefined
      if (record.game !== contest.game) return `a match of ${record.game}; contest.json is of ${contest.game}`
      const mistake = misplaced(record)
      if (mistake !== undefined) return mistake
      const stranger = record.seats.find(({ entrant }) => !versions.has(entrant))
      if (stranger !== undefined) return `contest.json has no entrant ${JSON.stringify(stranger.entrant)}`
      if (record.luck.tape === undefined && record.luck.at === 0 && isDealt(record, contest)) return undefined
      return 'its luck is none that the seed in contest.json gives these entrants'
    },

    /** What the number or the keys of the records contradict. */
    missing(): string | undefined {
      if (results === undefined) return undefined
      const expected = results.played + results.reused
      if (expected !== records) return `results.json counts ${expected} matches, and there are ${records} records`
      // A tournament that never ends goes on with the meetings of an earlier run.
      const isOpenEnded = FORMATS.some(({ kind, openEnded }) => openEnded && kind === contest?.format.kind)
      if (results.finished !== true || results.excluded !== undefined || isOpenEnded) return undefined
      const [short] = [...allSeries].find(([, numbers]) => [...numbers].some((number) => number > numbers.size)) ?? []
      return short && `the run is finished, and a match of ${short} is not there`
    },
  }
}

/** Undefined: none, or not as agon wrote them. */
function factsIn<T>(file: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(parseStrange(partText(file))).data
  } catch {
    return undefined
  }
}

/** A record judged again: its digest, or how it differs from what the rules make of its outputs. */
function judgedAgain(
  definition: GameDefinition,
  record: MatchRecord,
): { readonly digest: string } | { readonly differs: string } {
  try {
    const judged = judge(definition, record)
    if (canonical(judged.outcome) === canonical(record.outcome)) return { digest: digestOf(record, judged) }
    return { differs: `recorded ${canonical(record.outcome)}, judged ${canonical(judged.outcome)}` }
  } catch (error) {
    // The rules trip over a record that no match has written, such as by options that are not the game's.
    return { differs: messageOf(error) }
  }
}

export { linesOf }

/** What is wrong with records. `where`: the file, with the line from 1 if one is meant. */
export interface VerifyEvent {
  /** unreadable: the line is no record, or its game is not known; differs: the rules, or the results folder, say otherwise. */
  readonly type: 'unreadable' | 'differs'
  readonly where: string
  /** For a person, with the match if one is meant. */
  readonly why: string
}

interface VerifyOptions extends Pick<Context, 'signal' | 'spell'> {
  /** The file of a game that does not come with agon: it is run. */
  readonly gameFile?: string
}

/**
 * Judges records (files, .gz too, or archives' folders) again. Counts those that agree, do not and could not be read,
 * and files with another number than their archive says; `digest`: over those that agree, without times, in any order.
 * Throws UserError for a file without a record, and the signal's reason.
 */
export async function verifyRecords(
  paths: readonly string[],
  { gameFile, signal, spell }: VerifyOptions,
  on: (news: VerifyEvent) => void = () => undefined,
) {
  const digests: string[] = []
  const sums = { differ: 0, unreadable: 0, contradicted: 0 }
  for (const path of paths) {
    const file = recordsFile(path)
    const facts = recordFacts(dirname(file))
    /** By name. An unknown game is reported at each of its records. */
    const definitions = new Map<string, Promise<GameDefinition>>()
    let number = 0
    let records = 0
    for await (const line of linesOf(file)) {
      number++
      if (line.trim() === '') continue
      signal?.throwIfAborted()
      records++
      const where = `${file}:${number}`
      try {
        const record = parseRecord(line)
        const contradiction = facts.contradiction(record, where)
        const known = definitions.get(record.game) ?? recordGame(record.game, gameFile, playedWith(dirname(file)))
        definitions.set(record.game, known)
        const definition = await known
        const found = contradiction === undefined ? judgedAgain(definition, record) : { differs: contradiction }
        if ('digest' in found) digests.push(found.digest)
        else {
          sums.differ++
          on({ type: 'differs', where, why: `${nameOf(record)}: ${found.differs}` })
        }
      } catch (error) {
        if (!(error instanceof RecordError || error instanceof UserError)) throw error
        sums.unreadable++
        on({ type: 'unreadable', where, why: spelled(wordingOf(error), spell) })
      }
    }
    if (records === 0) throw new UserError(`${file}: no record in it`)
    const missing = facts.missing()
    if (missing === undefined) continue
    sums.contradicted++
    on({ type: 'differs', where: file, why: missing })
  }
  return { agree: digests.length, ...sums, digest: digestOfAll(digests) }
}

const nameOf = ({ key, seats }: MatchRecord): string => key ?? seats.map(({ entrant }) => entrant).join(' against ')

const outSchema = z.looseObject({
  leftOut: z.array(z.looseObject({ name: z.string() })).default([]),
  excluded: z.array(exclusion).default([]),
})
const rulesSchema = z.looseObject({ format, scoring })

/**
 * Judges a results folder's records again, compares them with contest.json and each other, and their table with results.json; rules, entrants and
 * exclusions are taken as they stand there. `unjudged`: matches of another version of the rules, which count as recorded. Throws UserError.
 */
export async function judgedFolder(folder: string, source: ReportSource, definition: GameDefinition) {
  const { excluded, leftOut } = readPart(folder, 'results.json', outSchema)
  // What the schema leaves open was checked when the run was played; a change would show in the table.
  const rules = readPart(folder, 'contest.json', rulesSchema) as unknown as Pick<TournamentSpec, 'format' | 'scoring'>
  const gone = new Set(leftOut.map(({ name }) => name))
  const names = source.contest.entrants.map(({ name }) => name).filter((name) => !gone.has(name))
  const { results, unjudged } = await judgedResults(folder, source, definition, names)
  const { seed, options } = source.contest
  const spec = { format: rules.format, scoring: rules.scoring, names, seed, seats: definition.game.seats }
  // contest.json does not show whether a bot lived through the tournament, which changes it; such a bot never meets
  // itself.
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
  const outcomes = new Map(countingAmong(names, excluded, results).map(({ key, outcome }) => [key, outcome]))
  return { source: ruledSource(source, same.table, outcomes), unjudged }
}

async function judgedResults(
  folder: string,
  source: ReportSource,
  definition: GameDefinition,
  names: readonly string[],
) {
  const refuse = (why: string) =>
    new UserError(
      message`${join(folder, 'records.jsonl')}: ${why}; ${command(`verify ${folder}`)} lists all that does not agree`,
    )
  const facts = recordFacts(folder)
  const results = new Map<string, Result>()
  let unjudged = 0
  for await (const { record } of source.records()) {
    const where = `record ${results.size + 1}`
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

/** How the records' table differs from the folder's, in words. */
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
