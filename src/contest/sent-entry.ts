import { join } from 'node:path'
import { type GameDefinition, UserError } from '../core/index.js'
import { namesIn } from '../files/index.js'
import { type Entry, readEntry, suspect } from './entries.js'
import { SeveralMistakes } from './mistakes.js'
import { type OwnDocument, ownSchema } from './schema.js'
import { startIn } from './sent-start.js'
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
  readonly country?: string
  /** Commands, in order. */
  readonly build?: readonly string[]
}

export class SentMistake extends UserError {
  constructor(
    /** Which of the words it is in, or 'files'. */
    readonly field: string,
    message: string,
  ) {
    super(message)
  }
}

/** Who a bot is, as the bot.toml among its files says; undefined: it says nothing of that. Throws a SentMistake. */
export const sentName = (folder: string): string | undefined => plainly(folder, () => ownFile(folder).document.name)

/**
 * An entrant whose files were sent: they lie in this folder, and nothing else does. What its sender does not say, a bot.toml among the
 * files may; who it is, and where it lies, is not that file's to say. If neither says how it is started, its files show it. Throws a
 * SentMistake, which speaks of no place of the host.
 */
export function sentEntry({ build = [], ...words }: SentWords, folder: string, definition: GameDefinition): Entry {
  return plainly(folder, () => {
    const { file: own, document } = ownFile(folder)
    const { name: _name, author: _author, folder: _folder, ...all } = document
    const { command: _command, module: _module, class: _class, build: _build, ...facts } = all
    const written: OwnDocument = isStarted(words) ? facts : all
    const [only, ...more] = build
    const sent: OwnDocument = {
      ...words,
      ...(only !== undefined && { build: more.length === 0 ? only : build.map((one) => ['sh', '-c', one]) }),
      folder: '.',
    }
    const mistake = (key: string, message: string): UserError =>
      // Only what the file says has a line in it.
      own !== undefined && key in written && !(key in sent)
        ? new SentMistake('files', own.error([key], message).message)
        : new SentMistake(key, message)
    const start = isStarted({ ...written, ...sent }) ? {} : seenStart(folder, words.name, definition)
    const from = { path: join(folder, BOT), error: ([key = '']: TomlPath, text: string) => mistake(String(key), text) }
    const entry = readEntry(from, [], { ...start, ...written, ...sent }, definition)
    const error: Entry['error'] = (key, message) => plain(folder, entry.error(key, message))
    // Its words are not written down in its folder, so they are no reason to leave that out.
    const { file: _file, ...placed } = entry
    return suspect({ ...placed, own: true, error })
  })
}

const BOT = 'bot.toml'

const isStarted = (words: { readonly [kind in 'command' | 'module' | 'class']?: unknown }): boolean =>
  (['command', 'module', 'class'] as const).some((kind) => words[kind] !== undefined)

function ownFile(folder: string): { readonly file?: TomlFile; readonly document: OwnDocument } {
  if (!namesIn(folder).includes(BOT)) return { document: {} }
  const file = TomlFile.readEntrant(join(folder, BOT))
  return { file, document: file.as(ownSchema) }
}

function seenStart(folder: string, name: string, definition: GameDefinition): OwnDocument {
  try {
    return startIn(folder, name, definition)
  } catch (error) {
    throw error instanceof UserError ? new SentMistake('command', error.message) : error
  }
}

function plainly<T>(folder: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof UserError ? plain(folder, error) : error
  }
}

/** A mistake without the folder's place on the host, and with its field: of several that of the first. */
function plain(folder: string, error: UserError): SentMistake {
  const [first] = error instanceof SeveralMistakes ? error.mistakes : [error]
  const message = error.message
    .replaceAll(`${display(folder)}/`, '')
    .replaceAll(`${folder}/`, '')
    .replaceAll(display(folder), 'the folder')
    .replaceAll(folder, 'the folder')
  return new SentMistake(first instanceof SentMistake ? first.field : 'files', message)
}
