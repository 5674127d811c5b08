/** Whether two values of plain data are the same, also in the order of lists; a key that is undefined is not one that is absent. */
export function same(a: unknown, b: unknown): boolean {
  return differenceOf(a, b) === undefined
}

/** Where two values of plain data differ, as a path: '.hands[1]'; '' the whole; undefined: nowhere. */
export function differenceOf(a: unknown, b: unknown): string | undefined {
  if (Object.is(a, b)) return undefined
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return ''
  if (Array.isArray(a) !== Array.isArray(b) || kindOf(a) !== kindOf(b)) return ''
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return ''
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return place(a, key)
    const inner = differenceOf((a as Fields)[key], (b as Fields)[key])
    if (inner !== undefined) return `${place(a, key)}${inner}`
  }
  return undefined
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

const place = (of: object, key: string): string => (Array.isArray(of) ? `[${key}]` : `.${key}`)

/** A Map or a Date looks like an empty object to whoever goes through its keys. */
const kindOf = (value: object): unknown => Object.prototype.toString.call(value)
