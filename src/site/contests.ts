import { type SiteRules, UserError } from '../core/index.js'
import type { ContestFacts } from '../core/site-facts.js'
import type { StoredRun } from '../store/index.js'
import type { HostedContest } from './db/data.js'
import type { SiteContext } from './context.js'
import { takenIn } from './entered.js'
import type { FoundContest } from './found-contest.js'
import { Refusal } from './refusal.js'
import { houseBotsOf, rulesOf } from './rules.js'
import { contestFile, trialFile } from './site-files.js'
import { formatOf } from '../tournament/index.js'

/** The contests of a site, and the runs of its workspace that were played from the command line; live ones first, then the newest. */
export async function listContests(context: SiteContext): Promise<readonly ContestFacts[]> {
  const [hosted, runs] = await Promise.all([context.site.contests(), context.store.runs()])
  const byId = new Map(runs.map((run) => [run.id, run]))
  const own = new Set([...hosted.map(({ id }) => contestFile(context, id)), trialFile(context)])
  const ofHosted = hosted.map(async (contest) => {
    const run = contest.run === undefined ? undefined : byId.get(contest.run)
    return {
      ...factsOf(context, contest, await entrantsOf(context, contest, run), run),
      ...(await rulesFor(context, contest)),
    }
  })
  const facts = [
    ...(await Promise.all(ofHosted)),
    ...runs.filter(({ file }) => !own.has(file)).map((run) => factsOfRun(context, run)),
  ]
  return facts.sort(
    (a, b) => Number(b.state === 'playing') - Number(a.state === 'playing') || (a.created < b.created ? 1 : -1),
  )
}

/** The contest of this id, or the run of the command line. Throws a Refusal where there is none. */
export async function findContest(context: SiteContext, id: string): Promise<FoundContest> {
  const { site, store } = context
  const hosted = await site.contest(id)
  if (hosted !== undefined) {
    const run = hosted.run === undefined ? undefined : await store.run(hosted.run)
    const entrants = await entrantsOf(context, hosted, run)
    const facts = { ...factsOf(context, hosted, entrants, run), ...(await rulesFor(context, hosted)) }
    return { facts, hosted, run }
  }
  const run = await store.run(id)
  if (run === undefined || (await isOfHosted(context, run))) throw new Refusal('unknown', 'there is no such contest')
  return { facts: factsOfRun(context, run), run }
}

/** What a contest says about who may come in and sit down. One whose game the site no longer has is shown, and not played. */
async function rulesFor(
  context: SiteContext,
  contest: HostedContest,
): Promise<Pick<ContestFacts, 'signup' | 'sittings'>> {
  const { signup, sittings } = await rulesOf(context, contest).catch(whereGameIsGone)
  return { signup, sittings }
}

function whereGameIsGone(error: unknown): SiteRules {
  if (error instanceof UserError) return { sittings: false }
  throw error
}

/**
 * Whether a run is one of a contest that the site hosts. Such a run is shown as that contest, and never as itself: all runs of a
 * contest have its seed, which is secret until the contest is over, and an earlier run may have ended long before that.
 */
async function isOfHosted(context: SiteContext, { file }: StoredRun): Promise<boolean> {
  return (
    file === trialFile(context) || (await context.site.contests()).some(({ id }) => contestFile(context, id) === file)
  )
}

/** A contest that the site hosts. Throws a Refusal for one that it only shows, and where there is none. */
export async function hostedContest(context: SiteContext, id: string): Promise<HostedContest> {
  const { hosted } = await findContest(context, id)
  if (hosted !== undefined) return hosted
  throw new Refusal('conflict', 'this contest is played from the command line, and only shown here')
}

/** The names of the entrants that play, or will play as soon as a contest begins: its house bots, and the bots that were accepted. */
async function entrantsOf(
  context: SiteContext,
  contest: HostedContest,
  run: StoredRun | undefined,
): Promise<readonly string[]> {
  if (run !== undefined) return run.entrants.map(({ name }) => name)
  const [house, taken, excluded] = await Promise.all([
    houseBotsOf(context, contest),
    takenIn(context, contest.id),
    context.site.exclusions(contest.id),
  ])
  const out = new Set(excluded.map(({ name }) => name))
  return [...house, ...taken.keys()].filter((name) => !out.has(name))
}

function factsOf(
  { progress, workers }: SiteContext,
  { id, title, game, state, why, created, revision }: HostedContest,
  entrants: readonly string[],
  run?: StoredRun,
): ContestFacts {
  return {
    id,
    title,
    game,
    state,
    why,
    format: run?.contest.format.kind,
    entrants,
    matches: run?.matches ?? 0,
    ...(run && state !== 'finished' && progress.of(id, run)),
    created,
    // A ladder that waits for its next entry has not ended, nor has a contest that continues because a bot was entered.
    ended: run?.ended !== undefined && state !== 'playing' ? run.ended : undefined,
    idle: isIdle(state, run) ? (true as const) : undefined,
    hosted: true,
    revision,
    ...(state === 'playing' && progress.beside(id)),
    ...waitsOf(workers, state, run),
  }
}

const isIdle = (state: HostedContest['state'], run?: StoredRun): boolean =>
  state === 'playing' && run?.state === 'finished' && formatOf(run.contest.format.kind).openEnded

function factsOfRun({ progress, workers }: SiteContext, run: StoredRun): ContestFacts {
  const { id, contest, game, entrants, state, began, ended, matches } = run
  return {
    id,
    title: contest.title,
    game: game.id,
    state: state === 'open' ? 'playing' : state,
    format: contest.format.kind,
    entrants: entrants.map(({ name }) => name),
    matches,
    ...progress.of(id, run),
    created: began,
    ended,
    hosted: false,
    revision: 0,
    ...waitsOf(workers, state === 'open' ? 'playing' : state, run),
  }
}

function waitsOf(
  workers: SiteContext['workers'],
  state: ContestFacts['state'],
  run?: StoredRun,
): Pick<ContestFacts, 'waits'> {
  const waits = run === undefined || state !== 'playing' ? undefined : workers.waits(run.id)
  return waits === undefined ? {} : { waits }
}
