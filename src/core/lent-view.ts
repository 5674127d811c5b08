/*
 * A bot in this process must not change what the referee sees. Freezing a view costs the rules dear: V8 reads a frozen
 * array at a third of the speed, and a view's arrays are often the position's own. So a bot is lent copies of its
 * view's arrays, to write into; all else is frozen, and shared unless it holds such an array.
 */

/** Freezes a value through and through, but for what is frozen already. */
export function frozenView<T>(value: T): T {
  if (isLoose(value)) freezeParts(value)
  return value
}

/** A view for a bot in this process: the view itself stays as it is. */
export const lentView = <T>(view: T): T => copied(view, false)

/** A view for an observer: a frozen one, the view itself unchanged. */
export const shownView = <T>(view: T): T => copied(view, true)

function copied<T>(view: T, fixed: boolean): T {
  if (!isLoose(view)) return view
  try {
    return apart(view, fixed, 0) as T
  } catch (error) {
    if (error !== TOO_DEEP) throw error
    return frozenView(view)
  }
}

/** Levels of a copied view: what holds itself has no end. */
const DEEPEST = 1000
/** Thrown past them; no stack is needed. */
const TOO_DEEP = new Error('it holds itself')

/** `fixed`: the copies are frozen, too. */
function apart(value: object, fixed: boolean, depth: number): object {
  if (depth > DEEPEST) throw TOO_DEEP
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value
    const copy = list.some(isObject)
      ? list.map((part) => (isLoose(part) ? apart(part, fixed, depth + 1) : part))
      : list.slice()
    return fixed ? Object.freeze(copy) : copy
  }
  if (ArrayBuffer.isView(value) && 'slice' in value) return (value as Uint8Array).slice()
  // A copy of anything else would not be of its kind.
  if (Object.getPrototypeOf(value) !== Object.prototype || Object.hasOwn(value, '__proto__')) return frozenView(value)
  const parts = value as Readonly<Record<string, unknown>>
  let copy: Record<string, unknown> | undefined
  for (const key in parts) {
    const part = parts[key]
    if (!isLoose(part)) continue
    const own = apart(part, fixed, depth + 1)
    if (own !== part) (copy ??= { ...parts })[key] = own
  }
  return Object.freeze(copy ?? value)
}

function freezeParts(value: object): void {
  if (!Array.isArray(value)) {
    Object.freeze(value)
    // What is inherited is not the view's own.
    for (const key in value) {
      const part: unknown = (value as Readonly<Record<string, unknown>>)[key]
      if (isLoose(part) && Object.hasOwn(value, key)) freezeParts(part)
    }
    return
  }
  // Looked through first: it is slower once it is frozen.
  const deep = value.some(isObject)
  Object.freeze(value)
  if (deep) for (const part of value as unknown[]) if (isLoose(part)) freezeParts(part)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isLoose = (value: unknown): value is object => isObject(value) && !Object.isFrozen(value)
