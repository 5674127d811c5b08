import { type FaultKind, type GameKit, type MatchRecord, type Result, isFault, wiresOf } from '../core/index.js'
import { DEFAULT_TURN_MS, walk } from '../match/index.js'
import { crosstable } from '../tournament/index.js'
import type { MatchRow, PackedMatch, ReportDocument, ToldMatch } from '../web/document.js'
import { Packs } from './packs.js'
import { type RatedResult, ratedResult, ratingsAmong } from './ratings.js'
import { RoundPoints } from './rounds.js'
import { type ReportSource, indexOf } from './sources.js'
import { Spread } from './spread.js'

/** A report as data: its document, the list of matches, and their records in compressed packs. */
export interface ReportData {
  readonly document: ReportDocument
  readonly matches: readonly MatchRow[]
  /** Lines of JSON, each a `PackedMatch`, as gzip in base64. */
  readonly packs: readonly string[]
}

/**
 * Gathers a report from a finished run, reading its records once. `builtIn`: the page knows the game's rules; otherwise each
 * record brings its positions along as text. What of a record the rules cannot follow is shown as far as it goes.
 */
export async function reportData(source: ReportSource, kit: GameKit, builtIn: boolean): Promise<ReportData> {
  const { contest, standings, leftOut } = source
  const { entrants } = contest
  const field = entrants.length
  const entrantOf = indexOf(contest)
  const wires = wiresOf(kit, contest.options)
  const limits = entrants.map(() => contest.limits['turn'] ?? DEFAULT_TURN_MS)
  const spreads = entrants.map(() => new Spread())
  const faults = entrants.map((): Partial<Record<FaultKind, number>> => ({}))
  const rounds = new RoundPoints(contest.scoring, field)
  const results: RatedResult[] = []
  const matches: MatchRow[] = []
  const packs = new Packs()
  let total = 0

  for await (const { record, shown } of source.records()) {
    const seats = record.seats.map(({ entrant }) => entrantOf(entrant))
    const key = record.key ?? `match ${total + 1}`
    total++
    const outcome = source.outcomes ? source.outcomes.get(key) : record.outcome
    if (outcome !== undefined) {
      results.push(ratedResult(record, key, seats, outcome))
      rounds.add(key, seats, outcome)
    }
    record.seats.forEach(({ wire }, seat) => {
      const own = contest.limits['turn'] ?? wires[wire]?.limits?.['turn'] ?? DEFAULT_TURN_MS
      limits[seats[seat] ?? -1] = own
    })
    record.times?.forEach((step, number) =>
      step.forEach(([wallUs], i) => spreads[seats[record.steps[number]?.[i]?.[0] ?? -1] ?? -1]?.add(wallUs)),
    )
    const judged = judgedFaults(kit, record)
    judged.forEach((kinds, seat) => {
      const sum = faults[seats[seat] ?? -1]
      if (sum) for (const kind of kinds) sum[kind] = (sum[kind] ?? 0) + 1
    })
    if (!shown) continue
    const faulted = judged.map((kinds) => kinds.length)
    const { place, reason } = outcome ?? { ...record.outcome, reason: `${record.outcome.reason} (void)` }
    const row = [key, seats, place, reason, record.steps.length] as const
    matches.push(faulted.some((n) => n > 0) ? [...row, faulted] : row)
    const packed: PackedMatch = builtIn ? { record } : { record, told: toldMatch(kit, record) }
    packs.add(JSON.stringify(packed))
  }

  const order = standings.rows.map(({ entrant }) => entrant)
  const names = entrants.map(({ name }) => name)
  const scoring = { ...contest.scoring, ties: contest.scoring.ties ?? [] }
  const table = crosstable(names, scoring, results as readonly Result[], order)
  const byRound = rounds.rows()
  const ratings = ratingsAmong(
    results,
    field,
    [...order].sort((a, b) => a - b),
    { ...contest, scoring },
  )
  const document: ReportDocument = {
    report: 1,
    agon: contest.agon,
    title: contest.title,
    game: { id: kit.game.id, title: kit.title, summary: kit.summary },
    seed: contest.seed,
    options: contest.options,
    format: contest.format,
    scoring,
    entrants: entrants.map(({ name, language, author, synopsis }, entrant) => ({
      name,
      ...(language !== undefined && { language }),
      ...(author !== undefined && { author }),
      ...(synopsis !== undefined && { synopsis }),
      limit: limits[entrant] ?? DEFAULT_TURN_MS,
    })),
    standings,
    crosstable: {
      order,
      ahead: table.ahead,
      meetings: table.meetings.map((row) => row.map((meeting) => meeting ?? null)),
    },
    ...(byRound && { rounds: byRound }),
    ...(ratings && { ratings }),
    faults,
    ...(leftOut && { leftOut }),
    timing: spreads.map((spread) =>
      spread.n === 0
        ? null
        : { n: spread.n, median: spread.quantile(0.5), p99: spread.quantile(0.99), max: spread.max },
    ),
    matches: { total, kept: matches.length, pack: packs.size, told: !builtIn },
  }
  return { document, matches, packs: packs.done() }
}

/** By seat: the faults of a match, as the rules judge it. */
function judgedFaults(kit: GameKit, record: MatchRecord): readonly FaultKind[][] {
  const faults = record.seats.map((): FaultKind[] => [])
  try {
    for (const { moves } of walk(kit, record)) {
      moves.forEach((move, seat) => isFault(move) && faults[seat]?.push(move.fault))
    }
  } catch {
    // A record of other rules: what was judged so far counts, and the replay says where it ends.
  }
  return faults
}

/** The positions of a match as text, for a page that does not know the rules. */
function toldMatch(kit: GameKit, record: MatchRecord): ToldMatch {
  const picture = (state: unknown): string => kit.board?.(state) ?? JSON.stringify(state, undefined, 2)
  const boards = [picture(kit.game.setup(record.seats.length, record.options, record.luck))]
  const moves: ToldMatch['moves'][number][] = []
  try {
    for (const step of walk(kit, record)) {
      boards.push(picture(step.after))
      moves.push(step.moves.map((move) => move ?? null))
    }
  } catch {
    // As far as it goes.
  }
  return { boards, moves }
}
