import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import type { z } from 'zod'
import { UserError } from '../core/index.js'
import { explain } from './explain.js'
import { type Place, TomlLines } from './toml-lines.js'

/** A TOML file that was read: its values, and errors that name its lines. */
export class TomlFile {
  /** As it is shown to a person. */
  readonly shown: string
  private readonly document: Record<string, unknown>
  private readonly lines: TomlLines

  /** Throws a UserError with the line where the text is no TOML. */
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
  }

  static read(path: string): TomlFile {
    return new TomlFile(readText(path), path)
  }

  /** The document as its schema has it. Throws a UserError for the first thing that is wrong with it. */
  as<T>(schema: z.ZodType<T>): T {
    // A seed may be any integer; JavaScript's own numbers end at 2⁵³.
    const { seed } = this.document
    const document = typeof seed === 'bigint' ? { ...this.document, seed: String(seed) } : this.document
    const parsed = schema.safeParse(document)
    if (parsed.success) return parsed.data
    const { place, message } = explain(parsed.error, schema, document)
    throw this.error(place, message)
  }

  line(place: Place): number {
    return this.lines.of(place)
  }

  /** A mistake at a place of this file. */
  error(place: Place, message: string): UserError {
    return new UserError(`${this.shown}:${this.line(place)}: ${message}`)
  }
}

/** A path as a person would write it from here: relative where it lies below the working folder. */
export function display(path: string): string {
  const short = relative(process.cwd(), resolve(path))
  return short === '' || short.startsWith('..') ? path : short
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'this is a folder' : String(code)
    throw new UserError(`${display(path)}: ${why}; name a contest file (.toml)`)
  }
}

function syntaxError(shown: string, text: string, error: TomlError): UserError {
  const what = (error.message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '')
  const row = (text.split('\n')[error.line - 1] ?? '').trim()
  return new UserError(`${shown}:${error.line}: not TOML: ${what}, at column ${error.column} of ${JSON.stringify(row)}`)
}
