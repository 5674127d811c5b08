import { join } from 'node:path'
import { type MatchRecord, fixtureOfRecord, luckName, matchLuck, parseStrange, canonical } from '../../core/index.js'
import { partText } from '../../results/folder-part.js'
import { FORMATS } from '../../tournament/index.js'
import { seriesKey } from '../../tournament/keys.js'

/** What a folder's contest.json and results.json say of its records, as far as they are there. */
interface RunFacts {
  readonly game: string
  readonly seed: string
  /** By name: the version that played, of a bot that may be entered again. */
  readonly entrants: ReadonlyMap<string, number | undefined>
  readonly repetitions: number
  /** Matches that the results were counted from. */
  readonly matches: number | undefined
  /** All matches were played, and all of them count: each series has its first match and no gap behind it. */
  readonly isWhole: boolean
}

/** What the records of one file are compared with beside the rules: each other, and the facts of their archive. */
export class RecordFacts {
  private readonly facts: RunFacts | undefined
  private readonly seen = new Map<string, string>()
  /** By the key of a series, the numbers of its matches. */
  private readonly series = new Map<string, Set<number>>()
  private readonly deals = new Map<string, { readonly seeds: Set<string>; next: number }>()
  private records = 0

  constructor(folder: string) {
    this.facts = factsIn(folder)
  }

  /** What a record contradicts, in words for a person; undefined: nothing. `where` is its file and line. */
  contradiction(record: MatchRecord, where: string): string | undefined {
    this.records++
    return this.again(record, where) ?? (this.facts && this.otherContest(record, this.facts))
  }

  /** What the number of records, or their keys, contradict. */
  missing(): string | undefined {
    const expected = this.facts?.matches
    if (expected !== undefined && expected !== this.records)
      return `results.json counts ${expected} matches, and there are ${this.records} records`
    if (this.facts?.isWhole !== true) return undefined
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

  /** A match is known by all that it was before any output; two of a tournament are never the same. */
  private again(record: MatchRecord, where: string): string | undefined {
    if (record.key === undefined) return undefined
    const match = canonical(fixtureOfRecord(record))
    const before = this.seen.get(match)
    if (before !== undefined) return `the same match as ${before}`
    this.seen.set(match, where)
    return undefined
  }

  private otherContest(record: MatchRecord, facts: RunFacts): string | undefined {
    if (record.game !== facts.game) return `a match of ${record.game}; contest.json is of ${facts.game}`
    const misplaced = this.misplaced(record)
    if (misplaced !== undefined) return misplaced
    const stranger = record.seats.find(({ entrant }) => !facts.entrants.has(entrant))
    if (stranger !== undefined) return `contest.json has no entrant ${JSON.stringify(stranger.entrant)}`
    if (record.luck.tape === undefined && record.luck.at === 0 && this.isDealt(record, facts)) return undefined
    return 'its luck is none that the seed in contest.json gives these entrants'
  }

  /** Whether the seed deals this luck to these entrants, in one of the deals that so many matches may have. */
  private isDealt({ luck, seats }: MatchRecord, { seed, game, repetitions, entrants }: RunFacts): boolean {
    const names = seats.map(({ entrant }) => entrant).sort()
    const company = JSON.stringify(names)
    const dealt = names.map((name) => luckName({ name, version: entrants.get(name) ?? 1 }))
    const known = this.deals.get(company) ?? { seeds: new Set<string>(), next: 0 }
    this.deals.set(company, known)
    const most = 2 * (this.records + repetitions) + MORE
    while (!known.seeds.has(luck.seed) && known.next < most)
      known.seeds.add(matchLuck(seed, game, dealt, known.next++).seed)
    return known.seeds.has(luck.seed)
  }
}
/** Deals beyond those of the matches before: playoffs, and rounds of which no record stands in the file yet. */
const MORE = 2000

function factsIn(folder: string): RunFacts | undefined {
  const contest = tableIn(join(folder, 'contest.json'))
  const { game, seed, entrants, format } = contest ?? {}
  if (typeof game !== 'string' || typeof seed !== 'string' || !Array.isArray(entrants)) return undefined
  const names = entrants.flatMap((one: unknown) =>
    isTable(one) && typeof one['name'] === 'string'
      ? [[one['name'], typeof one['version'] === 'number' ? one['version'] : undefined] as const]
      : [],
  )
  const { played, reused, finished, excluded } = tableIn(join(folder, 'results.json')) ?? {}
  return {
    game,
    seed,
    entrants: new Map(names),
    repetitions: isTable(format) && typeof format['repetitions'] === 'number' ? format['repetitions'] : 0,
    matches: typeof played === 'number' && typeof reused === 'number' ? played + reused : undefined,
    // A tournament that never ends goes on with the meetings of an earlier run.
    isWhole: finished === true && excluded === undefined && !(isTable(format) && isOpenEnded(format['kind'])),
  }
}

const isOpenEnded = (kind: unknown): boolean => FORMATS.some((format) => format.openEnded && format.kind === kind)

function tableIn(file: string): Record<string, unknown> | undefined {
  try {
    const data: unknown = parseStrange(partText(file))
    return isTable(data) ? data : undefined
  } catch {
    // There is none, or it is not what agon wrote: then it shows nothing.
    return undefined
  }
}

const isTable = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
