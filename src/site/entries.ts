import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import { z } from '@hono/zod-openapi'
import { USUAL_MEMORY, UserError } from '../core/index.js'
import { alike, joinCommand, refuseMemory, refuseName as refuseEntrantName, unreadable } from '../contest/index.js'
import type { LoadedContest } from '../contest/parse.js'
import { SentMistake, type SentWords, sentEntry, sentName } from '../contest/sent-entry.js'
import { TreeFault, kindOf, readPlain, removeTree } from '../files/index.js'
import { type SentFile, roomOf, unpack, writeSent } from '../files/unpack.js'
import { sourceOf, termsOf } from '../app/match-host.js'
import type { SiteContext } from './context.js'
import { hostedContest, isRemote, openContest, parsedContest, rulesOf } from './contests.js'
import { Refusal, conflict, forbidden, invalid, notFound, tooLarge, tooMany, unauthorized } from './http/answers.js'
import type { Caller } from './http/callers.js'
import {
  freshId,
  ENTRY_STATES,
  type HostedContest,
  type SiteEntry,
  type SiteStore,
  holdsName,
  isTaken,
} from './store.js'
import { type Infer, get, list, paged, pages, post, said, time, object, arrayOf } from './http/route.js'
import { FORM, type Form, UPLOAD, type Uploads } from './http/uploads.js'
import type { EntryBuilder } from './play/entry-builder.js'
import { filesIn, sentFolder } from './play/staged-versions.js'

const entrySchema = object('Entry', {
  id: z.string(),
  contest: z.string(),
  name: z.string(),
  version: said(z.int(), 'counted from 1 for each name'),
  state: said(z.enum(ENTRY_STATES), 'rejected: the log says why; placed: all its matches have been played'),
  contestant: said(z.string().optional(), 'who entered it; absent: the host'),
  language: z.string().optional(),
  synopsis: z.string().optional(),
  country: z.string().optional(),
  created: time,
  before: said(z.int().optional(), 'bots that are built before it, while it waits for its turn'),
  log: said(z.string().optional(), 'of its build and check; for its owner and the host'),
})
export type Entry = Infer<typeof entrySchema>

/** How far a version is that is not accepted, for a caller that has its id and is neither its owner nor the host. */
const progressSchema = entrySchema
  .pick({ id: true, contest: true, state: true, created: true, before: true })
  .openapi('EntryProgress')
export type EntryProgress = Infer<typeof progressSchema>

const field = (description: string) => z.string().max(FORM.text).optional().openapi({ description })

export const formSchema = z.object({
  name: said(z.string(), 'of the bot, in the table'),
  command: field(
    'what starts it, such as python3 bot.py; its files lie where it is started. Without a command, a module and a class, the file starts that can, as `agon check` starts it',
  ),
  module: field('instead of a command: its JavaScript or TypeScript file'),
  class: field('instead of a command: the header of its class, where the game has a wire for classes'),
  language: field('for display'),
  wire: field('the protocol that it speaks, where the game’s own does not serve'),
  synopsis: field('what it does, in a sentence'),
  country: field('where its author is from: two capital letters of ISO 3166'),
  build: said(z.array(z.string()).optional(), 'a command each: what makes the program'),
  files: said(z.array(z.string()).optional(), 'one or more files; a name may have slashes'),
  archive: said(z.string().optional(), 'instead of files: a zip or a tar.gz of them'),
})

const previewSchema = object('EntryPreview', {
  files: arrayOf({
    path: z.string(),
    bytes: said(z.int().optional(), 'absent: it is not even unpacked'),
    out: said(
      z.literal(true).optional(),
      'the bot runs without it: texts for people, and what systems put beside files',
    ),
  }),
  words: said(
    formSchema.omit({ files: true, archive: true }).partial(),
    'what the form comes to with bot.toml and what the files show',
  ),
  problem: z.strictObject({ detail: z.string(), field: z.string() }).optional(),
})
export type EntryPreview = Infer<typeof previewSchema>

const sourceSchema = object('SourceFile', { path: z.string(), bytes: z.int(), text: z.string().nullable() })

/** Bytes of all that one contestant has sent to a contest, and of all that came in. */
const KEPT = 512 * 1024 ** 2
const KEPT_IN_ALL = 16 * 1024 ** 3
/** Bots of one contestant that may wait to be built, or are being built. */
const WAITING = 3

/** Takes a bot into a contest: its files are written, and it is built and checked in a sandbox after this. Throws a Refusal. */
export async function enterBot(
  context: SiteContext,
  builder: Pick<EntryBuilder, 'build'>,
  { contest: id, caller, from }: { readonly contest: string; readonly caller: Caller; readonly from?: string },
  form: Form,
): Promise<{ readonly id: string; readonly version: number }> {
  const contestant = contestantIn(id, caller)
  const loaded = await parsedContest(context, await openContest(context, id))
  const { name, ...words } = wordsOf(form)
  if (name === undefined) throw invalid('the bot has no name: fill in name', AT_NAME)
  const refuse = (): void => refuseEntry(context.site, { contest: id, name, contestant }, loaded)
  refuse()
  const entry = freshId()
  const folder = sentFolder(context, entry)
  try {
    const sent = await refused(async () => {
      const files = await filesOf(form)
      await writeSent(folder, files)
      // What is wrong with its words is reported at once.
      const made = sentEntry({ name, ...words }, folder, loaded.definition)
      refuseMemory(made, loaded.contest.memory ?? USUAL_MEMORY)
      return files
    })
    // Another may have come meanwhile.
    refuse()
    const spec = JSON.stringify({ name, ...words })
    const about = { id: entry, contest: id, contestant, name, spec, bytes: roomOf(sent) }
    const added = context.site.addEntry({ ...about, state: 'building' })
    builder.build(added, from)
    return { id: entry, version: added.version }
  } catch (error) {
    await removeTree(folder)
    throw error
  }
}

/** What a site sees in a bot's files, of which nothing is kept. Throws a Refusal for a form or an archive that cannot be read. */
async function previewOf(context: SiteContext, contest: string, form: Form): Promise<EntryPreview> {
  const { definition, contest: terms } = await parsedContest(context, await hostedContest(context, contest))
  const folder = sentFolder(context, freshId())
  const litter: string[] = []
  const given = wordsOf(form)
  let { name } = given
  const seen = async (): Promise<EntryPreview> => {
    await writeSent(folder, await filesOf(form, (path) => litter.push(path)))
    const files = [...filesIn(folder), ...litter.map((path) => ({ path, bytes: undefined, out: true as const }))]
    try {
      name ??= sentName(folder)
      const entry = sentEntry({ ...given, name: name ?? 'bot' }, folder, definition)
      const { command, build, module, class: header, language, wire, synopsis, country } = entry.spec
      const words = { name, module, class: header, language, wire, synopsis, country }
      const { files: kept } = await sourceOf(entry, definition, termsOf(terms))
      return {
        files: files.map((file) => (kept.has(file.path) ? file : { ...file, out: true as const })),
        words: { ...words, command: command && joinCommand(command), build: build?.map(joinCommand) },
      }
    } catch (error) {
      if (!(error instanceof SentMistake)) throw error
      return { files, words: { name }, problem: { detail: error.message, field: error.field } }
    }
  }
  try {
    return await refused(seen)
  } finally {
    await removeTree(folder)
  }
}

/** What work on what was sent gives. What is wrong with that is a Refusal, with the field of the form that it is in. */
async function refused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TreeFault) throw invalid(`${error.path} ${error.why}: ${error.remedy}`, { field: 'files' })
    if (error instanceof SentMistake) throw invalid(error.text, { field: error.field })
    throw error instanceof UserError && !(error instanceof Refusal) ? invalid(error.text) : error
  }
}

/** The contestant's number; 0: the host. Throws a Refusal for a caller that is no contestant of this contest. */
export function contestantIn(contest: string, caller: Caller): number {
  if (caller.role === 'host') return 0
  if (caller.role !== 'contestant' || caller.contest !== contest) throw forbidden('this token is for another contest')
  return caller.number
}

type EntriesAndOut = Pick<SiteStore, 'entries' | 'exclusions'>
type NamedBot = Pick<SiteEntry, 'contest' | 'name' | 'contestant'> & { readonly remote?: boolean }

/** Throws a Refusal for a name that is not the contestant's, for one that is disqualified, and where no more may enter. */
export function refuseEntry(site: EntriesAndOut, entry: NamedBot, { contest, entries }: LoadedContest): void {
  const { name, contestant, remote = false } = entry
  const all = site.entries(entry.contest)
  const hosts = entries.map(({ spec }) => spec.name)
  refuseName(entry, hosts, all)
  if (all.some((one) => one.name === name && isTaken(one.state) && isRemote(one) !== remote))
    throw conflict(
      `${JSON.stringify(name)} ${remote ? 'was sent as files' : 'plays from your own machine'}: choose another name`,
    )
  if (site.exclusions(entry.contest).some((one) => one.name === name && one.status === 'disqualified'))
    throw forbidden(`${JSON.stringify(name)} is disqualified`, AT_NAME)
  const own = all.filter((one) => one.contestant === contestant)
  if (!remote && own.filter(({ state }) => state === 'building').length >= WAITING)
    throw tooMany(`${WAITING} bots of yours wait to be built: let them end first`, { wait: 30 })
  const names = new Set(own.flatMap((one) => (one.state === 'rejected' ? [] : [one.name])))
  const most = contest.entriesPerAuthor
  if (contestant !== 0 && most !== undefined && !names.has(name) && names.size >= most)
    throw forbidden(`a contestant enters ${most} at most in this contest, and has ${[...names].join(', ')}`)
  const bytesOf = (sent: readonly SiteEntry[]): number =>
    sent.reduce((sum, { state, bytes }) => sum + (state === 'rejected' ? 0 : bytes), 0)
  if (contestant !== 0 && bytesOf(all) > KEPT_IN_ALL)
    throw tooLarge(`what was entered here has more than ${KEPT_IN_ALL} bytes: ask the host`)
  if (bytesOf(own) > KEPT) throw tooLarge(`all versions of yours together have more than ${KEPT} bytes: ask the host`)
}

/** Throws a Refusal for a name that a reader could take for another's, which is one of the host's or in `all`. A version that never played keeps no name. */
function refuseName({ name, contestant }: NamedBot, hosts: readonly string[], all: readonly SiteEntry[]): void {
  // First of all: a long name would be compared with every other.
  const unfit = refuseEntrantName(name)
  if (unfit !== undefined) throw invalid(unfit, AT_NAME)
  const like = all.filter((one) => holdsName(one) && alike(one.name, name))
  if (hosts.some((host) => alike(host, name)) || like.some((one) => one.contestant !== contestant))
    throw forbidden(`${JSON.stringify(name)} is another’s bot, or looks like it: choose another name`, AT_NAME)
  if (like.some((one) => one.name === name)) return
  const [there] = like
  if (there !== undefined)
    throw invalid(`your bot is called ${JSON.stringify(there.name)}: write it so, or choose another name`, AT_NAME)
  const why = unreadable(name)
  if (why !== undefined) throw invalid(`the name ${JSON.stringify(name)} ${why}: choose another`, AT_NAME)
}
const AT_NAME = { field: 'name' }

function wordsOf({ texts }: Form): Partial<SentWords> {
  const { build: _build, files: _files, archive: _archive, ...plain } = formSchema.shape
  const words: Record<string, string> = {}
  for (const [name, all] of texts) {
    const [text = ''] = all
    if (!Object.hasOwn(plain, name) && name !== 'build')
      throw invalid(`${JSON.stringify(name)} is none of ${Object.keys(formSchema.shape).join(', ')}`)
    if (Object.hasOwn(plain, name) && all.length > 1) throw invalid(`${name} is there twice`)
    if (Object.hasOwn(plain, name) && text !== '') words[name] = text
  }
  if (words['country'] !== undefined && !/^[A-Z]{2}$/.test(words['country']))
    throw invalid('country has two capital letters of ISO 3166, such as CH', { field: 'country' })
  const commands = (texts.get('build') ?? []).filter((line) => line !== '')
  return { ...words, build: commands.length > 0 ? commands : undefined }
}

/** The files that a form brought, out of their archive. `onLitter` as for `unpack`. Throws a Refusal for another form, and a TreeFault for no archive. */
async function filesOf({ files: all }: Form, onLitter?: (name: string) => void): Promise<readonly SentFile[]> {
  const stray = all.find((one) => one.field !== 'files' && one.field !== 'archive')
  if (stray !== undefined) throw invalid(`${JSON.stringify(stray.field)} is neither files nor archive`)
  const sent = all.filter((one) => one.field === 'files')
  const [archive, second] = all.filter((one) => one.field === 'archive')
  if (second !== undefined || (archive === undefined) === (sent.length === 0))
    throw invalid('send files, or one archive', { field: 'files' })
  return archive === undefined ? sent.map(({ name, data }) => ({ path: name, data })) : unpack(archive.data, onLitter)
}

export async function entryById(context: SiteContext, id: string, caller: Caller): Promise<Entry | EntryProgress> {
  const found = await foundEntry(context, id)
  const { contest, state, created } = found.entry
  if (!isTold(found.entry, caller)) return { id, contest, state, created }
  const log = (await maySee(context, found, caller)) ? context.site.log(id) : undefined
  return { ...factsOf(found.entry), log }
}

/** The versions of all bots that were taken in a contest, and all of the caller's own, the newest first. */
export async function entriesOf(context: SiteContext, id: string, caller: Caller): Promise<readonly SiteEntry[]> {
  await hostedContest(context, id)
  return context.site
    .entries(id)
    .filter((entry) => isTold(entry, caller))
    .reverse()
}

function factsOf({ id, contest, name, version, state, sender: contestant, created, spec }: SiteEntry): Entry {
  const { language, synopsis, country } = JSON.parse(spec) as SentWords
  return { id, contest, name, version, state, contestant, language, synopsis, country, created }
}

type FoundEntry = Awaited<ReturnType<typeof foundEntry>>
async function foundEntry(context: SiteContext, id: string) {
  const entry = context.site.entry(id)
  if (entry === undefined) throw notFound('there is no such entry')
  return { entry, hosted: await hostedContest(context, entry.contest) }
}

/** Whether the caller owns what belongs to a contestant of a contest, or hosts the contest. */
export const owns = ({ contest, contestant }: Pick<SiteEntry, 'contest' | 'contestant'>, caller: Caller): boolean =>
  caller.role === 'host' || (caller.role === 'contestant' && caller.contest === contest && caller.number === contestant)

/** Whether the caller learns a version's name: only its owner and the host learn that of one not (yet) accepted, even when a contest is over. */
const isTold = (entry: SiteEntry, caller: Caller): boolean => isTaken(entry.state) || owns(entry, caller)

/** Whether the caller may read an entry's source, log and standard error: its owner may, and all where the contest is over and says so. */
export const maySee = async (context: SiteContext, { entry, hosted }: FoundEntry, caller: Caller): Promise<boolean> =>
  owns(entry, caller) || isPublished(context, hosted)

const isPublished = async (context: SiteContext, hosted: HostedContest): Promise<boolean> =>
  hosted.final === true && (await rulesOf(context, hosted)).publish === true

/** Whether the caller may read what an entrant of that name was sent, said and wrote, whichever version. A house bot is the host's, and so is a run of the command line. */
export async function maySeeEntrant(
  context: SiteContext,
  hosted: HostedContest | undefined,
  name: string,
  caller: Caller,
): Promise<boolean> {
  if (caller.role === 'host' || hosted === undefined) return caller.role === 'host'
  const entry = context.site.entries(hosted.id, name).find(holdsName)
  return (entry !== undefined && owns(entry, caller)) || isPublished(context, hosted)
}

/** Bytes of a file that is shown, and of all of them together. */
const SHOWN = 256 * 1024
const SHOWN_ALL = 4 * 1024 ** 2

/** The files of an entry as they were sent. Throws a Refusal where there is none, where its files are not kept, and for a caller who may not see them. */
async function sourcesOf(context: SiteContext, id: string, caller: Caller) {
  if (!(await maySee(context, await foundEntry(context, id), caller)))
    throw (caller.role === 'anonymous' ? unauthorized : forbidden)(
      'its source is for its owner and the host to read, until the contest has ended for good and publishes it',
    )
  const folder = sentFolder(context, id)
  if (kindOf(folder) !== 'folder')
    throw notFound('a rejected entry’s files are not kept, and a bot on its author’s machine has none here')
  let shown = 0
  return filesIn(folder).map(({ path, bytes }) => {
    const isShort = bytes <= SHOWN && shown + bytes <= SHOWN_ALL
    const data = isShort ? readPlain(join(folder, path), SHOWN) : undefined
    if (data === undefined || data.includes(0) || !isUtf8(data)) return { path, bytes, text: null }
    shown += bytes
    return { path, bytes, text: data.toString() }
  })
}

export const entryRoutes = (site: SiteContext, builder: EntryBuilder, uploads: Uploads) => [
  post('/contests/{id}/entries', {
    summary: 'Enter a bot, or a new version of it',
    access: 'contestant',
    description: `The files, or one archive of them (zip or tar.gz), with what starts the bot. It is built and checked in a sandbox after this; GET /entries/{id} shows how that goes. An upload has ${UPLOAD} bytes at most.`,
    form: formSchema,
    status: 202,
    answer: z.strictObject({ id: z.string(), version: z.int() }),
  }).handler(({ c, id: contest, caller, from }) =>
    uploads.receive(c, (form) => enterBot(site, builder, { contest, caller, from }, form)),
  ),
  post('/contests/{id}/entries/preview', {
    summary: 'What the site sees in a bot’s files, before it is entered',
    access: 'contestant',
    description:
      'The same form as for an entry, of which the name may be left out. Nothing is kept, built or started: it answers with the files, and with what the form, `bot.toml` and the files say of the bot.',
    form: formSchema.partial({ name: true }),
    answer: previewSchema,
  }).handler(({ c, id, caller }) => {
    contestantIn(id, caller)
    return uploads.receive(c, (form) => previewOf(site, id, form))
  }),
  get('/contests/{id}/entries', {
    summary: 'The versions of the bots that were entered, the newest first',
    description:
      'Those that were taken. One that is being built, or was rejected, is listed for its owner and the host alone.',
    query: pages,
    answer: list(entrySchema, 'Entries'),
    own: 'token',
  }).handler(async ({ id, query, caller }) => {
    const { items, next } = paged(await entriesOf(site, id, caller), query)
    return { items: items.map(factsOf), next }
  }),
  get('/entries/{id}', {
    summary: 'How far an entry is',
    description:
      'For anyone who has its id: of a version that is being built, or was rejected, no more than that. Its owner and the host learn its name and read its log, too; all others its name once it is accepted.',
    answer: z.union([entrySchema, progressSchema]),
    own: 'token',
  }).handler(async ({ id, caller }) => {
    const entry = await entryById(site, id, caller)
    return { ...entry, before: entry.state === 'building' ? builder.before(id) : undefined }
  }),
  get('/entries/{id}/sources', {
    summary: 'The files of an entry as they were sent',
    description:
      'For its owner and the host; for all once a contest that says `publish = true` has ended for good. A file that is no text, or is long, has null in the place of its text.',
    query: pages,
    answer: list(sourceSchema, 'SourceFiles'),
    own: 'token',
  }).handler(async ({ id, query, caller }) => paged(await sourcesOf(site, id, caller), query)),
]
