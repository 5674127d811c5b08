import { USUAL_MEMORY, UserError } from '../core/index.js'
import { refuseMemory, refuseName as refuseEntrantName } from '../contest/index.js'
import type { LoadedContest } from '../contest/parse.js'
import { type SentWords, sentEntry } from '../contest/sent-entry.js'
import { TreeFault, removeTree } from '../files/index.js'
import { type SentFile, unpack, writeSent } from '../files/unpack.js'
import type { Exclusion } from '../store/index.js'
import { type EntryInfo, holdsName } from './db/data.js'
import type { SiteContext } from './context.js'
import { alike, unreadable } from './names.js'
import { Refusal } from './refusal.js'
import type { Caller } from './tokens.js'

/** A bot that is entered, or tried before it is entered. */
export interface Submission {
  readonly words: SentWords
  /** One or more, or an archive of them. */
  readonly files: readonly SentFile[] | { readonly archive: Uint8Array }
}

/** Bytes of all that one contestant has sent to a contest, and of all that came in. */
const KEPT = 512 * 1024 ** 2
const KEPT_IN_ALL = 16 * 1024 ** 3

/** The contestant's number; 0: the host. Throws a Refusal for a caller that is no contestant of this contest. */
export function contestantIn(contest: string, caller: Caller): number {
  if (caller.role === 'host') return 0
  if (caller.role !== 'contestant' || caller.contest !== contest)
    throw new Refusal('forbidden', 'this token is for another contest')
  return caller.number
}

export const nameTaken = (name: string): Refusal =>
  new Refusal('forbidden', `${JSON.stringify(name)} is another’s bot, or looks like it: choose another name`)

/** Throws a Refusal for a name that is not the contestant's, for one that is disqualified, and where no more may enter. */
export async function refuseEntry(
  { site }: SiteContext,
  id: string,
  loaded: LoadedContest,
  name: string,
  contestant: number,
): Promise<void> {
  refuseAmong(await site.entries(id), await site.exclusions(id), loaded, name, contestant)
}

/** The same among what is there: entries, and who is out. */
export function refuseAmong(
  all: readonly EntryInfo[],
  out: readonly Exclusion[],
  { contest, entries }: LoadedContest,
  name: string,
  contestant: number,
): void {
  refuseName(all, entries, name, contestant)
  if (out.some((one) => one.name === name && one.status === 'disqualified'))
    throw new Refusal('forbidden', `${JSON.stringify(name)} is disqualified`)
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

/** Throws a Refusal for a name that a reader could take for another's. A version that never played keeps no name. */
function refuseName(
  all: readonly EntryInfo[],
  entries: LoadedContest['entries'],
  name: string,
  contestant: number,
): void {
  // First of all: a long name would be compared with every other.
  const unfit = refuseEntrantName(name)
  if (unfit !== undefined) throw new Refusal('invalid', unfit)
  if (entries.some(({ spec }) => alike(spec.name, name))) throw nameTaken(name)
  const like = all.filter((one) => holdsName(one) && alike(one.name, name))
  if (like.some((one) => one.contestant !== contestant)) throw nameTaken(name)
  if (like.some((one) => one.name === name)) return
  const [there] = like
  if (there !== undefined)
    throw new Refusal(
      'invalid',
      `your bot is called ${JSON.stringify(there.name)}: write it so, or choose another name`,
    )
  const why = unreadable(name)
  if (why !== undefined) throw new Refusal('invalid', `the name ${JSON.stringify(name)} ${why}: choose another`)
}

const bytesOf = (entries: readonly EntryInfo[]): number => entries.reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * Writes what was sent to a new folder, and then does `keep` with how many bytes it has; the folder is removed where that throws. Throws a
 * Refusal for what is wrong with the words or the files.
 */
export async function receive<T>(
  folder: string,
  { words, files }: Submission,
  { definition, contest: { memory = USUAL_MEMORY } }: Pick<LoadedContest, 'definition' | 'contest'>,
  keep: (bytes: number) => Promise<T>,
): Promise<T> {
  try {
    const sent = 'archive' in files ? await unpack(files.archive) : files
    writeSent(folder, sent)
    // What is wrong with its words is reported at once.
    refuseMemory(sentEntry(words, folder, definition), memory)
    return await keep(sent.reduce((sum, { data }) => sum + data.length, 0))
  } catch (error) {
    await removeTree(folder)
    if (error instanceof TreeFault) throw new Refusal('invalid', `${error.path} ${error.why}: ${error.remedy}`)
    throw error instanceof UserError && !(error instanceof Refusal) ? new Refusal('invalid', error.text) : error
  }
}
