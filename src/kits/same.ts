/** Whether two values of plain data are the same, also in the order of lists; a key that is undefined is not one that is absent. */
export function same(a: unknown, b: unknown): boolean {
  return differenceOf(a, b) === undefined
}

/** Where two values of plain data differ, as a path: '.hands[1]'; '' the whole; undefined: nowhere. */
export function differenceOf(a: unknown, b: unknown): string | undefined {
  if (Object.is(a, b)) return undefined
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return ''
  if (Array.isArray(a) !== Array.isArray(b) || kindOf(a) !== kindOf(b)) return ''
  const lists = Array.isArray(a) && Array.isArray(b)
  if (lists) {
    const at = differenceOfLists(a, b)
    if (at !== undefined || a.length > NAMED) return at
  }
  const keys = Object.keys(a)
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return place(a, key)
    if (lists && Number(key) < a.length) continue
    const inner = differenceOf((a as Fields)[key], (b as Fields)[key])
    if (inner !== undefined) return `${place(a, key)}${inner}`
  }
  const others = Object.keys(b)
  const more = others.length === keys.length ? undefined : others.find((key) => !Object.hasOwn(a, key))
  return more === undefined ? undefined : place(b, more)
}

/** The longest list whose keys are looked at, too: it may have holes, or names beside its places. The keys of a long one take very long. */
const NAMED = 1000

function differenceOfLists(a: readonly unknown[], b: readonly unknown[]): string | undefined {
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at++) {
    const inner = differenceOf(a[at], b[at])
    if (inner !== undefined) return `[${at}]${inner}`
  }
  return a.length === b.length ? undefined : `[${shorter}]`
}

/**
 * Where two views differ as they are sent: as data, or as text. A bot reads the text, so the order of keys tells it something too: the path
 * then ends with what it is the order of.
 */
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
 * What JSON does not give back of plain data, and where: '.hands[1], which is undefined'; `at`: the path that `differenceOf` found. The path
 * alone, where that is not so simple.
 */
export function lossOf(value: unknown, at: string): string {
  const kind = oddOf(value, at)
  return kind === undefined ? at : `${at}, which is ${kind}`
}

/** What stands at a path that `differenceOf` found, where JSON has nothing like it. */
function oddOf(value: unknown, path: string): string | undefined {
  if (path === '') return oddKind(value)
  if (typeof value !== 'object' || value === null) return undefined
  const key = Object.keys(value).find((one) => startsAt(path, place(value, one)))
  return key === undefined ? undefined : oddOf((value as Fields)[key], path.slice(place(value, key).length))
}

/** Whether a path begins with this place, and not with another whose name is longer. */
const startsAt = (path: string, first: string): boolean =>
  path.startsWith(first) && (path.length === first.length || /[.[]/.test(path[first.length] as string))

function oddKind(value: unknown): string | undefined {
  if (Object.is(value, -0)) return '-0'
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return String(value)
  if (typeof value === 'function') return 'a function'
  const [, name = ''] = /^\[object (.*)\]$/.exec(String(kindOf(value as object))) ?? []
  return typeof value === 'object' && !['Null', 'Object', 'Array'].includes(name) ? `a ${name}` : undefined
}

/** Tells a Map or a Date, which has no keys of its own, from an empty object. */
const kindOf = (value: object): unknown => Object.prototype.toString.call(value)
