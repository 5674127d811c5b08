import type { GameDefinition } from '../core/index.js'
import type { Entry } from '../contest/index.js'
import { type SentWords, sentEntry } from '../contest/sent-entry.js'
import { type LoadedContest, parseHosted } from '../contest/parse.js'
import { type EntryInfo, type HostedContest, isTaken } from './db/data.js'
import { contestFile, sentFolder } from './site-files.js'
import type { SiteContext } from './context.js'

/** A contest as it is to be played now. */
export interface LoadedHosted {
  readonly loaded: LoadedContest
  /** Of each bot that was entered, the version that plays. */
  readonly playing: readonly EntryInfo[]
}

/** Reads a hosted contest with the bots that were entered: of each the newest version that was accepted. */
export async function loadHosted(context: SiteContext, { id, toml }: HostedContest): Promise<LoadedHosted> {
  const file = contestFile(context, id)
  const { definition } = await parseHosted(toml, file, context.games)
  const playing = [...(await takenIn(context, id)).values()]
  const entries = await entriesFor(context, id, playing, definition)
  return { loaded: await parseHosted(toml, file, context.games, entries), playing }
}

/** A contest as a single match needs it: with its house bots, and with those alone who are named. */
export interface NamedHosted {
  readonly loaded: LoadedContest
  /** Of all who play in it, house bots first. */
  readonly names: readonly string[]
}

/**
 * Reads a hosted contest with its house bots, and of the bots that were entered only the named ones: anyone may ask for one, and to read the
 * files of all would take longer with each entrant.
 */
export async function loadNamed(
  context: SiteContext,
  { id, toml }: HostedContest,
  named: readonly string[],
): Promise<NamedHosted> {
  const loaded = await parseHosted(toml, contestFile(context, id), context.games)
  const taken = await takenIn(context, id)
  const wanted = [...new Set(named)].flatMap((name) => taken.get(name) ?? [])
  const entries = [...loaded.entries, ...(await entriesFor(context, id, wanted, loaded.definition))]
  return {
    loaded: { ...loaded, entries },
    names: [...loaded.entries.map(({ spec }) => spec.name), ...taken.keys()],
  }
}

/** By name the newest version of each bot that was taken. */
export async function takenIn({ site }: SiteContext, id: string): Promise<ReadonlyMap<string, EntryInfo>> {
  const newest = new Map<string, EntryInfo>()
  for (const entry of await site.entries(id)) if (isTaken(entry.state)) newest.set(entry.name, entry)
  return newest
}

async function entriesFor(
  context: SiteContext,
  id: string,
  infos: readonly EntryInfo[],
  definition: GameDefinition,
): Promise<readonly Entry[]> {
  const authors = new Map((await context.site.contestants(id)).map(({ number, name }) => [number, name]))
  return infos.map((entry) => entryOf(sentBotOf(context, entry), definition, authors.get(entry.contestant)))
}

/** A bot whose files were sent: a version that was entered, or one that is tried before. */
export interface SentBot extends Pick<EntryInfo, 'contest' | 'contestant' | 'name' | 'spec'> {
  /** Absent: it was not entered. */
  readonly version?: number
  /** Where its files lie. */
  readonly folder: string
}

/** An entry with its files. */
export const sentBotOf = (context: SiteContext, entry: EntryInfo): SentBot => ({
  ...entry,
  folder: sentFolder(context, entry.id),
})

/** A bot that was sent as it is prepared. Throws UserError for words that do not fit its files. */
export function entryOf({ spec, version, folder }: SentBot, definition: GameDefinition, author?: string): Entry {
  const made = sentEntry(JSON.parse(spec) as SentWords, folder, definition)
  const more = { ...(version !== undefined && { version }), ...(author !== undefined && { author }) }
  return { ...made, spec: { ...made.spec, ...more } }
}
