import { type GameDefinition, UserError } from '../../core/index.js'
import { type SentWords, sentEntry } from '../../contest/sent-entry.js'
import { type LoadedContest, parseHosted } from '../../contest/parse.js'
import { TreeFault, removeTree } from '../../files/index.js'
import { type SentFile, unpack, writeSent } from '../../files/unpack.js'
import type { EntryState } from '../../core/site-facts.js'
import type { Contestant, HostedContest, SiteEntry } from '../../store/index.js'
import { freshId } from './contestants.js'
import { type FoundContest, hostedContest } from './contests.js'
import { contestFile } from './contest-file.js'
import type { SiteContext } from './context.js'
import { Refusal } from './refusal.js'
import { rulesOf } from './rules.js'
import type { Caller } from './tokens.js'
import type { Workshop } from './workshop.js'

/** What somebody enters. */
export interface Sent {
  readonly words: SentWords
  /** One or more, or an archive of them. */
  readonly files: readonly SentFile[] | { readonly archive: Uint8Array }
}

/** Versions of one contestant that may wait to be built. */
const WAITING = 3
/** Bytes of all that one contestant has sent to a contest, and of all that came in. */
const KEPT = 512 * 1024 ** 2
const KEPT_IN_ALL = 16 * 1024 ** 3

/**
 * Takes a bot into a contest: its files are written, and it is built and checked in a sandbox after this. Throws a Refusal for what
 * is wrong with its words or its files, and for a name that is another's.
 */
export async function enterBot(
  context: SiteContext,
  workshop: Workshop,
  contest: string,
  { words, files }: Sent,
  caller: Caller,
): Promise<{ readonly id: string; readonly version: number }> {
  const hosted = await hostedContest(context, contest)
  const contestant = contestantIn(contest, caller)
  const loaded = await parseHosted(hosted.toml, contestFile(context, contest), context.games)
  await refuseEntry(context, contest, loaded, words.name, contestant)
  const taken = await workshop.within(WAITING, contest, contestant, () =>
    takeFiles(context, workshop, contest, contestant, loaded.definition, { words, files }),
  )
  if (taken === undefined)
    throw new Refusal('too-many', `${WAITING} versions of yours wait to be built: let them end first`, { wait: 30 })
  return taken
}

/** Writes the files of an entry, and has it built. */
async function takeFiles(
  context: SiteContext,
  workshop: Workshop,
  contest: string,
  contestant: number,
  definition: GameDefinition,
  { words, files }: Sent,
): Promise<{ readonly id: string; readonly version: number }> {
  const id = freshId()
  const folder = sentFolder(context, id)
  try {
    const sent = 'archive' in files ? await unpack(files.archive) : files
    writeSent(folder, sent)
    // What is wrong with its words is reported at once.
    sentEntry(words, folder, definition)
    const added = await context.site.addEntry({
      id,
      contest,
      contestant,
      name: words.name,
      state: 'building',
      log: '',
      spec: JSON.stringify(words),
      bytes: sent.reduce((sum, { data }) => sum + data.length, 0),
      created: new Date().toISOString(),
    })
    if (added === undefined) throw anothers(words.name)
    await context.site.include(contest, words.name)
    await workshop.build(added)
    return { id, version: added.version }
  } catch (error) {
    await removeTree(folder)
    if (error instanceof TreeFault) throw new Refusal('invalid', `${error.path} ${error.why}: ${error.remedy}`)
    throw error instanceof UserError && !(error instanceof Refusal) ? new Refusal('invalid', error.text) : error
  }
}

/** The contestant's number; 0: the host. */
function contestantIn(contest: string, caller: Caller): number {
  if (caller.role === 'host') return 0
  if (caller.role !== 'contestant' || caller.contest !== contest)
    throw new Refusal('forbidden', 'this token is for another contest')
  return caller.number
}

const anothers = (name: string): Refusal =>
  new Refusal('forbidden', `${JSON.stringify(name)} is another’s bot: choose another name`)

/** Refuses a name that is not the contestant's, one that is disqualified, and more than one may enter. */
async function refuseEntry(
  { site }: SiteContext,
  id: string,
  { contest, entries }: LoadedContest,
  name: string,
  contestant: number,
): Promise<void> {
  const alike = (other: string): boolean => other.toLowerCase() === name.toLowerCase()
  if (entries.some(({ spec }) => alike(spec.name))) throw anothers(name)
  const all = await site.entries(id)
  const there = all.find((one) => alike(one.name))
  if (there !== undefined && there.contestant !== contestant) throw anothers(name)
  if (there !== undefined && there.name !== name)
    throw new Refusal(
      'invalid',
      `your bot is called ${JSON.stringify(there.name)}: write it so, or choose another name`,
    )
  const out = (await site.exclusions(id)).find((one) => one.name === name)
  if (out?.status === 'disqualified') throw new Refusal('forbidden', `${JSON.stringify(name)} is disqualified`)
  const own = all.filter((one) => one.contestant === contestant)
  const names = new Set(own.flatMap((one) => (one.state === 'rejected' ? [] : [one.name])))
  const most = contest.entriesPerAuthor
  if (contestant !== 0 && most !== undefined && !names.has(name) && names.size >= most)
    throw new Refusal(
      'forbidden',
      `a contestant enters ${most} at most in this contest, and has ${[...names].join(', ')}`,
    )
  if (contestant !== 0 && bytesOf(all) > KEPT_IN_ALL)
    throw new Refusal('too-large', `what was entered here has more than ${KEPT_IN_ALL} bytes: ask the host`)
  if (bytesOf(own) > KEPT)
    throw new Refusal('too-large', `all versions of yours together have more than ${KEPT} bytes: ask the host`)
}

const bytesOf = (entries: readonly SiteEntry[]): number => entries.reduce((sum, { bytes }) => sum + bytes, 0)

/** Where the files of an entry lie. */
export const sentFolder = ({ workspace }: SiteContext, id: string): string => `${workspace}/uploads/${id}`

/** One version of a bot, as the site tells of it. */
export interface EntryFacts {
  readonly id: string
  readonly contest: string
  readonly name: string
  readonly version: number
  readonly state: EntryState
  /** Who entered it; absent: the host. */
  readonly contestant?: string
  readonly language?: string
  readonly synopsis?: string
  /** ISO 8601. */
  readonly created: string
  /** What was said while it was built and checked: its owner's, and the host's, to read. */
  readonly log?: string
}

/** An entry, as the caller may see it. Throws a Refusal where there is none. */
export async function entryById(context: SiteContext, id: string, caller: Caller): Promise<EntryFacts> {
  const { entry, hosted } = await foundEntry(context, id)
  return factsOf(await context.site.contestants(entry.contest), entry, await maySee(context, hosted, entry, caller))
}

/** All versions of all bots that were entered in a contest, the newest first. */
export async function entriesOf(context: SiteContext, id: string, caller: Caller): Promise<readonly EntryFacts[]> {
  const hosted = await hostedContest(context, id)
  const facts: EntryFacts[] = []
  const contestants = await context.site.contestants(id)
  for (const entry of await context.site.entries(id)) {
    const own = await maySee(context, hosted, entry, caller)
    // What was not taken is nobody else's business.
    if (own || entry.state !== 'rejected') facts.push(factsOf(contestants, entry, false))
  }
  return facts.reverse()
}

/** An entry with its contest. Throws a Refusal where there is none. */
export async function foundEntry(
  context: SiteContext,
  id: string,
): Promise<{ readonly entry: SiteEntry; readonly hosted: HostedContest }> {
  const entry = await context.site.entry(id)
  if (entry === undefined) throw new Refusal('unknown', 'there is no such entry')
  return { entry, hosted: await hostedContest(context, entry.contest) }
}

/** Whether somebody owns an entry, or hosts the contest. */
export const owns = ({ contest, contestant }: SiteEntry, caller: Caller): boolean =>
  caller.role === 'host' || (caller.role === 'contestant' && caller.contest === contest && caller.number === contestant)

/** Whether somebody may read an entry's source, log and standard error: its owner, and all where the contest is over and says so. */
export async function maySee(
  context: SiteContext,
  hosted: HostedContest,
  entry: SiteEntry,
  caller: Caller,
): Promise<boolean> {
  if (owns(entry, caller)) return true
  return isPublished(context, hosted)
}

const isPublished = async (context: SiteContext, hosted: HostedContest): Promise<boolean> =>
  hosted.state === 'finished' && (await rulesOf(context, hosted)).publish === true

/** The same of what an entrant of that name was sent, said and wrote, whichever version. A house bot is the host's. */
export async function maySeeEntrant(
  context: SiteContext,
  { hosted }: Pick<FoundContest, 'hosted'>,
  name: string,
  caller: Caller,
): Promise<boolean> {
  if (caller.role === 'host') return true
  return hosted !== undefined && maySeeEntrantOf(context, hosted, name, caller)
}

/** The same of an entrant of a contest that the site hosts. */
export async function maySeeEntrantOf(
  context: SiteContext,
  hosted: HostedContest,
  name: string,
  caller: Caller,
): Promise<boolean> {
  const entry = (await context.site.entries(hosted.id)).find((one) => one.name === name)
  return (entry !== undefined && owns(entry, caller)) || isPublished(context, hosted)
}

function factsOf(contestants: readonly Contestant[], entry: SiteEntry, withLog: boolean): EntryFacts {
  const { id, contest, name, version, state, created, log, spec } = entry
  const { language, synopsis } = JSON.parse(spec) as SentWords
  const who = contestants.find(({ number }) => number === entry.contestant)?.name
  return {
    id,
    contest,
    name,
    version,
    state,
    ...(who !== undefined && { contestant: who }),
    ...(language !== undefined && { language }),
    ...(synopsis !== undefined && { synopsis }),
    created,
    ...(withLog && { log }),
  }
}
