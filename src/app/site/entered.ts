import type { GameDefinition } from '../../core/index.js'
import type { Entry } from '../../contest/index.js'
import { type SentWords, sentEntry } from '../../contest/sent-entry.js'
import { type LoadedContest, parseHosted } from '../../contest/parse.js'
import { type EntryInfo, type HostedContest, isTaken } from '../../store/index.js'
import { contestFile, sentFolder } from './site-files.js'
import type { SiteContext } from './context.js'

/** A contest as it is to be played now. */
export interface LoadedHosted {
  readonly loaded: LoadedContest
  /** Of each bot that was entered, the version that plays. */
  readonly playing: readonly EntryInfo[]
}

/** Reads a hosted contest with those who were entered: of each the newest version that was taken. */
export async function loadHosted(context: SiteContext, { id, toml }: HostedContest): Promise<LoadedHosted> {
  const file = contestFile(context, id)
  const { definition } = await parseHosted(toml, file, context.games)
  const newest = new Map<string, EntryInfo>()
  for (const entry of await context.site.entries(id)) if (isTaken(entry.state)) newest.set(entry.name, entry)
  const playing = [...newest.values()]
  const authors = new Map((await context.site.contestants(id)).map(({ number, name }) => [number, name]))
  const entries = playing.map((entry) => entryOf(sentBotOf(context, entry), definition, authors.get(entry.contestant)))
  return { loaded: await parseHosted(toml, file, context.games, entries), playing }
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
