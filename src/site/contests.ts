import { join } from 'node:path'
import { z } from '@hono/zod-openapi'
import { type GameDefinition, type SiteRules, UserError } from '../core/index.js'
import type { Entry } from '../contest/index.js'
import { type LoadedContest, parseHosted } from '../contest/parse.js'
import { type SentWords, sentEntry } from '../contest/sent-entry.js'
import type { StoredRun } from '../store/index.js'
import { formatOf } from '../tournament/index.js'
import type { Context } from '../app/context.js'
import type { SiteContext } from './context.js'
import { conflict, notFound } from './http/answers.js'
import { type Infer, said, time, object } from './http/route.js'
import { sentFolder } from './play/staged-versions.js'
import { remoteBot } from '../app/remote/remotes.js'
import { HOSTED_STATES, type HostedContest, type SiteEntry, isTaken } from './store.js'

export const contestSchema = object('Contest', {
  id: z.string(),
  title: z.string(),
  game: z.string(),
  state: z.enum(HOSTED_STATES),
  why: said(z.string().optional(), 'what keeps it from being played'),
  format: z.string().optional(),
  entrants: z.array(z.string()),
  matches: said(z.int(), 'that have been played'),
  planned: said(z.int().optional(), 'all that it will have, those included; exact, or the most it can become'),
  left: said(z.int().optional(), 'seconds until all are played, if it goes on as it did so far'),
  idle: said(z.literal(true).optional(), 'a ladder on which nothing is left to play until another bot is entered'),
  budget: said(
    z
      .strictObject({
        hourly: said(z.int(), 'matches that it begins in an hour at most'),
        until: time,
      })
      .optional(),
    'a ladder that waits with its next match, as so many an hour are begun',
  ),
  series: said(
    z.strictObject({ playing: z.int(), matches: said(z.int(), 'of these series together') }).optional(),
    'of bots that remember: the matches of a series count once all are played',
  ),
  created: time,
  ended: time.optional(),
  final: said(z.literal(true).optional(), 'its host has ended it for good'),
  hosted: said(z.boolean(), 'false: it was played from the command line, and is only shown here'),
  signup: said(z.boolean().optional(), 'people may become contestants without asking the host'),
  sittings: said(z.boolean().optional(), 'false: people cannot play against its entrants'),
  remote: said(z.literal(true).optional(), 'bots may play from their authors’ own machines (`agon connect`)'),
  notice: said(z.string().optional(), 'what its host tells everybody'),
  revision: said(z.int(), 'raised with each change of who plays'),
  waits: said(z.string().optional(), 'why no worker plays it on, where the store is on a server'),
})
export type Contest = Infer<typeof contestSchema>

export interface FoundContest {
  readonly facts: Contest
  readonly hosted?: HostedContest
  readonly run?: StoredRun
}

/** The contests of a site, and the runs of its workspace that were played from the command line; live ones first, then the newest. */
export async function listContests(context: SiteContext): Promise<readonly Contest[]> {
  const runs = await context.store.runs()
  const byId = new Map(runs.map((run) => [run.id, run]))
  const own = filesOfSite(context)
  const facts = [
    ...(await Promise.all(context.site.contests().map((one) => factsOf(context, one, byId.get(one.run ?? ''))))),
    ...runs.filter(({ file }) => !own.has(file)).map((run) => factsOfRun(context, run)),
  ]
  return facts.sort(
    (a, b) => Number(b.state === 'playing') - Number(a.state === 'playing') || (a.created < b.created ? 1 : -1),
  )
}

/** The contest of this id, or the run of the command line. Throws a Refusal where there is none. */
export async function findContest(context: SiteContext, id: string): Promise<FoundContest> {
  const hosted = context.site.contest(id)
  const run = await context.store.run(hosted === undefined ? id : (hosted.run ?? ''))
  if (hosted !== undefined) return { facts: await factsOf(context, hosted, run), hosted, run }
  // A run of a contest that the site hosts is shown as that contest, and never as itself: all runs of a contest have its seed, which is
  // secret until the contest is over, and an earlier run may have ended long before that.
  if (run === undefined || filesOfSite(context).has(run.file)) throw notFound('there is no such contest')
  return { facts: factsOfRun(context, run), run }
}

const filesOfSite = (context: SiteContext): ReadonlySet<string> =>
  new Set([...context.site.contests().map(({ id }) => contestFile(context, id)), scrimmageFile(context)])

/** A contest that the site hosts. Throws a Refusal for one that it only shows, and where there is none. */
export async function hostedContest(context: SiteContext, id: string): Promise<HostedContest> {
  const hosted = context.site.contest(id)
  if (hosted !== undefined) return hosted
  await findContest(context, id)
  throw conflict('this contest is played from the command line, and only shown here')
}

export async function openContest(context: SiteContext, id: string): Promise<HostedContest> {
  const hosted = await hostedContest(context, id)
  if (hosted.final) throw conflict('this contest has ended for good: no bot can enter it any more')
  return hosted
}

async function factsOf(context: SiteContext, hosted: HostedContest, run?: StoredRun): Promise<Contest> {
  const { id, title, game, state, why, created, revision, final } = hosted
  const loaded = await parsedContest(context, hosted).catch((error: unknown) => {
    if (error instanceof UserError) return undefined
    throw error
  })
  // A contest whose game the site has no longer is shown, and not played.
  const rules = loaded === undefined ? { sittings: false } : (loaded.contest.site ?? {})
  const isPlaying = state === 'playing'
  const isOpenEnded = run !== undefined && formatOf(run.contest.format.kind).openEnded
  return {
    id,
    title,
    game,
    state,
    why,
    format: run?.contest.format.kind,
    entrants: run?.entrants.map(({ name }) => name) ?? entrantsOf(context, id, loaded),
    matches: run?.matches ?? 0,
    ...(run && state !== 'finished' && context.progress.of(id, run)),
    created,
    // A ladder that waits for its next entry has not ended, nor has a contest that continues because a bot was entered.
    ended: isPlaying ? undefined : run?.ended,
    idle: isPlaying && run?.state === 'finished' && isOpenEnded ? true : undefined,
    final,
    hosted: true,
    signup: final ? undefined : rules.signup,
    sittings: rules.sittings,
    remote: !final && rules.remote ? true : undefined,
    notice: rules.notice,
    revision,
    ...(isPlaying && context.progress.beside(id)),
    waits: run && isPlaying ? context.workers.waits(run.id) : undefined,
  }
}

/** The names of those who will play as soon as a contest begins: its house bots, and the bots that were accepted. */
function entrantsOf(context: SiteContext, id: string, loaded: LoadedContest | undefined): readonly string[] {
  const out = new Set(context.site.exclusions(id).map(({ name }) => name))
  const house = loaded?.entries.map(({ spec }) => spec.name) ?? []
  return [...house, ...takenIn(context, id).keys()].filter((name) => !out.has(name))
}

function factsOfRun({ progress, workers }: SiteContext, run: StoredRun): Contest {
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
    waits: state === 'open' ? workers.waits(id) : undefined,
  }
}

/** Where the text of a hosted contest is taken to lie: its runs are known by it. */
export const contestFile = ({ workspace }: Pick<Context, 'workspace'>, id: string): string =>
  join(workspace, 'contests', `${id}.toml`)

export const scrimmageFile = (context: Pick<Context, 'workspace'>): string => contestFile(context, 'scrimmage')

/** A hosted contest as its text has it, with its house bots alone; each text is read once. Throws UserError. */
export function parsedContest(context: SiteContext, { id, toml }: HostedContest): Promise<LoadedContest> {
  const known = context.parsed.get(id)
  if (known?.toml === toml) return known.loaded
  const loaded = parseHosted(toml, contestFile(context, id), context.games)
  context.parsed.set(id, { toml, loaded })
  return loaded
}

export const rulesOf = async (context: SiteContext, hosted: HostedContest): Promise<SiteRules> =>
  (await parsedContest(context, hosted)).contest.site ?? {}

/** A hosted contest as it is to be played now, with the newest version of each bot that was taken, which are `playing`; `wanted`: of these names alone. */
export async function loadHosted(context: SiteContext, { id, game, toml }: HostedContest, wanted?: readonly string[]) {
  const playing = [...takenIn(context, id).values()]
  const definition = context.games.find((one) => one.game.id === game)
  // Without its game the contest's text is refused below.
  const read = playing.filter(({ name }) => definition !== undefined && wanted?.includes(name) !== false)
  const entries = read.map((entry) => entryOf(context, entry, definition as GameDefinition))
  return { loaded: await parseHosted(toml, contestFile(context, id), context.games, entries), playing }
}

export type LoadedHosted = Awaited<ReturnType<typeof loadHosted>>

export function takenIn({ site }: SiteContext, id: string): ReadonlyMap<string, SiteEntry> {
  return new Map(site.entries(id).flatMap((entry) => (isTaken(entry.state) ? [[entry.name, entry]] : [])))
}

/** A bot that was sent as it is prepared. Throws UserError for words that do not fit its files. */
export function entryOf(context: SiteContext, entry: SiteEntry, definition: GameDefinition): Entry {
  const { id, contest, spec, version, sender: author, name } = entry
  const base = sentFolder(context, id)
  if (isRemote(entry)) {
    const words = { name, version, author, remote: true } as const
    const error = (_: unknown, text: string): UserError => new UserError(text)
    return { spec: words, base, house: false, remote: remoteBot(contest, name), error }
  }
  const made = sentEntry(JSON.parse(spec) as SentWords, base, definition)
  return { ...made, spec: { ...made.spec, version, ...(author !== undefined && { author }) } }
}

/** Whether an entry is of a bot that plays on its author's machine: it has no files. */
export const isRemote = ({ spec }: Pick<SiteEntry, 'spec'>): boolean =>
  (JSON.parse(spec) as { readonly remote?: boolean }).remote === true
