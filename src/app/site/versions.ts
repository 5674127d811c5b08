import { isExploitability } from '../exploitability.js'
import type { RatingRow, SiteEntry } from '../../store/index.js'
import type { FoundContest } from './contests.js'
import { contestFile } from './contest-file.js'
import type { TableSource } from './table-text.js'

/** A version of a bot that was entered. */
export interface VersionFacts {
  readonly id: string
  readonly version: number
  readonly state: SiteEntry['state']
  /** When it was entered, ISO 8601. */
  readonly at: string
  /** In the last run in which it played. */
  readonly matches?: number
  readonly points?: number
  /** Elo points around the average of the field of that run, and half of their 95 % interval. */
  readonly rating?: number
  readonly half?: number
  /** Rating beside the version before it that has one. */
  readonly change?: number
}

/** The versions of a bot, the oldest first, and what each changed in rating; those that were rejected are not among them. */
export async function versionsOfBot(
  source: Pick<TableSource, 'store' | 'site' | 'workspace'>,
  { facts }: FoundContest,
  name: string,
): Promise<readonly VersionFacts[]> {
  const { store, site } = source
  if (!facts.hosted) return []
  const entries = (await site.entries(facts.id)).filter((one) => one.name === name && one.state !== 'rejected')
  if (entries.length === 0) return []
  const file = contestFile(source, facts.id)
  const runs = (await store.runs()).filter(({ contest }) => contest === file)
  const versions: VersionFacts[] = []
  let before: number | undefined
  for (const { id, version, state, created } of entries) {
    // The newest run comes first.
    const run = runs.find(
      ({ plan, matches }) => matches > 0 && new Map(Object.entries(plan.versions ?? {})).get(name) === version,
    )
    const entrant = run?.plan.names.indexOf(name) ?? -1
    const row = run && (await store.leaderboard(run.id)).find((one) => one.entrant === entrant)
    const rating = run && (await store.ratings(run.id)).find((one) => one.entrant === entrant && !isExploitability(one))
    versions.push({
      id,
      version,
      state,
      at: created,
      ...(row && { matches: row.matches, points: row.points }),
      ...(rating && { rating: Math.round(rating.value), ...halfOf(rating) }),
      ...(rating && before !== undefined && { change: Math.round(rating.value - before) }),
    })
    before = rating?.value ?? before
  }
  return versions
}

/** Whoever has won or lost every match has an interval that is open at one end: it has no half. */
function halfOf({ low, high }: RatingRow): Pick<VersionFacts, 'half'> {
  const half = Math.round((high - low) / 2)
  return Number.isSafeInteger(half) ? { half } : {}
}
