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

/** As if scrimmages were runs of a contest file here. */
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

/**
 * Reads a hosted contest with the bots that were entered: of each the newest version that was accepted. `wanted`: only those of these names.
 * Anyone may ask for one, and to read the files of all would take longer with each entrant.
 */
export async function loadHosted(
  context: SiteContext,
  { id, game, toml }: HostedContest,
  wanted?: readonly string[],
): Promise<LoadedHosted> {
  const playing = [...(await takenIn(context, id)).values()]
  const definition = context.games.find((one) => one.game.id === game)
  // Without its game the contest's text is refused below.
  const read = playing.filter(({ name }) => definition !== undefined && wanted?.includes(name) !== false)
  const entries = read.map((entry) => entryOf(context, entry, definition as GameDefinition))
  return { loaded: await parseHosted(toml, contestFile(context, id), context.games, entries), playing }
}

/** By name the newest version of each bot that was taken. */
export async function takenIn({ site }: SiteContext, id: string): Promise<ReadonlyMap<string, SiteEntry>> {
  return new Map((await site.entries(id)).flatMap((entry) => (isTaken(entry.state) ? [[entry.name, entry]] : [])))
}

/** A bot that was sent as it is prepared. Throws UserError for words that do not fit its files. */
export function entryOf(context: SiteContext, entry: SiteEntry, definition: GameDefinition): Entry {
  const { id, contest, spec, version, sender: author, name } = entry
  const base = sentFolder(context, id)
  if (isRemote(entry)) {
    const said = { name, version, author, remote: true } as const
    const error = (_: unknown, text: string): UserError => new UserError(text)
    return { spec: said, base, house: false, remote: remoteBot(contest, name), error }
  }
  const made = sentEntry(JSON.parse(spec) as SentWords, base, definition)
  return { ...made, spec: { ...made.spec, version, ...(author !== undefined && { author }) } }
}

/** Whether an entry is of a bot that plays on its author's machine: it has no files. */
export const isRemote = ({ spec }: Pick<SiteEntry, 'spec'>): boolean =>
  (JSON.parse(spec) as { readonly remote?: boolean }).remote === true

/** What a contest says to its site, and the house bots that it names. */
interface Terms {
  readonly rules: SiteRules
  readonly house: readonly string[]
}

/** What a contest says to its site. A text never changes, so each is read once for the games of a site. Throws UserError. */
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

/** These settings of a contest as a hash. */
export const termsHash = (contest: Contest): string =>
  createHash('sha256')
    .update(JSON.stringify(TERMS.map((name) => contest[name])))
    .digest('hex')
