import { z } from '@hono/zod-openapi'
import type { Submission } from '../receiving.js'
import { Refusal } from '../refusal.js'
import { FORM, type Form } from '../http/form.js'

const FIELDS = ['name', 'command', 'module', 'class', 'language', 'wire', 'synopsis'] as const
const field = (description: string) => z.string().max(FORM.text).optional().openapi({ description })

/** The form of an entry, as the document describes it. */
export const formSchema = z.object({
  name: z.string().openapi({ description: 'of the bot, in the table' }),
  command: field('what starts it, such as python3 bot.py; its files lie where it is started'),
  module: field('instead of a command: its JavaScript or TypeScript file'),
  class: field('instead of a command: the header of its class, where the game has a wire for classes'),
  language: field('for display'),
  wire: field('the protocol that it speaks, where the game’s own does not serve'),
  synopsis: field('what it does, in a sentence'),
  build: z.array(z.string()).optional().openapi({ description: 'a command each: what makes the program' }),
  files: z.array(z.string()).optional().openapi({ description: 'one or more files; a name may have slashes' }),
  archive: z.string().optional().openapi({ description: 'instead of files: a zip or a tar.gz of them' }),
})

/** The bot that a form enters. Throws a Refusal for another form. */
export function sentOf({ texts, files }: Form): Submission {
  for (const [name, all] of texts) {
    if (name !== 'build' && !FIELDS.some((known) => known === name))
      throw new Refusal(
        'invalid',
        `${JSON.stringify(name)} is none of ${[...FIELDS, 'build', 'files', 'archive'].join(', ')}`,
      )
    if (name !== 'build' && all.length > 1) throw new Refusal('invalid', `${name} is there twice`)
  }
  const fields = Object.fromEntries(
    FIELDS.flatMap((name) => {
      const [text = ''] = texts.get(name) ?? []
      return text === '' ? [] : [[name, text] as const]
    }),
  )
  const { name, ...rest } = fields
  if (name === undefined) throw new Refusal('invalid', 'the bot has no name: fill in name')
  const build = (texts.get('build') ?? []).filter((text) => text !== '')
  return { words: { name, ...rest, build: build.length > 0 ? build : undefined }, files: filesOf(files) }
}

function filesOf(all: Form['files']): Submission['files'] {
  const stray = all.find((one) => one.field !== 'files' && one.field !== 'archive')
  if (stray !== undefined) throw new Refusal('invalid', `${JSON.stringify(stray.field)} is neither files nor archive`)
  const sent = all.filter((one) => one.field === 'files')
  const [archive, second] = all.filter((one) => one.field === 'archive')
  if (second !== undefined || (archive === undefined) === (sent.length === 0))
    throw new Refusal('invalid', 'send files, or one archive')
  return archive === undefined ? sent.map(({ name, data }) => ({ path: name, data })) : { archive: archive.data }
}
