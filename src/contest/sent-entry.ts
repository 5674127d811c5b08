import { join } from 'node:path'
import { type GameDefinition, UserError } from '../core/index.js'
import { namesIn } from '../files/index.js'
import { type Entry, readEntry, suspect } from './entries.js'
import { type OwnDocument, ownSchema } from './schema.js'
import { TomlFile, display } from './toml-file.js'
import type { TomlPath } from './toml-lines.js'

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
 * files may; who it is, and where it lies, is not that file's to say. Throws a UserError that speaks of no place of the host.
 */
export function sentEntry({ build = [], ...words }: SentWords, folder: string, definition: GameDefinition): Entry {
  return plainly(folder, () => {
    const path = join(folder, 'bot.toml')
    const own = namesIn(folder).includes('bot.toml') ? TomlFile.readEntrant(path) : undefined
    const { name: _name, author: _author, folder: _folder, ...all } = own?.as(ownSchema) ?? {}
    const { command: _command, module: _module, class: _class, build: _build, ...facts } = all
    const isStarted = (['command', 'module', 'class'] as const).some((kind) => words[kind] !== undefined)
    const written: OwnDocument = isStarted ? facts : all
    const [only, ...more] = build
    const sent: OwnDocument = {
      ...words,
      ...(only !== undefined && { build: more.length === 0 ? only : build.map((one) => ['sh', '-c', one]) }),
      folder: '.',
    }
    // Only what the file says has a line in it.
    const from = {
      path,
      error: (place: TomlPath, message: string) => {
        const [key = ''] = place
        return own !== undefined && key in written && !(key in sent)
          ? own.error(place, message)
          : new UserError(message)
      },
    }
    const entry = readEntry(from, [], { ...written, ...sent }, definition)
    const error: Entry['error'] = (key, message) => new UserError(plain(folder, entry.error(key, message).message))
    // Its words are not written down in its folder, so they are no reason to leave that out.
    const { file: _file, ...placed } = entry
    return suspect({ ...placed, own: true, error })
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
