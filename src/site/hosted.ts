import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Contest, type GameDefinition, type SiteRules, UserError } from '../core/index.js'
import type { Entry } from '../contest/index.js'
import { type LoadedContest, parseHosted } from '../contest/parse.js'
import { type SentWords, sentEntry } from '../contest/sent-entry.js'
import type { Context } from '../app/context.js'
import type { SiteContext } from './context.js'
import { remoteBot } from './remote/remotes.js'
import { type HostedContest, type SiteEntry, isTaken } from './db/site-store.js'
import { sentFolder } from './play/staged-versions.js'

/* The contests that a site hosts, as their texts and the bots that were entered say; and where a workspace keeps what. */

/** Where the text of a hosted contest is taken to lie: its runs are known by it. */
export const contestFile = ({ workspace }: Pick<Context, 'workspace'>, id: string): string =>
  join(workspace, 'contests', `${id}.toml`)

/** As if scrimmages that workers play were those of a contest file here. */
export const scrimmageFile = (context: Pick<Context, 'workspace'>): string => contestFile(context, 'scrimmage')

/** A hosted contest as its text has it, with its house bots alone. Throws UserError. */
export const parsedContest = (context: SiteContext, { id, toml }: HostedContest): Promise<LoadedContest> =>
  parseHosted(toml, contestFile(context, id), context.games)

/** A contest as it is to be played now. */
export interface LoadedHosted {
  readonly loaded: LoadedContest
  /** Of each bot that was entered, the version that plays. */
  readonly playing: readonly SiteEntry[]
}

/** Reads a hosted contest with the bots that were entered: of each the newest version that was accepted. */
export async function loadHosted(context: SiteContext, hosted: HostedContest): Promise<LoadedHosted> {
  const playing = [...(await takenIn(context, hosted.id)).values()]
  const definition = context.games.find(({ game }) => game.id === hosted.game)
  // Without its game the contest's text is refused below.
  const entries = definition === undefined ? [] : playing.map((entry) => entryOf(context, entry, definition))
  return { loaded: await parseHosted(hosted.toml, contestFile(context, hosted.id), context.games, entries), playing }
}

/**
 * Reads a hosted contest with its house bots, and of the bots that were entered only those of these names: anyone may ask for one, and
 * to read the files of all would take longer with each entrant. `names`: of all who play in it, house bots first.
 */
export async function loadNamed(
  context: SiteContext,
  hosted: HostedContest,
  wanted: readonly string[],
): Promise<{ readonly loaded: LoadedContest; readonly names: readonly string[] }> {
  const loaded = await parsedContest(context, hosted)
  const taken = await takenIn(context, hosted.id)
  const sent = [...new Set(wanted)].flatMap((name) => taken.get(name) ?? [])
  const entries = [...loaded.entries, ...sent.map((entry) => entryOf(context, entry, loaded.definition))]
  return { loaded: { ...loaded, entries }, names: [...loaded.entries.map(({ spec }) => spec.name), ...taken.keys()] }
}

/** By name the newest version of each bot that was taken. */
export async function takenIn({ site }: SiteContext, id: string): Promise<ReadonlyMap<string, SiteEntry>> {
  return new Map((await site.entries(id)).flatMap((entry) => (isTaken(entry.state) ? [[entry.name, entry]] : [])))
}

/** A bot that was sent as it is prepared. Throws UserError for words that do not fit its files. */
export function entryOf(context: SiteContext, entry: SiteEntry, definition: GameDefinition): Entry {
  const { id, spec, version, sender, name } = entry
  if (isRemote(entry)) {
    const error = (_: unknown, text: string): UserError => new UserError(text)
    const remote = remoteBot(entry.contest, name)
    const said = { name, version, author: sender, remote: true } as const
    return { spec: said, base: sentFolder(context, id), house: false, remote, error }
  }
  const made = sentEntry(JSON.parse(spec) as SentWords, sentFolder(context, id), definition)
  return { ...made, spec: { ...made.spec, version, ...(sender !== undefined && { author: sender }) } }
}

/** Whether an entry is of a bot that plays on its author's machine: it has no files. */
export const isRemote = ({ spec }: Pick<SiteEntry, 'spec'>): boolean =>
  (JSON.parse(spec) as { readonly remote?: boolean }).remote === true

/** What a contest says to its site, and the house bots that it names. */
interface Terms {
  readonly rules: SiteRules
  readonly house: readonly string[]
}

/** What a contest says to its site. A text never changes, so each is read once for the games of a site. */
export async function termsIn(context: SiteContext, contest: HostedContest): Promise<Terms> {
  const read = reads.get(context.games) ?? new Map<string, Terms>()
  reads.set(context.games, read)
  const known = read.get(contest.toml)
  if (known !== undefined) return known
  const { contest: said, entries } = await parsedContest(context, contest)
  const terms = { rules: said.site ?? {}, house: entries.map(({ spec }) => spec.name) }
  if (read.size > MOST) read.clear()
  read.set(contest.toml, terms)
  return terms
}
const reads = new WeakMap<SiteContext['games'], Map<string, Terms>>()
/** Contests whose terms are kept in memory. */
const MOST = 1000

/** The same of a contest whose game the site may have no longer: it is shown, and not played. */
export async function shownTerms(context: SiteContext, contest: HostedContest): Promise<Terms> {
  try {
    return await termsIn(context, contest)
  } catch (error) {
    if (error instanceof UserError) return { rules: { sittings: false }, house: [] }
    throw error
  }
}

/** The settings by which matches are played, scheduled and counted. */
export const TERMS = [
  'options',
  'format',
  'scoring',
  'limits',
  'memory',
  'strictMemory',
  'mixedBuilds',
  'steps',
  'seed',
] as const satisfies readonly (keyof Contest)[]

/** The same of a contest as a hash. */
export const termsHash = (contest: Contest): string =>
  createHash('sha256')
    .update(JSON.stringify(TERMS.map((name) => contest[name])))
    .digest('hex')
