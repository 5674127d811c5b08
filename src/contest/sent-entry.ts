import { join } from 'node:path'
import { stringify } from 'smol-toml'
import { type GameDefinition, UserError } from '../core/index.js'
import { namesIn } from '../files/index.js'
import { type Entry, readEntry, suspect } from './entries.js'
import { type EntrantDocument, entrantSchema } from './schema.js'
import { TomlFile, display } from './toml-file.js'

/** What a contestant says of a bot whose files they send. */
export interface SentWords {
  readonly name: string
  readonly command?: string
  readonly module?: string
  readonly class?: string
  readonly language?: string
  readonly wire?: string
  readonly synopsis?: string
  /** Commands, in order. */
  readonly build?: readonly string[]
}

/**
 * An entrant whose files were sent: they lie in this folder, and nothing else does. What its sender does not say, a bot.toml among the
 * files may. Throws a UserError that speaks of no place of the host.
 */
export function sentEntry({ build, ...words }: SentWords, folder: string, definition: GameDefinition): Entry {
  const written = namesIn(folder).includes('bot.toml') ? ownWords(folder) : {}
  const started = (['command', 'module', 'class'] as const).some((kind) => words[kind] !== undefined)
  const { command: _, module: __, class: ___, build: ____, ...rest } = written
  const said = {
    ...(started ? rest : written),
    ...words,
    build:
      build && build.length > 0 ? (build.length === 1 ? build[0] : build.map((one) => ['sh', '-c', one])) : undefined,
    folder: '.',
  }
  return plainly(folder, () => {
    const file = new TomlFile(stringify(said), join(folder, 'bot.toml'))
    const entry = readEntry(file, [], file.as(entrantSchema), definition)
    const error: Entry['error'] = (key, message) => new UserError(plain(folder, entry.error(key, message).message))
    // Its words are not written down in its folder, so they are no reason to leave that out.
    const { file: _file, ...placed } = entry
    return suspect({ ...placed, own: true, error })
  })
}

/** What the files say themselves; who it is, and where it lies, is not theirs to say. */
function ownWords(folder: string): Partial<EntrantDocument> {
  return plainly(folder, () => {
    const {
      name: _,
      house: __,
      author: ___,
      folder: ____,
      ...written
    } = TomlFile.readEntrant(join(folder, 'bot.toml')).as(entrantSchema)
    return written
  })
}

function plainly<T>(folder: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof UserError ? new UserError(plain(folder, error.message)) : error
  }
}

/** A message without the folder's place on the host. */
const plain = (folder: string, message: string): string =>
  message
    .replaceAll(`${display(folder)}/`, '')
    .replaceAll(`${folder}/`, '')
    .replaceAll(display(folder), 'the folder')
    .replaceAll(folder, 'the folder')
    .replace(/^bot\.toml:\d+: /, '')
