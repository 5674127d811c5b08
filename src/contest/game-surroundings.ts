/** Whether a game's file is being loaded in this thread, or one of its functions runs. */
export type GameActivity = 'no' | 'loading' | 'called'

const TIMERS = ['setTimeout', 'setInterval', 'setImmediate'] as const

/**
 * What a game finds around it in this process, from now on. What it prints to standard output, to see what it does, goes to standard error:
 * standard output is agon's answer, such as JSON. A timer throws: a game only answers, and agon would not end before a timer does.
 */
export function guardSurroundings(activity: () => GameActivity): void {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = ((...words: Parameters<typeof write>) =>
    activity() === 'no' ? write(...words) : stderr.write(...words)) as typeof stdout.write
  for (const name of TIMERS) {
    const timer = globalThis[name] as (...words: readonly unknown[]) => unknown
    const guarded = (...words: readonly unknown[]): unknown => {
      const during = activity()
      // A game is loaded while others go on: only the stack shows whose timer it is.
      if (during === 'called' || (during === 'loading' && /[?&]life=game/.test(new Error().stack ?? '')))
        throw new Error(`${name} is called, and a game has no timers: it only answers when it is asked`)
      return timer(...words)
    }
    Object.defineProperty(globalThis, name, {
      value: Object.assign(guarded, timer),
      configurable: true,
      writable: true,
    })
  }
}
