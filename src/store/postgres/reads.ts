import type { Outcome, Result } from '../../core/index.js'
import { type EntrantCounts, type PairCounts, countsSum, metPairs, pairsSum, pairsWhole } from '../counted.js'
import type { BotPage, MatchFilter, MatchSummary, StandingRow, StoredMatch } from '../data.js'
import { isMeant } from '../filters.js'
import { storedMatches } from '../stored-match.js'
import type { RunEntry } from '../run-rows.js'
import { type Parts, eachEntry, keyOf } from '../segment.js'
import { LAST, leaderboardOf, pairsOf } from '../tables.js'
import { readBeside, rulingRows } from './beside.js'
import { readDigests } from './digests.js'
import { countRows } from './entries.js'
import { damagedAt } from './errors.js'
import { type ServerMatchRow, matchRows } from './rows.js'
import { countSegments, eachSegment, segmentParts } from './segments.js'
import type { Sql } from './server.js'

/** Makes games of a run's entries. Throws UserError where the rulings are not as they were written. */
export async function matchesIn(sql: Sql, { number }: RunEntry): Promise<(parts: Parts) => StoredMatch> {
  return storedMatches(await readBeside(sql, number, 'ruling', rulingRows), (text) => sql.parse<Outcome>(text))
}

/** Goes through a run's matches in the order in which they came to it. Throws UserError where they are not as they were written. */
export async function eachMatch(sql: Sql, run: RunEntry, take: (game: StoredMatch) => void): Promise<void> {
  const gameOf = await matchesIn(sql, run)
  await eachSegment(sql, run.number, ({ data }) => eachEntry(data, (parts) => take(gameOf(parts))))
}

/** How a run's matches ended, rulings applied, by the pairing's key. Throws UserError where they are not as they were written. */
export async function readResults(sql: Sql, run: RunEntry): Promise<Map<string, Result>> {
  const results = new Map<string, Result>()
  await eachMatch(sql, run, (game) => {
    const key = keyOf(game)
    results.set(key, { key, seats: game.seats, outcome: game.outcome })
  })
  return results
}

/** The rulings of matches that a run holds, by the pairing's key. Throws UserError where they are not as they were written. */
export async function readRuled(sql: Sql, { number }: RunEntry): Promise<Map<string, Outcome>> {
  const rows = await readBeside(sql, number, 'ruling', rulingRows)
  const places = await sql.all<{ id: number; place: string }>(
    'SELECT m.id, m.place FROM agon.run_match r JOIN agon.match m ON m.id = r.match WHERE r.run = $1 AND r.match = ANY($2::bigint[])',
    number,
    rows.map(({ match }) => match),
  )
  const placeOf = new Map(places.map(({ id, place }) => [id, place]))
  const ruled = new Map<string, Outcome>()
  for (const { match, outcome } of rows) {
    const place = placeOf.get(match)
    if (place !== undefined) ruled.set(place, sql.parse<Outcome>(outcome))
  }
  return ruled
}

/** Segments that are read at once from the newest back: first few, as the newest matches are mostly meant. */
const FIRST = 8
const MOST = 256

/** A run's matches from the newest back, in portions. Throws UserError where they are not as they were written. */
async function* newestMatches(sql: Sql, run: RunEntry): AsyncGenerator<StoredMatch[]> {
  const gameOf = await matchesIn(sql, run)
  let end = await countSegments(sql, run.number)
  for (let size = FIRST; end > 0; size = Math.min(MOST, 2 * size)) {
    const from = Math.max(0, end - size)
    yield (await segmentParts(sql, run.number, from, end)).map(gameOf).reverse()
    end = from
  }
}

/** A run's matches, the newest first. Throws UserError where they are not as they were written. */
export async function readMatches(sql: Sql, run: RunEntry, filter: MatchFilter): Promise<MatchSummary[]> {
  const { last = Infinity } = filter
  const matches: MatchSummary[] = []
  if (last <= 0) return matches
  for await (const portion of newestMatches(sql, run)) {
    const meant = portion.filter((game) => isMeant(game, filter)).slice(0, last - matches.length)
    const rows = await rowsOf(sql, meant)
    for (const game of meant) matches.push(matchRow(game, rows.get(game.id) as ServerMatchRow))
    if (matches.length >= last) break
  }
  return matches
}

/** The rows of games. Throws UserError where they are not as they were written, or not of these games. */
export async function rowsOf(sql: Sql, games: readonly StoredMatch[]): Promise<Map<number, ServerMatchRow>> {
  if (games.length === 0) return new Map()
  const rows = await matchRows(
    sql,
    games.map(({ id }) => id),
  )
  for (const game of games) if (rows.get(game.id)?.place !== keyOf(game)) throw damagedAt(sql.where)
  return rows
}

export const matchRow = ({ id, seats, outcome }: StoredMatch, { place, at }: ServerMatchRow): MatchSummary => ({
  id,
  place,
  seats,
  outcome,
  at: new Date(at).toISOString(),
})

/** Every entrant by points, the most first. Throws UserError where the counts are not as they were written. */
export async function readLeaderboard(sql: Sql, run: RunEntry): Promise<StandingRow[]> {
  return (await board(sql, run)).rows
}

/** Every two that met. Throws UserError where the counts are not as they were written. */
export async function readAllPairs(sql: Sql, run: RunEntry): Promise<readonly PairCounts[]> {
  const pairs = await allPairs(sql, run.number)
  if (!pairsWhole(run.number, (await board(sql, run)).entrants, pairs)) throw damagedAt(sql.where)
  return metPairs(pairs)
}

/** What is shown of one entrant at once. Throws where the run has none of that index. */
export async function readPage(sql: Sql, run: RunEntry, entrant: number): Promise<BotPage> {
  const { rows, entrants } = await board(sql, run)
  const standing = rows.find((row) => row.entrant === entrant)
  if (standing === undefined) throw new Error(`${sql.where}: the run has no entrant ${entrant}`)
  const pairs = await pairRows(sql, run.number, entrant)
  if (entrants.find(({ place }) => place === entrant)?.pairs !== pairsSum(run.number, pairs)) throw damagedAt(sql.where)
  return {
    standing,
    pairs: pairsOf(run.plan, entrant, pairs),
    last: await readMatches(sql, run, { entrant, last: LAST }),
  }
}

async function board(
  sql: Sql,
  { number, plan }: RunEntry,
): Promise<{ readonly rows: StandingRow[]; readonly entrants: readonly EntrantCounts[] }> {
  const { entrants = [], faults = [] } = (await countRows(sql, [number])).get(number) ?? {}
  const run = await sql.get<{ matches: number }>('SELECT matches FROM agon.run WHERE number = $1', number)
  const digests = await readDigests(sql, number)
  digests.refuseDamage(number, 'counts', countsSum(number, run?.matches ?? 0, entrants, faults))
  if (entrants.length !== plan.names.length) throw damagedAt(sql.where)
  return { rows: leaderboardOf(plan, entrants, faults), entrants }
}

/** The rows of an entrant's pairs. */
const pairRows = (sql: Sql, run: number, entrant: number): Promise<PairCounts[]> =>
  sql.all<PairCounts>(
    `SELECT one, other, ahead, level, behind FROM agon.pair WHERE run = $1 AND one = $2
     UNION ALL SELECT one, other, ahead, level, behind FROM agon.pair WHERE run = $1 AND other = $2 AND one <> $2`,
    run,
    entrant,
  )

/** All pairs of a run. */
export const allPairs = (sql: Sql, run: number): Promise<PairCounts[]> =>
  sql.all<PairCounts>('SELECT one, other, ahead, level, behind FROM agon.pair WHERE run = $1 ORDER BY one, other', run)
