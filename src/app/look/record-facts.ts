import { join } from 'node:path'
import * as z from 'zod'
import {
  type GameDefinition,
  type MatchRecord,
  canonical,
  fixtureOfRecord,
  luckName,
  matchLuck,
  messageOf,
  parseStrange,
} from '../../core/index.js'
import { digestOf, judge } from '../../match/index.js'
import { partText } from '../../results/folder-part.js'
import { FORMATS } from '../../tournament/index.js'
import { seriesKey } from '../../tournament/keys.js'

/** What a folder's contest.json says of its records; the version of an entrant is of a bot that may be entered again. */
const contestFacts = z.looseObject({
  game: z.string(),
  seed: z.string(),
  entrants: z.array(z.looseObject({ name: z.string(), version: z.number().optional() })),
  format: z
    .looseObject({ kind: z.string().optional(), repetitions: z.number().default(0) })
    .default({ repetitions: 0 }),
})
/** The same of results.json. */
const resultsFacts = z.looseObject({
  played: z.number(),
  reused: z.number(),
  finished: z.boolean().optional(),
  excluded: z.unknown().optional(),
})

type ContestFacts = z.infer<typeof contestFacts>

/** Deals beyond those of the matches before: playoffs, and rounds of which no record stands in the file yet. */
const MORE = 2000

/** What the records of one file are compared with beside the rules: each other, and the facts of their archive, as far as they are there. */
export class RecordFacts {
  private readonly contest: ContestFacts | undefined
  private readonly results: z.infer<typeof resultsFacts> | undefined
  private readonly versions: ReadonlyMap<string, number>
  private readonly seen = new Map<string, string>()
  /** By the key of a series, the numbers of its matches. */
  private readonly series = new Map<string, Set<number>>()
  private readonly deals = new Map<string, { readonly seeds: Set<string>; next: number }>()
  private records = 0

  constructor(folder: string) {
    this.contest = factsIn(join(folder, 'contest.json'), contestFacts)
    this.results = this.contest && factsIn(join(folder, 'results.json'), resultsFacts)
    this.versions = new Map(this.contest?.entrants.map(({ name, version = 1 }) => [name, version]))
  }

  /** What a record contradicts, in words for a person; undefined: nothing. `where` is its file and line. */
  contradiction(record: MatchRecord, where: string): string | undefined {
    this.records++
    if (record.key !== undefined) {
      // A match is known by all that it was before any output; two of a tournament are never the same.
      const match = canonical(fixtureOfRecord(record))
      const before = this.seen.get(match)
      if (before !== undefined) return `the same match as ${before}`
      this.seen.set(match, where)
    }
    const { contest } = this
    if (contest === undefined) return undefined
    if (record.game !== contest.game) return `a match of ${record.game}; contest.json is of ${contest.game}`
    const misplaced = this.misplaced(record)
    if (misplaced !== undefined) return misplaced
    const stranger = record.seats.find(({ entrant }) => !this.versions.has(entrant))
    if (stranger !== undefined) return `contest.json has no entrant ${JSON.stringify(stranger.entrant)}`
    if (record.luck.tape === undefined && record.luck.at === 0 && this.isDealt(record, contest)) return undefined
    return 'its luck is none that the seed in contest.json gives these entrants'
  }

  /** What the number of records, or their keys, contradict. */
  missing(): string | undefined {
    const { results, contest, records } = this
    if (results === undefined) return undefined
    const expected = results.played + results.reused
    if (expected !== records) return `results.json counts ${expected} matches, and there are ${records} records`
    // A tournament that never ends goes on with the meetings of an earlier run.
    const isOpenEnded = FORMATS.some(({ kind, openEnded }) => openEnded && kind === contest?.format.kind)
    if (results.finished !== true || results.excluded !== undefined || isOpenEnded) return undefined
    for (const [series, numbers] of this.series)
      if ([...numbers].some((number) => number > numbers.size))
        return `the run is finished, and a match of ${series} is not there`
    return undefined
  }

  /** What is wrong with a match's place in the tournament; undefined: nothing. */
  private misplaced({ key, seats }: MatchRecord): string | undefined {
    const [, series = '', round = '', number = ''] = /^(([^/]*)\/[^/]*)\/([1-9]\d*)$/.exec(key ?? '') ?? []
    if (series === '') return undefined
    const numbers = this.series.get(series) ?? new Set()
    this.series.set(series, numbers)
    if (numbers.has(Number(number))) return 'another match has its key'
    numbers.add(Number(number))
    const names = [...new Set(seats.map(({ entrant }) => entrant))]
    const own = [names, names.length === 1 ? [...names, ...names] : names].map((all) => seriesKey(round, all))
    // The series of more than two may be that of a larger group.
    return seats.length > 2 || own.includes(series) ? undefined : 'its key is not that of its entrants'
  }

  /** Whether the seed deals this luck to these entrants, in one of the deals that so many matches may have. */
  private isDealt({ luck, seats }: MatchRecord, { seed, game, format }: ContestFacts): boolean {
    const names = seats.map(({ entrant }) => entrant).sort()
    const company = JSON.stringify(names)
    const dealt = names.map((name) => luckName({ name, version: this.versions.get(name) ?? 1 }))
    const known = this.deals.get(company) ?? { seeds: new Set<string>(), next: 0 }
    this.deals.set(company, known)
    const most = 2 * (this.records + format.repetitions) + MORE
    while (!known.seeds.has(luck.seed) && known.next < most)
      known.seeds.add(matchLuck(seed, game, dealt, known.next++).seed)
    return known.seeds.has(luck.seed)
  }
}

/** Undefined: there are none, or they are not what agon wrote, and show nothing. */
function factsIn<T>(file: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(parseStrange(partText(file))).data
  } catch {
    return undefined
  }
}

/** A record judged again: its digest, or how it differs from what the rules make of its outputs. */
export function judgedAgain(
  definition: GameDefinition,
  record: MatchRecord,
): { readonly digest: string } | { readonly differs: string } {
  try {
    const judged = judge(definition, record)
    if (canonical(judged.outcome) === canonical(record.outcome)) return { digest: digestOf(record, judged) }
    return { differs: `recorded ${canonical(record.outcome)}, judged ${canonical(judged.outcome)}` }
  } catch (error) {
    // Whatever the rules trip over in a record that no match has written: options that are not the game's, draws not of its tape.
    return { differs: messageOf(error) }
  }
}
