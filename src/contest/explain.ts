import { z } from 'zod'
import { didYouMean, lookUp } from '../core/index.js'
import type { TomlPath } from './toml-lines.js'

type Issue = z.core.$ZodIssue
const UNKNOWN = 'unrecognized_keys'

export interface Mistake {
  readonly place: TomlPath
  readonly message: string
}

/**
 * What is wrong with a document, for a person, at least one thing: unknown keys first, probably the cause of what is missing beside them,
 * then the values that are not what the schema says.
 */
export function explain(error: z.ZodError, schema: z.ZodType, document: unknown): readonly Mistake[] {
  const issues = error.issues.flatMap((issue) => deepest(issue, []))
  const unknown = issues.flatMap((issue) => (issue.code === UNKNOWN ? unknownKeys(issue, schema) : []))
  const tables = new Set(issues.flatMap(({ code, path }) => (code === UNKNOWN ? [JSON.stringify(path)] : [])))
  const values = issues.flatMap((issue) => {
    if (issue.code === UNKNOWN) return []
    const { missing, table, ...mistake } = valueMistake(issue, document)
    return missing === true && tables.has(JSON.stringify(table)) ? [] : [mistake]
  })
  // One key is reported once, however much of it is wrong.
  const all = new Map<string, Mistake>()
  for (const mistake of [...unknown, ...values]) {
    const key = JSON.stringify(
      mistake.place.slice(0, 1 + mistake.place.findLastIndex((part) => typeof part === 'string')),
    )
    if (!all.has(key)) all.set(key, mistake)
  }
  if (all.size === 0) throw error
  return [...all.values()]
}

function unknownKeys(issue: Extract<Issue, { code: typeof UNKNOWN }>, schema: z.ZodType): Mistake[] {
  const place = issue.path as TomlPath
  const known = Object.keys(shapeAt(schema, place))
  const top = place.length === 0 ? [] : Object.keys(shapeAt(schema, []))
  const isOfTop = (key: string): boolean => top.includes(key)
  const hosts = (schema.meta() as { readonly hosts?: readonly string[] } | undefined)?.hosts ?? []
  const what = (key: string): string =>
    hosts.includes(key)
      ? `${quote(key)} is for the contest's file to say, not for an entrant's own: leave it out`
      : `unknown key ${quote(key)}${inTable(place)}${didYouMean(key, known)}${isOfTop(key) ? ': it belongs at the top of the file, above all tables' : ''}`
  return issue.keys.map((key) => ({ place: [...place, key], message: `${what(key)}; known: ${known.join(', ')}` }))
}

function valueMistake(
  issue: Issue,
  document: unknown,
): Mistake & { readonly missing?: boolean; readonly table: TomlPath } {
  const place = issue.path as TomlPath
  // An element of an array is named with the whole array: it is the key that a person looks for.
  const end = place.findLastIndex((part) => typeof part === 'string')
  const key = place[end] ?? 'the file'
  const table = place.slice(0, Math.max(end, 0))
  const where = inTable(table)
  const value = valueAt(document, place.slice(0, end + 1))
  const mistake = (message: string) => ({ place, table, message })
  if (value === undefined)
    return { ...mistake(`${key} is missing${where}: it must be ${issue.message}`), missing: true }
  if (issue.code !== 'invalid_value') {
    const quoted = wantsText(issue) && isBare(value) ? `; quote it: ${key} = ${JSON.stringify(written(value))}` : ''
    return mistake(`${key} = ${quote(value)}${where} must be ${issue.message}${quoted}`)
  }
  const known = issue.values.map(String)
  if (typeof value !== 'string') return mistake(`${key} = ${quote(value)}${where} must be one of ${known.join(', ')}`)
  return mistake(`unknown ${key} ${quote(value)}${where}${didYouMean(value, known)}; known: ${known.join(', ')}`)
}

const wantsText = (issue: Issue): boolean => issue.code === 'invalid_type' && issue.expected === 'string'

/** A value that would be a text in quotes. */
const isBare = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' || value instanceof Date

/** A value as a person would write it, cut to a readable length. */
export function quote(value: unknown): string {
  const text = written(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** As JSON, with what TOML has beside it: large integers, dates, and numbers that are none. */
function written(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number')
    return Object.is(value, -0)
      ? '-0'
      : Number.isFinite(value)
        ? String(value)
        : String(value).replace('Infinity', 'inf').replace('NaN', 'nan')
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'a date' : value.toISOString()
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, inner]) => `${JSON.stringify(key)}:${written(inner)}`)
      .join(',')}}`
  return JSON.stringify(value) ?? String(value)
}

/** A union's own issue says little where one of its forms was nearly met: then what that form lacked. */
function deepest(issue: Issue, base: TomlPath): Issue[] {
  const here = { ...issue, path: [...base, ...issue.path] } as Issue
  if (here.code !== 'invalid_union') return [here]
  const inner = here.errors.find((issues) => issues.some(({ code, path }) => path.length > 0 || code === UNKNOWN))
  return inner === undefined ? [here] : inner.flatMap((each) => deepest(each, here.path as TomlPath))
}

function valueAt(document: unknown, place: TomlPath): unknown {
  return place.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], document)
}

function shapeAt(schema: z.core.$ZodType, place: TomlPath): Record<string, unknown> {
  if (schema instanceof z.ZodOptional) return shapeAt(schema.unwrap(), place)
  if (schema instanceof z.ZodUnion) {
    const shapes = schema.options.map((option) => shapeAt(option, place))
    return shapes.find((shape) => Object.keys(shape).length > 0) ?? {}
  }
  if (schema instanceof z.ZodArray) return shapeAt(schema.element, place.slice(1))
  if (!(schema instanceof z.ZodObject)) return {}
  const [key, ...rest] = place
  if (key === undefined) return schema.shape
  const inner = lookUp(schema.shape as Record<string, z.ZodType>, String(key))
  return inner === undefined ? {} : shapeAt(inner, rest)
}

function inTable(place: TomlPath): string {
  const [table, inner] = place.filter((key) => typeof key === 'string')
  if (table === undefined) return ''
  return inner === undefined ? ` in ${table === 'entrants' ? '[[entrants]]' : `[${table}]`}` : ` in ${table}.${inner}`
}
