/** What a game must not use: its luck is all the chance that it has, and it knows no time. */
const FORBIDDEN: readonly (readonly [owner: object, part: string, name: string])[] = [
  [Math, 'random', 'Math.random'],
  [Date, 'now', 'Date.now'],
  [performance, 'now', 'performance.now'],
]

/** Runs something in which the clock and the process's own chance throw. */
export function withoutChance<T>(run: () => T): T {
  const before = FORBIDDEN.map(([owner, part]) => Object.getOwnPropertyDescriptor(owner, part))
  for (const [owner, part, name] of FORBIDDEN) {
    const value = (): never => {
      throw new Error(`${name} is called, and a game is pure: all chance is pick(luck, items), and there is no clock`)
    }
    Object.defineProperty(owner, part, { value, configurable: true, writable: true })
  }
  try {
    return run()
  } finally {
    for (const [i, [owner, part]] of FORBIDDEN.entries()) {
      const old = before[i]
      if (old === undefined) Reflect.deleteProperty(owner, part)
      else Object.defineProperty(owner, part, old)
    }
  }
}
