import type { Run } from '../../core/index.js'
import type { HostedContest, SiteEntry } from '../db/site-store.js'
import type { SiteContext } from '../context.js'

/**
 * How often any two who still play in the same version have met in the run that counts: a ladder goes on with that. Undefined: there
 * is no such run.
 */
export async function meetingsBefore(
  { store }: Pick<SiteContext, 'store'>,
  { run }: HostedContest,
  playing: readonly SiteEntry[],
): Promise<Run['history']> {
  const before = run === undefined ? undefined : await store.run(run)
  if (before === undefined) return undefined
  const { entrants, contest } = before
  const then = new Map(entrants.map(({ name, version }) => [name, version]))
  const now = new Map(playing.map(({ name, version }) => [name, version]))
  const isSame = (name: string): boolean => then.get(name) === now.get(name)
  const met = new Map<string, number>()
  for (const { seats } of (await store.results(before.id)).values()) {
    const pair = seats.map((entrant) => entrants[entrant]?.name ?? '').sort()
    if (pair.length === 2 && pair.every(isSame)) met.set(JSON.stringify(pair), (met.get(JSON.stringify(pair)) ?? 0) + 1)
  }
  const size = contest.format.swap ? 2 : 1
  return [...met].map(([pair, n]) => {
    const [a, b] = JSON.parse(pair) as [string, string]
    return [a, b, Math.ceil(n / size)] as const
  })
}
