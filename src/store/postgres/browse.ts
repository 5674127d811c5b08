import type { BrowsedMatch, BrowseFilter, BrowsePage, StoredFault, StoredMatch } from '../data.js'
import { hasFault, lookedAt, passes } from '../filters.js'
import type { HeldMatches } from '../held-matches.js'
import { type RunEntry, listedSum } from '../run-rows.js'
import { WHOLE } from '../parts.js'
import { FULL } from '../segment.js'
import { total } from '../sums.js'
import { readDigests } from './digests.js'
import { matchesIn, matchRow, rowsOf } from './reads.js'
import { type ServerMatchRow, faultsOf } from './rows.js'
import { eachOf, headsOf, lastHead, segmentParts } from './segments.js'
import type { Sql } from './server.js'

/** Segments that are looked at at once. */
const PORTION = 16

/**
 * A page of a run's matches, from the newest back: those that pass the filter, of as many as one page looks at. Throws UserError where
 * they are not as they were written.
 */
export async function browseMatches(sql: Sql, run: RunEntry, filter: BrowseFilter): Promise<BrowsePage> {
  const { limit, before = Infinity, fault } = filter
  const matches: BrowsedMatch[] = []
  let left = lookedAt(filter)
  for await (const portion of gamesBefore(sql, run, before)) {
    const looked = portion.slice(0, left)
    const candidates = looked.filter(({ game }) => passes(game, filter))
    const rows = await rowsOf(
      sql,
      // Without a fault to look for, no more rows are asked for than are shown.
      candidates.slice(0, fault === undefined ? limit - matches.length : candidates.length).map(({ game }) => game),
    )
    for (const { game, at } of candidates) {
      if (matches.length === limit) return { matches, next: at + 1 }
      const row = rows.get(game.id) as ServerMatchRow
      const faults = faultsOf(sql, row)
      if (fault === undefined || hasFault(faults, game, filter)) matches.push(matchOf(game, row, faults))
    }
    const end = looked.at(-1)
    left -= looked.length
    if (end !== undefined && end.at > 0 && (left === 0 || matches.length === limit)) return { matches, next: end.at }
  }
  return { matches }
}

/** How many matches a run has: their places, in the order in which they came to it, are below that. */
export async function countMatches(sql: Sql, { number }: RunEntry): Promise<number> {
  const last = await lastHead(sql, number)
  return last === undefined ? 0 : last.number * FULL + last.games
}

interface Placed {
  readonly game: StoredMatch
  /** Its place in the order in which the matches came to the run. */
  readonly at: number
}

/** A run's matches before a place, from the newest back, in portions. */
async function* gamesBefore(sql: Sql, run: RunEntry, before: number): AsyncGenerator<Placed[]> {
  const gameOf = await matchesIn(sql, run)
  const end = Math.max(0, Math.min(before, await countMatches(sql, run)))
  for (let above = Math.ceil(end / FULL); above > 0;) {
    const from = Math.max(0, above - PORTION)
    const parts = await segmentParts(sql, run.number, from, above)
    yield parts
      .map((one, i): Placed => ({ game: gameOf(one), at: from * FULL + i }))
      .filter(({ at }) => at < end)
      .reverse()
    above = from
  }
}

const matchOf = (game: StoredMatch, row: ServerMatchRow, faults: readonly StoredFault[]): BrowsedMatch => ({
  ...matchRow(game, row),
  turns: game.turns,
  faults,
})

/**
 * Where a match belongs: the runs that hold it, the newest first. Empty: there is no such match. Throws UserError where the runs, or what they
 * hold, are not as they were written.
 */
export async function runsHolding(sql: Sql, held: HeldMatches, match: number): Promise<readonly string[]> {
  const runs = await sql.all<{ number: number; id: string }>('SELECT number, id FROM agon.run ORDER BY number DESC')
  ;(await readDigests(sql, WHOLE)).refuseDamage(WHOLE, 'runs', total(runs.map(listedSum)))
  held.keepOnly(runs)
  const holding: string[] = []
  for (const { number, id } of runs) {
    const heads = await headsOf(sql, number)
    await eachOf(sql, number, held.unread(number, heads), (row) => held.add(number, row, row.data))
    if (held.holds(number, heads, match)) holding.push(id)
  }
  return holding
}
