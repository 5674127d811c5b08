import { z } from '@hono/zod-openapi'
import { type Entrant, didYouMean } from '../core/index.js'
import type { Exclusion, RatingRow, StoredRun } from '../store/index.js'
import { formatOf } from '../tournament/index.js'
import { exchangesOf } from '../app/look/show.js'
import { newestTimes } from '../app/look/timing.js'
import { excludedText } from '../app/run/live-run.js'
import { pageOfEntrant, standingsOfRun } from '../app/stored.js'
import { withoutPlaces } from '../app/workspace.js'
import type { SiteContext } from './context.js'
import { contestFile, type FoundContest, hostedContest, parsedContest } from './contests.js'
import { maySeeEntrant, owns } from './entries.js'
import { answerText, conflict, forbidden, invalid, notFound } from './http/answers.js'
import type { Caller } from './http/callers.js'
import { type Infer, arrayOf, browsed, faultKind, get, nextOf, object, pages, post, said } from './http/route.js'
import { type Match, matchFacts, matchSchema } from './matches.js'
import type { ContestRunner } from './play/contest-runner.js'
import { type Tables, oneSided, siteGameOf, standing } from './standings.js'
import { ENTRY_STATES, isTaken } from './store.js'

const timesSchema = z.strictObject({
  n: z.int(),
  median: z.number(),
  p99: z.number(),
  max: z.number(),
  limit: said(z.number().nullable(), 'milliseconds that an answer may take'),
  classes: z.array(z.strictObject({ below: z.number(), n: z.int() })),
})
export type AnswerTimes = Infer<typeof timesSchema>

const versionSchema = object('Version', {
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

const faultsSchema = object('Faults', {
  items: arrayOf({
    match: z.int(),
    turn: said(z.int(), 'counted from 0'),
    kind: faultKind,
    why: z.string().optional(),
    at: z.iso.datetime(),
    exchange: said(
      z.array(z.string()).optional(),
      'what it was sent and what it answered, a line each; for its owner and the host',
    ),
  }),
  next: z.string().nullable(),
  stderr: said(z.string().optional(), 'the end of what it wrote to standard error; for its owner and the host'),
})
export type BotFaults = Infer<typeof faultsSchema>

const faultQuery = pages.extend({ limit: z.coerce.number().int().min(1).max(50).optional() })

const outSchema = z.object({
  matches: said(
    z.enum(['void', 'lost']).optional(),
    'void (the default): none of its matches counts; lost: what it had played stands, and the rest is lost (games of two)',
  ),
  why: z.string().max(500).optional(),
})

/** Best wins and worst losses that are shown. */
const NOTABLE = 5
/** Faults of one match that are shown. */
const FAULTS = 3

function playingIn({ run }: FoundContest, name: string): { readonly run: StoredRun; readonly entrant: number } {
  const entrant = run?.entrants.findIndex((one) => one.name === name) ?? -1
  if (run !== undefined && entrant >= 0) return { run, entrant }
  throw notFound('no entrant of this name has played in the contest')
}

async function entrantOfContest(site: SiteContext, found: FoundContest, name: string): Promise<EntrantPage> {
  const { store } = site
  const { run, entrant } = playingIn(found, name)
  const { standing: counts, pairs } = await pageOfEntrant(store, run, entrant)
  const { standings } = await standingsOfRun(store, run)
  const row = standings.rows.find((one) => one.entrant === entrant)
  const rankOf = new Map(standings.rows.map((one) => [one.entrant, one.rank]))
  const ranked = [...pairs].sort((a, b) => (rankOf.get(a.opponent) ?? Infinity) - (rankOf.get(b.opponent) ?? Infinity))
  const newest = async (result: 'win' | 'loss', opponents: typeof ranked): Promise<Match[]> => {
    const chosen: Match[] = []
    for (const { opponent } of opponents.slice(0, NOTABLE)) {
      const { matches } = await store.browse(run.id, { entrant, opponent, result, limit: 1 })
      chosen.push(...matches.map((match) => matchFacts(run, match)))
    }
    return chosen
  }
  const beaten = ranked.filter(({ ahead }) => ahead > 0)
  const beating = ranked.filter(({ behind }) => behind > 0).reverse()
  const { matches, wins, draws, losses, faults } = counts
  const { facts, remote } = run.entrants[entrant] ?? {}
  const own = { name, points: row?.points ?? counts.points, matches, wins, draws, losses, faults, ...facts, remote }
  return {
    ...own,
    rank: row?.rank ?? null,
    opponents: pairs.map(({ name: opponent, ahead, level, behind }) => ({ name: opponent, ahead, level, behind })),
    best: await newest('win', beaten),
    worst: await newest('loss', beating),
    versions: await versionsOfBot(site, found, name),
    times: await newestTimes(store, run, entrant),
  }
}

/** The versions of a bot, the oldest first, and what each changed in rating; those that were not taken are not among them. */
async function versionsOfBot(context: SiteContext, { facts }: FoundContest, name: string): Promise<readonly Version[]> {
  const { store, site } = context
  const entries = facts.hosted ? site.entries(facts.id, name).filter(({ state }) => isTaken(state)) : []
  const file = contestFile(context, facts.id)
  // The newest run comes first.
  const runs = entries.length === 0 ? [] : (await store.runs()).filter((run) => run.file === file && run.matches > 0)
  const versions: Version[] = []
  let before: number | undefined
  for (const { id, version, state, created } of entries) {
    const isOf = (one: Entrant): boolean => one.name === name && one.version === version
    const run = runs.find(({ entrants }) => entrants.some(isOf))
    const entrant = run?.entrants.findIndex(isOf)
    const { matches, points } = (run && (await store.leaderboard(run.id)))?.find((one) => one.entrant === entrant) ?? {}
    const rating = run && (await store.ratings(run.id)).find((one) => one.entrant === entrant)
    const change = rating && before !== undefined ? Math.round(rating.value - before) : undefined
    const rated = rating && { rating: Math.round(rating.value), ...halfOf(rating) }
    versions.push({ id, version, state, at: created, matches, points, ...rated, change })
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

/** Faults of an entrant, the newest first; `whole`: with what is for its owner and the host alone. */
async function faultsOfEntrant(
  context: SiteContext,
  found: FoundContest,
  name: string,
  { cursor, limit = 10, whole }: z.infer<typeof faultQuery> & { readonly whole: boolean },
): Promise<BotFaults> {
  const { store, workspace } = context
  const { run, entrant } = playingIn(found, name)
  const page = await store.browse(run.id, { ...browsed({ cursor, limit }), entrant, fault: 'any' })
  const judging = { definition: await siteGameOf(context, run), limits: run.contest.limits }
  const items: BotFaults['items'][number][] = []
  for (const { id: match, seats, faults, at: stored } of page.matches) {
    const seat = seats.indexOf(entrant)
    const own = faults.filter((fault) => fault.seat === seat).slice(0, FAULTS)
    const turns = own.map(({ turn }) => turn)
    const exchanges = whole ? exchangesOf(judging, await store.recordOf(match), seat, turns) : []
    for (const { turn, fault: kind, why } of own) {
      const lines = exchanges.find((one) => one.turn === turn)?.lines
      const exchange = lines?.map((line) => withoutPlaces(line, workspace))
      items.push({ match, turn, kind, why, at: new Date(stored).toISOString(), exchange })
    }
  }
  return {
    items,
    next: nextOf(page),
    stderr: whole ? withoutPlaces(await store.stderr(run.id, name), workspace) : undefined,
  }
}

/** Withdraws an entrant, which its owner may do, or disqualifies it, which the host may. Returns what the table notes of it. */
export async function putOut(
  context: SiteContext,
  runner: ContestRunner,
  { contest: id, ...exclusion }: Exclusion & { readonly contest: string },
  caller: Caller,
): Promise<{ readonly note: string }> {
  const { name, status, treatment } = exclusion
  const hosted = await hostedContest(context, id)
  const { contest, entries } = await parsedContest(context, hosted)
  // One that is still built, or waits for it, is put out before it has played.
  const entered = context.site.entries(id).filter(({ state }) => state !== 'rejected')
  const own = entered.filter((one) => one.name === name)
  const mayWithdraw = own[0] !== undefined && owns(own[0], caller)
  if (caller.role !== 'host' && !(status === 'withdrawn' && mayWithdraw))
    throw forbidden(`only ${status === 'withdrawn' ? 'its owner or ' : ''}the host may do this`)
  if (hosted.final && caller.role !== 'host')
    throw conflict('this contest has ended for good: its table stays as it is')
  const names = [...new Set([...entries.map(({ spec }) => spec.name), ...entered.map((one) => one.name)])]
  if (!names.includes(name)) throw notFound(`no entrant ${JSON.stringify(name)}${didYouMean(name, names)}`)
  const before = context.site.exclusions(id).find((one) => one.name === name)
  // A version that is being built would bring back what is withdrawn.
  const comesBack = own.some(({ state, version }) => state === 'building' && version >= (before?.back ?? Infinity))
  // A contestant who has withdrawn a bot may enter it again; a bot that the host has put out stays out.
  if (before !== undefined && !comesBack && (before.status === status || caller.role !== 'host'))
    throw conflict(`${name} is ${before.status} already`)
  if (treatment === 'lost' && formatOf(contest.format.kind).sizes !== undefined)
    throw invalid('matches are lost in games of two: here more than one would win what it has not played')
  await runner.exclude(id, exclusion)
  return { note: excludedText(exclusion) }
}

export const entrantRoutes = (site: SiteContext, tables: Tables, runner: ContestRunner) => [
  get('/contests/{id}/entrants/{name}', {
    summary: 'An entrant: how it fares against whom, and how long it takes',
    answer: entrantSchema,
  }).handler(async ({ c, id, name }) => {
    const { found, of } = await tables.look(id)
    // Who asks for nobody does not wait for others.
    playingIn(found, name)
    return tables.answer(c, of, () => entrantOfContest(site, found, name))
  }),
  get('/contests/{id}/entrants/{name}/faults', {
    summary: 'Faults of an entrant, the newest first',
    description:
      'With what it was sent and answered, and the end of its standard error, for its owner and the host; for all once a contest that says `publish = true` has ended for good.',
    query: faultQuery,
    answer: faultsSchema,
  }).handler(async ({ c, id, name, query, caller, from }) => {
    const { found, of } = await tables.look(id)
    const whole = await maySeeEntrant(site, found.hosted, name, caller)
    const own = caller.role !== 'anonymous'
    const make = () => faultsOfEntrant(site, found, name, { ...query, whole })
    // The owner's view also changes without a new match.
    if (whole) return answerText(c, JSON.stringify(await site.slow.run(from, make)), { own })
    return tables.answer(c, of, make, { own })
  }),
  ...(['withdraw', 'disqualify'] as const).map((verb) =>
    post(`/contests/{id}/entrants/{name}/${verb}`, {
      summary: verb === 'withdraw' ? 'Take one’s bot out of a contest' : 'Put an entrant out of a contest',
      access: verb === 'withdraw' ? 'contestant' : 'host',
      body: outSchema,
      bodyOptional: true,
      answer: z.strictObject({ note: z.string() }),
    }).handler(({ id, name, body: { matches: treatment = 'void', why = '' }, caller }) => {
      const status = verb === 'withdraw' ? 'withdrawn' : 'disqualified'
      return putOut(site, runner, { contest: id, name, status, treatment, why }, caller)
    }),
  ),
]
