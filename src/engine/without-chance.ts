/** What a game must not use: its luck is all the chance that it has, and it knows no time. */
const FORBIDDEN: readonly (readonly [owner: string, part: string])[] = [
  ['Math', 'random'],
  ['Date', 'now'],
  ['performance', 'now'],
  ['crypto', 'randomUUID'],
  ['crypto', 'getRandomValues'],
]

/** Runs something at once, in which the clock and the process's own chance throw. */
export function withoutChance<T>(run: () => T): T {
  const banned: (() => void)[] = []
  for (const [owner, part] of FORBIDDEN) {
    const object = (globalThis as Record<string, unknown>)[owner] as object | undefined
    if (object !== undefined) banned.push(replaced(object, part, () => refuse(`${owner}.${part}`)))
  }
  banned.push(replaced(globalThis, 'Date', timeless(Date)))
  try {
    return run()
  } finally {
    for (const back of banned) back()
  }
}

function refuse(what: string): never {
  throw new Error(`${what} is called, and a game is pure: all chance is pick(luck, items), and there is no clock`)
}

const timeless = (dates: DateConstructor): DateConstructor =>
  new Proxy(dates, {
    construct: (target, words, made) =>
      words.length === 0 ? refuse('new Date()') : (Reflect.construct(target, words, made) as object),
    apply: () => refuse('Date()'),
  })

/** Replaces a part; returns what puts the old one back. */
function replaced(owner: object, part: string, value: unknown): () => void {
  const old = Object.getOwnPropertyDescriptor(owner, part)
  Object.defineProperty(owner, part, { value, configurable: true, writable: true })
  return () => {
    if (old === undefined) Reflect.deleteProperty(owner, part)
    else Object.defineProperty(owner, part, old)
  }
}
