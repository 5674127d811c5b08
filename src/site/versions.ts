import type { Entrant } from '../core/index.js'
import type { VersionFacts } from '../core/site-facts.js'
import type { RatingRow } from '../store/index.js'
import { isTaken } from './db/data.js'
import type { SiteContext } from './context.js'
import type { FoundContest } from './found-contest.js'
import { contestFile } from './site-files.js'

/** The versions of a bot, the oldest first, and what each changed in rating; those that were not taken are not among them. */
export async function versionsOfBot(
  source: Pick<SiteContext, 'store' | 'site' | 'workspace'>,
  { facts }: FoundContest,
  name: string,
): Promise<readonly VersionFacts[]> {
  const { store, site } = source
  if (!facts.hosted) return []
  const entries = (await site.entries(facts.id)).filter((one) => one.name === name && isTaken(one.state))
  if (entries.length === 0) return []
  const file = contestFile(source, facts.id)
  const runs = (await store.runs()).filter((run) => run.file === file)
  const versions: VersionFacts[] = []
  let before: number | undefined
  for (const { id, version, state, created } of entries) {
    // The newest run comes first.
    const isOf = (one: Entrant): boolean => one.name === name && one.version === version
    const run = runs.find(({ entrants, matches }) => matches > 0 && entrants.some(isOf))
    const entrant = run?.entrants.findIndex(isOf) ?? -1
    const row = run && (await store.leaderboard(run.id)).find((one) => one.entrant === entrant)
    const rating = run && (await store.ratings(run.id)).find((one) => one.entrant === entrant)
    versions.push({
      id,
      version,
      state,
      at: created,
      ...(row && { matches: row.matches, points: row.points }),
      ...(rating && { rating: Math.round(rating.value), ...halfOf(rating) }),
      change: rating && before !== undefined ? Math.round(rating.value - before) : undefined,
    })
    before = rating?.value ?? before
  }
  return versions
}

/** Half of the interval; an entrant that has won or lost every match has an interval that is open at one end: only the other end is told. */
export function halfOf({ low, high }: Pick<RatingRow, 'low' | 'high'>): Pick<VersionFacts, 'half' | 'bound'> {
  // Without a bound an end is kept as the greatest number there is.
  const [from, to] = [Math.round(low), Math.round(high)].map(Number.isSafeInteger)
  if (from && to) return { half: Math.round((high - low) / 2) }
  if (to) return { bound: { below: Math.round(high) } }
  return from ? { bound: { above: Math.round(low) } } : {}
}
