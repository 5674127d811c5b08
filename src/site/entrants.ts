import type { AnswerTimes, EntrantFacts, MatchFacts } from '../core/site-facts.js'
import type { StoredRun, Store } from '../store/index.js'
import { standingsOfRun, pageOfEntrant } from '../app/stored.js'
import type { SiteContext } from './context.js'
import type { FoundContest } from './found-contest.js'
import { matchFacts, versionsOf } from './matches.js'
import { Refusal } from './refusal.js'
import { versionsOfBot } from './versions.js'

/** Best wins and worst losses that are shown. */
const NOTABLE = 5
/** Newest matches whose answers are looked at. */
const TIMED = 50

/** An entrant of a contest. Throws a Refusal where none has that name. */
export async function entrantOfContest(source: SiteContext, found: FoundContest, name: string): Promise<EntrantFacts> {
  const { store } = source
  const { run } = found
  const index = run?.entrants.findIndex((one) => one.name === name) ?? -1
  if (run === undefined || index < 0) throw new Refusal('unknown', 'no entrant of this name has played in the contest')
  const { standing, pairs } = await pageOfEntrant(store, run, index)
  const { standings } = await standingsOfRun(store, run)
  const row = standings.rows.find(({ entrant }) => entrant === index)
  const { matches, wins, draws, losses, faults } = standing
  const author = run.entrants[index]?.facts.author
  const times = await timesOf(store, run, index)
  const rankOf = new Map(standings.rows.map(({ entrant, rank: place }) => [entrant, place]))
  const ranked = [...pairs].sort((a, b) => (rankOf.get(a.opponent) ?? Infinity) - (rankOf.get(b.opponent) ?? Infinity))
  const notable = async (result: 'win' | 'loss', opponents: readonly (typeof pairs)[number][]) => {
    const versions = await versionsOf(source, found.facts.id, run)
    const chosen: MatchFacts[] = []
    for (const { opponent } of opponents.slice(0, NOTABLE)) {
      const { matches: newest } = await store.browse(run.id, { entrant: index, opponent, result, limit: 1 })
      chosen.push(...newest.map((match) => matchFacts(run, match, versions)))
    }
    return chosen
  }
  return {
    name,
    rank: row?.rank ?? null,
    points: row?.points ?? standing.points,
    matches,
    wins,
    draws,
    losses,
    faults,
    author,
    opponents: pairs.map(({ name: opponent, ahead, level, behind }) => ({ name: opponent, ahead, level, behind })),
    best: await notable(
      'win',
      ranked.filter(({ ahead }) => ahead > 0),
    ),
    worst: await notable('loss', ranked.filter(({ behind }) => behind > 0).reverse()),
    versions: await versionsOfBot(source, found, name),
    times,
  }
}

async function timesOf(store: Store, run: StoredRun, entrant: number): Promise<AnswerTimes | undefined> {
  const { matches } = await store.browse(run.id, { entrant, limit: TIMED })
  const walls: number[] = []
  for (const match of matches) {
    const { times, steps } = await store.recordOf(match.id)
    times?.forEach((step, turn) =>
      step.forEach(([wallUs], i) => {
        const seat = steps[turn]?.[i]?.[0]
        if (seat !== undefined && match.seats[seat] === entrant) walls.push(wallUs)
      }),
    )
  }
  if (walls.length === 0) return undefined
  walls.sort((a, b) => a - b)
  const at = (share: number): number => walls[Math.min(walls.length - 1, Math.floor(share * walls.length))] ?? 0
  return {
    n: walls.length,
    median: at(0.5),
    p99: at(0.99),
    max: walls.at(-1) ?? 0,
    limit: run.contest.limits['turn'] ?? null,
    classes: classesOf(walls),
  }
}

/** Counts sorted times in classes that end at powers of two. */
function classesOf(sorted: readonly number[]): AnswerTimes['classes'] {
  const power = (us: number): number => Math.floor(Math.log2(Math.max(1, us)))
  const first = power(sorted[0] ?? 1)
  const counts = Array.from({ length: power(sorted.at(-1) ?? 1) - first + 1 }, () => 0)
  for (const us of sorted) counts[power(us) - first] = (counts[power(us) - first] ?? 0) + 1
  return counts.map((n, i) => ({ below: 2 ** (first + i + 1), n }))
}
