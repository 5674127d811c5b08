import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import type { z } from 'zod'
import { UserError, messageOf, visible } from '../core/index.js'
import { readPlain } from '../files/index.js'
import { shorten } from '../text/index.js'
import { explain } from './explain.js'
import { FileMistake, severalMistakes } from './mistakes.js'
import { type TomlPath, TomlLines } from './toml-lines.js'

/** A TOML file read: its values, and errors that name its lines. */
export class TomlFile {
  /** As it is shown to a person. */
  readonly shown: string
  private readonly document: Record<string, unknown>
  private readonly lines: TomlLines

  /** Throws UserError with the line where the text is no TOML. */
  constructor(
    text: string,
    /** Absolute. */
    readonly path: string,
  ) {
    this.shown = display(path)
    try {
      this.document = parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' })
    } catch (error) {
      throw error instanceof TomlError ? syntaxError(this.shown, text, error) : error
    }
    this.lines = new TomlLines(text)
    const place = protoIn(this.document)
    if (place !== undefined) throw this.error(place, 'no key can be called "__proto__": leave it out')
  }

  static read(path: string): TomlFile {
    return new TomlFile(readText(path), path)
  }
  /** A file of an entrant's, which a stranger wrote: a link, a pipe or a device in its place is refused, not read. */
  static readEntrant(path: string): TomlFile {
    const bytes = readPlain(path, MOST_ENTRANT + 1)
    if (bytes === undefined)
      throw new UserError(`${display(path)} is not a regular file that can be read: put the file itself there`)
    if (bytes.length > MOST_ENTRANT)
      throw new UserError(`${display(path)} has more than ${MOST_ENTRANT} bytes: this is not a bot.toml`)
    return new TomlFile(textOf(path, bytes), path)
  }

  /** The document as its schema has it. Throws UserError for all that is wrong with it, a line each. */
  as<T>(schema: z.ZodType<T>): T {
    const { seed } = this.document
    // A seed may be any integer; JavaScript's own numbers end at 2⁵³.
    const document = typeof seed === 'bigint' ? { ...this.document, seed: String(seed) } : this.document
    const parsed = schema.safeParse(document)
    if (parsed.success) return parsed.data
    const found = explain(parsed.error, schema, document)
    throw severalMistakes(found.map(({ place, message }) => this.error(place, message)))
  }

  error(place: TomlPath, message: string): UserError {
    return new FileMistake(this.shown, this.lines.of(place), message)
  }
}

/** Where a document has the key __proto__, which schemas drop silently; undefined: nowhere. Without recursion, for deep ones. */
function protoIn(document: Record<string, unknown>): TomlPath | undefined {
  type Part = { readonly value: object; readonly key?: string | number; readonly within?: Part }
  const parts: Part[] = [{ value: document }]
  for (let part: Part | undefined = parts.pop(); part !== undefined; part = parts.pop()) {
    const { value } = part
    if (Object.hasOwn(value, '__proto__')) {
      const place: (string | number)[] = ['__proto__']
      for (let at: Part | undefined = part; at?.key !== undefined; at = at.within) place.unshift(at.key)
      return place
    }
    for (const [key, inner] of Object.entries(value) as [string, unknown][])
      if (typeof inner === 'object' && inner !== null)
        parts.push({ value: inner, key: Array.isArray(value) ? Number(key) : key, within: part })
  }
  return undefined
}

/** A path as a person would write it: relative below the working folder. A stranger's name makes no own lines. */
export function display(path: string): string {
  const short = relative(process.cwd(), resolve(path))
  return visible(short === '' || short.startsWith('..') ? path : short)
}

/** A contest file is no larger than this many bytes: thousands of entrants take a tenth of it. */
const MOST = 16 * 1024 ** 2
/** And that of one entrant than this many: its longest texts are its commands. */
const MOST_ENTRANT = 64 * 1024

/** Throws UserError for what is no contest file, is too large for one, or is no text. */
function readText(path: string): string {
  const refuse = (why: string) => new UserError(`${display(path)}: ${why}; name a contest file (.toml)`)
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) throw refuse('there is no such file')
    if (stat.isDirectory()) throw refuse('this is a folder')
    if (!stat.isFile()) throw refuse('this is not a regular file')
    if (stat.size > MOST) throw refuse(`it has ${stat.size} bytes, and a contest file may have ${MOST}`)
    return textOf(path, readFileSync(path))
  } catch (error) {
    if (error instanceof UserError) throw error
    throw refuse(error instanceof Error && 'code' in error ? String(error.code) : messageOf(error))
  }
}

function textOf(path: string, bytes: Buffer): string {
  const isText = (part: Buffer): boolean => isUtf8(part) && !part.includes(0)
  if (isText(bytes)) return bytes.toString('utf8')
  const rows = bytes.toString('latin1').split('\n')
  const line = 1 + rows.findIndex((row) => !isText(Buffer.from(row, 'latin1')))
  throw new UserError(`${display(path)}:${line}: this is not UTF-8 text: save the file as UTF-8, without a byte 0`)
}

function syntaxError(shown: string, text: string, error: TomlError): UserError {
  const what = (error.message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '')
  const row = shorten((text.split('\n')[error.line - 1] ?? '').trim(), 100)
  const place = `at column ${error.column} of ${JSON.stringify(row)}`
  return new UserError(
    `${shown}:${error.line}: not TOML: ${what}, ${place}${remedyOf(row, error.line, text.split('\n'))}`,
  )
}

/** What to write instead, where that can be told; '' where it cannot. `line`: from 1. */
function remedyOf(row: string, line: number, rows: readonly string[]): string {
  const [, table] = /^\[\[?\s*([\w.-]+)\s*\]\]?/.exec(row) ?? []
  if (table !== undefined) {
    const before = rows.slice(0, line - 1).findIndex((one) => one.trim().replace(/\s/g, '').startsWith(`[${table}]`))
    if (before < 0) return ''
    return table === 'entrants'
      ? `: line ${before + 1} has [entrants]: each entrant begins with [[entrants]]`
      : `: [${table}] stands in line ${before + 1} already: put its keys there`
  }
  const [, key, value] = /^([\w-]+)\s*(?::\s*|\s)(?!=)["']?([^"'=]+?)["']?,?$/.exec(row) ?? []
  if (key !== undefined && value !== undefined) return `: write ${key} = ${literal(value)}`
  const [, curly, inside] =
    /^([\w.-]+)\s*=\s*[\u201C\u201D\u2018\u2019\u201E\u00AB]([^\u201C\u201D\u2018\u2019\u00BB]*)/.exec(row) ?? []
  if (curly !== undefined) return `: its quotes are not those of a keyboard: write ${curly} = ${JSON.stringify(inside)}`
  const [, bare] = /^([\w.-]+\s*=\s*(?:"[^"]*"|\d+|true|false)),$/.exec(row) ?? []
  return bare === undefined ? quoteIt(row) : `: no comma ends a line: write ${bare}`
}

const literal = (value: string): string =>
  /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(value) ? value : JSON.stringify(value)

function quoteIt(row: string): string {
  const [, key, value] = /^([\w.-]+)\s*=\s*([^\s"'[{#][^"'#]*?)\s*$/.exec(row) ?? []
  if (key === undefined || value === undefined || /^[-+\d]|^(?:true|false)$/.test(value)) return ''
  return `: quote it: ${key} = ${JSON.stringify(value)}`
}
