import { z } from '@hono/zod-openapi'
import type { Entrant } from '../core/index.js'
import type { RatingRow, Store, StoredRun } from '../store/index.js'
import { pageOfEntrant, standingsOfRun } from '../app/stored.js'
import type { SiteContext } from './context.js'
import type { FoundContest } from './contests.js'
import { ENTRY_STATES, isTaken } from './db/site-store.js'
import { contestFile } from './hosted.js'
import { Refusal } from './http/problems.js'
import { type ApiRoute, type Infer, entrantOf, get, said } from './http/route.js'
import { type Match, matchFacts, matchSchema, versionsOf } from './matches.js'
import { oneSided, standing } from './standings.js'
import type { Tables } from './tables.js'

const timesSchema = z.strictObject({
  n: z.int(),
  median: z.number(),
  p99: z.number(),
  max: z.number(),
  limit: said(z.number().nullable(), 'milliseconds that an answer may take'),
  classes: z.array(z.strictObject({ below: z.number(), n: z.int() })),
})
export type AnswerTimes = Infer<typeof timesSchema>

const versionSchema = z
  .strictObject({
    id: said(z.string(), 'of the entry'),
    version: z.int(),
    state: z.enum(ENTRY_STATES),
    at: z.iso.datetime(),
    matches: said(z.int().optional(), 'in the last run in which it played'),
    points: z.number().optional(),
    rating: said(z.int().optional(), 'Elo, around the average of that run’s field'),
    half: said(z.int().optional(), 'of the 95 % interval of the rating; absent where an end is open'),
    bound: said(oneSided.optional(), 'of the rating, where its interval has one end only'),
    change: said(z.int().optional(), 'of the rating beside the version before'),
  })
  .openapi('Version')
export type Version = Infer<typeof versionSchema>

const entrantSchema = standing
  .extend({
    rank: z.int().nullable(),
    opponents: z.array(z.strictObject({ name: z.string(), ahead: z.int(), level: z.int(), behind: z.int() })),
    best: said(z.array(matchSchema), 'the newest win of each of the strongest that it beat; worst: the reverse'),
    worst: z.array(matchSchema),
    versions: said(z.array(versionSchema), 'the oldest first; empty: it was not entered'),
    times: said(timesSchema.optional(), 'microseconds of wall time, over its newest matches'),
  })
  .openapi('Entrant')
export type EntrantPage = Infer<typeof entrantSchema>

/** Best wins and worst losses that are shown. */
const NOTABLE = 5
/** Newest matches whose answers are looked at. */
const TIMED = 50

/** The run that counts, and an entrant's index in it. Throws a Refusal where none has that name. */
export function playingIn({ run }: FoundContest, name: string): { readonly run: StoredRun; readonly entrant: number } {
  const entrant = run?.entrants.findIndex((one) => one.name === name) ?? -1
  if (run !== undefined && entrant >= 0) return { run, entrant }
  throw new Refusal('unknown', 'no entrant of this name has played in the contest')
}

/** An entrant of a contest. Throws a Refusal where none has that name. */
async function entrantOfContest(site: SiteContext, found: FoundContest, name: string): Promise<EntrantPage> {
  const { store } = site
  const { run, entrant } = playingIn(found, name)
  const { standing: counts, pairs } = await pageOfEntrant(store, run, entrant)
  const { standings } = await standingsOfRun(store, run)
  const row = standings.rows.find((one) => one.entrant === entrant)
  const { matches, wins, draws, losses, faults } = counts
  const rankOf = new Map(standings.rows.map((one) => [one.entrant, one.rank]))
  const ranked = [...pairs].sort((a, b) => (rankOf.get(a.opponent) ?? Infinity) - (rankOf.get(b.opponent) ?? Infinity))
  const entered = await versionsOf(site, found.facts.id, run)
  const notable = async (result: 'win' | 'loss', opponents: readonly (typeof pairs)[number][]): Promise<Match[]> => {
    const chosen: Match[] = []
    for (const { opponent } of opponents.slice(0, NOTABLE)) {
      const { matches: newest } = await store.browse(run.id, { entrant, opponent, result, limit: 1 })
      chosen.push(...newest.map((match) => matchFacts(run, match, entered)))
    }
    return chosen
  }
  const beaten = ranked.filter(({ ahead }) => ahead > 0)
  const lostTo = ranked.filter(({ behind }) => behind > 0).reverse()
  return {
    name,
    rank: row?.rank ?? null,
    points: row?.points ?? counts.points,
    matches,
    wins,
    draws,
    losses,
    faults,
    ...run.entrants[entrant]?.facts,
    remote: run.entrants[entrant]?.remote,
    opponents: pairs.map(({ name: opponent, ahead, level, behind }) => ({ name: opponent, ahead, level, behind })),
    best: await notable('win', beaten),
    worst: await notable('loss', lostTo),
    versions: await versionsOfBot(site, found, name),
    times: await timesOf(store, run, entrant),
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

/** The versions of a bot, the oldest first, and what each changed in rating; those that were not taken are not among them. */
async function versionsOfBot(source: SiteContext, { facts }: FoundContest, name: string): Promise<readonly Version[]> {
  const { store, site } = source
  if (!facts.hosted) return []
  const entries = (await site.entries(facts.id, name)).filter(({ state }) => isTaken(state))
  if (entries.length === 0) return []
  const file = contestFile(source, facts.id)
  const runs = (await store.runs()).filter((run) => run.file === file)
  const versions: Version[] = []
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
export function halfOf({ low, high }: Pick<RatingRow, 'low' | 'high'>): Pick<Version, 'half' | 'bound'> {
  // Without a bound an end is kept as the greatest number there is.
  const [from, to] = [Math.round(low), Math.round(high)].map(Number.isSafeInteger)
  if (from && to) return { half: Math.round((high - low) / 2) }
  if (to) return { bound: { below: Math.round(high) } }
  return from ? { bound: { above: Math.round(low) } } : {}
}

/** An entrant's own page. */
export const entrantRoutes = (site: SiteContext, tables: Tables): readonly ApiRoute[] => [
  get(
    '/contests/{id}/entrants/{name}',
    'An entrant: how it fares against whom, and how long it takes',
    { params: entrantOf, answer: entrantSchema },
    async ({ c, params: { id, name } }) => {
      const { found, of } = await tables.look(id)
      // Who asks for nobody does not wait for others.
      playingIn(found, name)
      return tables.answer(c, of, () => entrantOfContest(site, found, name))
    },
  ),
]
