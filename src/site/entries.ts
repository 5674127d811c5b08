import { parseHosted } from '../contest/parse.js'
import type { SentWords } from '../contest/sent-entry.js'
import type { EntryState } from '../core/site-facts.js'
import { type EntryInfo, type HostedContest, type SiteEntry, holdsName, isTaken } from './db/data.js'
import { freshId } from './contestants.js'
import { hostedContest } from './contests.js'
import type { FoundContest } from './found-contest.js'
import { contestFile, sentFolder } from './site-files.js'
import type { SiteContext } from './context.js'
import { type Submission, nameTaken, contestantIn, receive, refuseAmong, refuseEntry } from './receiving.js'
import { Refusal } from './refusal.js'
import { rulesOf } from './rules.js'
import type { Caller } from './tokens.js'
import type { EntryBuilder } from './play/entry-builder.js'

/**
 * Takes a bot into a contest: its files are written, and it is built and checked in a sandbox after this. Throws a Refusal for what
 * is wrong with its words or its files, and for a name that is another's.
 */
export async function enterBot(
  context: SiteContext,
  builder: EntryBuilder,
  contest: string,
  sent: Submission,
  caller: Caller,
): Promise<{ readonly id: string; readonly version: number }> {
  const hosted = await hostedContest(context, contest)
  const contestant = contestantIn(contest, caller)
  const loaded = await parseHosted(hosted.toml, contestFile(context, contest), context.games)
  const { name } = sent.words
  await refuseEntry(context, contest, loaded, name, contestant)
  const id = freshId()
  return builder.within(contest, contestant, () =>
    receive(sentFolder(context, id), sent, loaded, async (bytes) => {
      const spec = JSON.stringify(sent.words)
      const created = new Date().toISOString()
      const entry = { id, contest, contestant, name, state: 'building', log: '', spec, bytes, created } as const
      const added = await context.site.addEntry(entry, (all, out) => refuseAmong(all, out, loaded, name, contestant))
      if (added === undefined) throw nameTaken(name)
      await builder.build(added)
      return { id, version: added.version }
    }),
  )
}

/** How far a version of a bot is: all that anyone learns of one that is not taken. */
export interface EntryProgress {
  readonly id: string
  readonly contest: string
  readonly state: EntryState
  /** ISO 8601. */
  readonly created: string
}

/** One version of a bot, as the site tells of it. */
export interface EntryFacts extends EntryProgress {
  readonly name: string
  readonly version: number
  /** Who entered it; absent: the host. */
  readonly contestant?: string
  readonly language?: string
  readonly synopsis?: string
  /** The log of its build and check, for its owner and the host. */
  readonly log?: string
}

/** An entry, as the caller may see it. Throws a Refusal where there is none. */
export async function entryById(context: SiteContext, id: string, caller: Caller): Promise<EntryFacts | EntryProgress> {
  const { entry, hosted } = await foundEntry(context, id)
  if (!isTold(entry, caller)) return { id, contest: entry.contest, state: entry.state, created: entry.created }
  const [facts] = await factsOfEntries(context, entry.contest, [entry])
  if (facts === undefined) throw new Error(`entry ${id} has no facts`)
  return (await maySee(context, hosted, entry, caller)) ? { ...facts, log: entry.log } : facts
}

/** The versions of all bots that were taken in a contest, and all of the caller's own, the newest first. */
export async function entriesOf(context: SiteContext, id: string, caller: Caller): Promise<readonly EntryInfo[]> {
  await hostedContest(context, id)
  const all = await context.site.entries(id)
  return all.filter((entry) => isTold(entry, caller)).reverse()
}

/** What the site tells of entries of a contest, such as those of a page: to tell it of all would take as long as there are entries. */
export async function factsOfEntries(
  { site }: Pick<SiteContext, 'site'>,
  contest: string,
  entries: readonly EntryInfo[],
): Promise<readonly EntryFacts[]> {
  const wanted = new Set(entries.map(({ contestant }) => contestant))
  const names = new Map<number, string>()
  for (const { number, name } of await site.contestants(contest)) if (wanted.has(number)) names.set(number, name)
  return entries.map((entry) => factsOf(names.get(entry.contestant), entry))
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

/** Whether the caller owns a bot that was sent, or hosts the contest. */
export const owns = ({ contest, contestant }: Pick<SiteEntry, 'contest' | 'contestant'>, caller: Caller): boolean =>
  caller.role === 'host' || (caller.role === 'contestant' && caller.contest === contest && caller.number === contestant)

/** Whether the caller learns a version's name: only its owner and the host learn that of one not (yet) accepted, even when a contest is over. */
const isTold = (entry: EntryInfo, caller: Caller): boolean => isTaken(entry.state) || owns(entry, caller)

/** Whether the caller may read an entry's source, log and standard error: its owner may, and all where the contest is over and says so. */
export async function maySee(
  context: SiteContext,
  hosted: HostedContest,
  entry: EntryInfo,
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
  const entry = (await context.site.entries(hosted.id)).find((one) => one.name === name && holdsName(one))
  return (entry !== undefined && owns(entry, caller)) || isPublished(context, hosted)
}

function factsOf(who: string | undefined, entry: EntryInfo): EntryFacts {
  const { id, contest, name, version, state, created, spec } = entry
  const { language, synopsis } = JSON.parse(spec) as SentWords
  return {
    id,
    contest,
    name,
    version,
    state,
    contestant: who,
    language,
    synopsis,
    created,
  }
}
