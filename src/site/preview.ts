import { z } from '@hono/zod-openapi'
import { joinCommand } from '../contest/index.js'
import { SentMistake, sentEntry, sentName } from '../contest/sent-entry.js'
import { removeTree } from '../files/index.js'
import { writeSent } from '../files/unpack.js'
import { sourceOf } from '../app/staged.js'
import { termsOf } from '../app/terms.js'
import type { SiteContext } from './context.js'
import { hostedContest } from './contests.js'
import { contestantIn, filesOf, formSchema, refusalOf, saidIn } from './entries.js'
import { parsedContest } from './hosted.js'
import { type Form, UPLOAD, readForm } from './http/form.js'
import { type ApiRoute, type Infer, contestId, post, said } from './http/route.js'
import { type Uploads, senderOf } from './http/uploads.js'
import { filesIn, sentFolder } from './play/staged-versions.js'
import { freshId } from './tokens.js'

const previewSchema = z
  .strictObject({
    files: z.array(
      z.strictObject({
        path: z.string(),
        bytes: said(z.int().optional(), 'absent: it is not even unpacked'),
        out: said(
          z.literal(true).optional(),
          'the bot runs without it: texts for people, and what systems put beside files',
        ),
      }),
    ),
    words: said(
      formSchema.omit({ files: true, archive: true }).partial(),
      'what the form comes to with bot.toml and what the files show',
    ),
    problem: z.strictObject({ detail: z.string(), field: z.string() }).optional(),
  })
  .openapi('EntryPreview')
export type EntryPreview = Infer<typeof previewSchema>

/** What a site sees in a bot's files, of which nothing is kept. Throws a Refusal for a form or an archive that cannot be read. */
async function previewOf(context: SiteContext, contest: string, form: Form): Promise<EntryPreview> {
  const hosted = await hostedContest(context, contest)
  const { definition, contest: terms } = await parsedContest(context, hosted)
  const folder = sentFolder(context, freshId())
  const litter: string[] = []
  try {
    await writeSent(folder, await filesOf(form, (name) => litter.push(name)))
    const files = [...filesIn(folder), ...litter.map((path) => ({ path, bytes: undefined, out: true as const }))]
    const given = saidIn(form)
    const name = given.name ?? nameIn(folder)
    try {
      const entry = sentEntry({ ...given, name: name ?? 'bot' }, folder, definition)
      const { command, build, module, class: header, language, wire, synopsis, country } = entry.spec
      const { files: kept } = await sourceOf(entry, definition, termsOf(terms))
      return {
        files: files.map((file) => (kept.has(file.path) ? file : { ...file, out: true as const })),
        words: {
          name,
          command: command && joinCommand(command),
          build: build?.map(joinCommand),
          module,
          class: header,
          language,
          wire,
          synopsis,
          country,
        },
      }
    } catch (error) {
      if (!(error instanceof SentMistake)) throw error
      return { files, words: { name }, problem: { detail: error.message, field: error.field } }
    }
  } catch (error) {
    throw refusalOf(error)
  } finally {
    await removeTree(folder)
  }
}

/** A bot.toml that cannot be read says no name: what is wrong with it is told as the entry's mistake. */
function nameIn(folder: string): string | undefined {
  try {
    return sentName(folder)
  } catch (error) {
    if (error instanceof SentMistake) return undefined
    throw error
  }
}

export const previewRoutes = (site: SiteContext, uploads: Uploads): readonly ApiRoute[] => [
  post(
    '/contests/{id}/entries/preview',
    'What the site sees in a bot’s files, before it is entered',
    {
      access: 'contestant',
      description:
        'The same form as for an entry, of which the name may be left out. Nothing is kept, built or started: it answers with the files, and with what the form, `bot.toml` and the files say of the bot.',
      params: contestId,
      form: formSchema.partial({ name: true }),
      answer: previewSchema,
    },
    ({ c, params: { id }, caller }) => {
      contestantIn(id, caller)
      return uploads.within(senderOf(c, caller), async (place) =>
        previewOf(site, id, await place.receive((slow) => readForm(c, UPLOAD, slow))),
      )
    },
  ),
]
