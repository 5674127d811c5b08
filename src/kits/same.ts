/**
 * The path where plain data differs, also in lists' order: '.hands[1]'; '': the whole. An undefined key is not absent.
 */
export const differenceOf = (a: unknown, b: unknown): string | undefined => firstDifference(a, b)?.at

/** Where two values first differ, and the second's value there. */
interface Difference {
  readonly at: string
  readonly value: unknown
}

function firstDifference(a: unknown, b: unknown): Difference | undefined {
  if (Object.is(a, b)) return undefined
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return { at: '', value: b }
  if (Array.isArray(a) !== Array.isArray(b) || kindOf(a) !== kindOf(b)) return { at: '', value: b }
  const lists = Array.isArray(a) && Array.isArray(b)
  if (lists) {
    const found = differenceOfLists(a, b)
    if (found !== undefined || a.length > NAMED) return found
  }
  const keys = Object.keys(a)
  for (const key of keys) {
    const value = (b as Fields)[key]
    if (!Object.hasOwn(b, key)) return { at: place(a, key), value }
    if (lists && Number(key) < a.length) continue
    const inner = firstDifference((a as Fields)[key], value)
    if (inner !== undefined) return { ...inner, at: `${place(a, key)}${inner.at}` }
  }
  const others = Object.keys(b)
  const more = others.length === keys.length ? undefined : others.find((key) => !Object.hasOwn(a, key))
  return more === undefined ? undefined : { at: place(b, more), value: (b as Fields)[more] }
}

/** The longest list whose keys are looked at (it may have holes, or names): a long one's take very long. */
const NAMED = 1000

function differenceOfLists(a: readonly unknown[], b: readonly unknown[]): Difference | undefined {
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at++) {
    const inner = firstDifference(a[at], b[at])
    if (inner !== undefined) return { ...inner, at: `[${at}]${inner.at}` }
  }
  return a.length === b.length ? undefined : { at: `[${shorter}]`, value: b[shorter] }
}

/** Where two views differ as data or as text, which bots read: for another order of keys the path says whose. */
export function differenceAsSent(a: unknown, b: unknown): string | undefined {
  return differenceOf(a, b) ?? orderOf(a, b, '')
}

/** Where the keys of equal data stand in another order. */
function orderOf(a: unknown, b: unknown, at: string): string | undefined {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return undefined
  const keys = Object.keys(a)
  if (Object.keys(b).some((key, n) => key !== keys[n])) return `the order of keys of ${at === '' ? 'the view' : at}`
  for (const key of keys) {
    const inner = orderOf((a as Fields)[key], (b as Fields)[key], `${at}${place(a, key)}`)
    if (inner !== undefined) return inner
  }
  return undefined
}

type Fields = Readonly<Record<string, unknown>>

const place = (of: object, key: string): string => (Array.isArray(of) && /^\d+$/.test(key) ? `[${key}]` : `.${key}`)

/**
 * What JSON loses of plain data, and where: '.hands[1], which is undefined'; the path alone if less simple; undefined:
 * nothing.
 */
export function lossOf(value: unknown, json: string | undefined): string | undefined {
  const lost = firstDifference(json === undefined ? undefined : JSON.parse(json), value)
  if (lost === undefined || lost.at === '') return lost?.at
  const kind = oddKind(lost.value)
  return kind === undefined ? lost.at : `${lost.at}, which is ${kind}`
}

function oddKind(value: unknown): string | undefined {
  if (Object.is(value, -0)) return '-0'
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return String(value)
  if (typeof value === 'function') return 'a function'
  const [, name = ''] = /^\[object (.*)\]$/.exec(String(kindOf(value as object))) ?? []
  return typeof value === 'object' && !['Null', 'Object', 'Array'].includes(name) ? `a ${name}` : undefined
}

/** Tells a Map or Date, without own keys, from an empty object. */
const kindOf = (value: object): unknown => Object.prototype.toString.call(value)
