import { basename, extname, join } from 'node:path'
import { type GameDefinition, UserError, lookUp, wiresOf } from '../core/index.js'
import { isExecutable, kindOf, namesIn, readPlain } from '../files/index.js'
import { type Entry, readEntry, suspect } from './entries.js'
import { SeveralMistakes } from './mistakes.js'
import { type OwnDocument, ownSchema } from './schema.js'
import { TomlFile, display } from './toml-file.js'
import type { TomlPath } from './toml-lines.js'
import { HEADER, MODULE, startOf } from './start-file.js'

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

/** Who a bot is, as the bot.toml among its files says; undefined: it says nothing of that. Throws SentMistake. */
export const sentName = (folder: string): string | undefined => plainly(folder, () => ownFile(folder).document.name)

/**
 * An entrant whose files were sent, alone in this folder. What its sender does not say, a bot.toml among them may, but
 * not who it is or where it lies. Throws SentMistake, which names no place of the host.
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
    const start = isStarted({ ...written, ...sent }) ? {} : startIn(folder, words.name, definition)
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

/** Files looked into, and bytes of each. */
const MOST = 100
const READ_BYTES = 64 * 1024
/** What people call the file that starts. */
const USUAL = ['bot', 'main', 'player']

/** How a bot starts by default: by the one start file at the top that no other loads. Throws SentMistake. */
function startIn(folder: string, name: string, definition: GameDefinition): OwnDocument {
  const names = namesIn(folder).filter((file) => kindOf(join(folder, file)) === 'file')
  const hasClasses = Object.values(definition.wires ?? {}).some(({ shim }) => shim !== undefined)
  const able = names.filter((file) => startAs(file, folder, hasClasses) !== undefined).slice(0, MOST)
  const texts = new Map(able.map((file) => [file, headOf(join(folder, file))]))
  const main = able.filter((file) => lookUp(MAIN, extname(file))?.test(texts.get(file) ?? '') ?? true)
  const loaded = new Map(main.map((file) => [file, loadedBy(texts.get(file) ?? '')]))
  const alone = main.filter((file) =>
    main.every((other) => other === file || !(loaded.get(other)?.has(file) || loaded.get(other)?.has(stemOf(file)))),
  )
  const called = (all: readonly string[]): string[] => alone.filter((file) => all.includes(stemOf(file).toLowerCase()))
  const found = [alone, called([name.toLowerCase()]), called(USUAL)].find((all) => all.length === 1)
  const [file] = found ?? []
  const start = file === undefined ? undefined : startAs(file, folder, hasClasses)
  if (file === undefined || start === undefined) throw new SentMistake('command', unknownStart(names, alone))
  if (!names.some((one) => isHelper(folder, one)) || !('jsonl' in wiresOf(definition, definition.game.options)))
    return start
  return { ...(start.module === undefined ? start : { command: ['node', file] }), wire: 'jsonl' }
}

/** Whether it is the helper of a starter kit, for a program that reads lines. */
const isHelper = (folder: string, file: string): boolean =>
  /^agon\.\w+$/i.test(file) && /a line of JSON each way/.test(headOf(join(folder, file)))

const headOf = (path: string): string => readPlain(path, READ_BYTES)?.toString('latin1') ?? ''

function unknownStart(names: readonly string[], alone: readonly string[]): string {
  const some = (all: readonly string[]): string => [...all.slice(0, 5), ...(all.length > 5 ? ['…'] : [])].join(', ')
  return alone.length > 1
    ? `each of ${some(alone)} could start the bot: give the command`
    : `no file here is known to start a bot (${some(names)}): give the command`
}

/** How a file would be started; undefined: by its name it does not start. */
function startAs(file: string, folder: string, hasClasses: boolean): OwnDocument | undefined {
  if (HEADER.test(file)) return hasClasses ? { class: file } : undefined
  if (MODULE.test(file)) return file.endsWith('.d.ts') ? undefined : { module: file }
  // Some systems mark all files as programs.
  if (extname(file) === '') return isExecutable(join(folder, file)) ? { command: [`./${file}`] } : undefined
  const start = startOf(file, folder)
  return start?.command[0] === file ? undefined : start
}

/** Files of these kinds start only where one says so. */
const MAIN: Readonly<Record<string, RegExp>> = {
  '.java': /\bmain\s*\(/,
  '.c': /\bmain\s*\(/,
  '.cc': /\bmain\s*\(/,
  '.cpp': /\bmain\s*\(/,
  '.cxx': /\bmain\s*\(/,
  '.rs': /\bfn\s+main\b/,
  '.go': /\bfunc\s+main\b/,
}

/** The names of files, with or without endings, that a source may load: what stands in quotes or is imported. */
function loadedBy(text: string): ReadonlySet<string> {
  const quoted = [...text.matchAll(/["'<](?:\.\/)?([\w.-]{1,100})["'>]/g)].map(([, file = '']) => file)
  const imported = [
    ...text.matchAll(/^[ \t]*(?:from[ \t]+\.?|(?:pub[ \t]+)?mod[ \t]+|use[ \t]+)(\w{1,100})/gm),
    ...text.matchAll(/^[ \t]*import[ \t]+([\w, ]{1,200})/gm),
  ].flatMap(([, all = '']) => all.split(/[, ]+/))
  return new Set([...quoted, ...quoted.map(stemOf), ...imported])
}

const stemOf = (file: string): string => basename(file, extname(file))
