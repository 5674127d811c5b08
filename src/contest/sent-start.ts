import { basename, extname, join } from 'node:path'
import { type GameDefinition, UserError, lookUp, wiresOf } from '../core/index.js'
import { isExecutable, kindOf, namesIn, readPlain } from '../files/index.js'
import type { OwnDocument } from './schema.js'
import { HEADER, MODULE, startOf } from './start-file.js'

/** Files that are looked into, and bytes of each. */
const MOST = 100
const READ_BYTES = 64 * 1024
/** What people call the file that starts. */
const USUAL = ['bot', 'main', 'player']

/**
 * How a bot is started whose sender does not say it: by the one file at the top that is a program, a module or a class, and that no other
 * one loads. Throws a UserError where there is none, or more than one.
 */
export function startIn(folder: string, name: string, definition: GameDefinition): OwnDocument {
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
  if (file === undefined || start === undefined) throw new UserError(unknownStart(names, alone))
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

/** The names of files, with their endings or without, that a source may load: what stands in quotes, and what it imports. */
function loadedBy(text: string): ReadonlySet<string> {
  const quoted = [...text.matchAll(/["'<](?:\.\/)?([\w.-]{1,100})["'>]/g)].map(([, file = '']) => file)
  const imported = [
    ...text.matchAll(/^[ \t]*(?:from[ \t]+\.?|(?:pub[ \t]+)?mod[ \t]+|use[ \t]+)(\w{1,100})/gm),
    ...text.matchAll(/^[ \t]*import[ \t]+([\w, ]{1,200})/gm),
  ].flatMap(([, all = '']) => all.split(/[, ]+/))
  return new Set([...quoted, ...quoted.map(stemOf), ...imported])
}

const stemOf = (file: string): string => basename(file, extname(file))
