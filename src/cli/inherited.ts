import { closeSync, readFileSync, readdirSync } from 'node:fs'

/** In the flags of an open file, that no program started from here gets it. */
const CLOSED_ON_EXEC = 0o2000000

/**
 * Closes all descriptors that this process inherited beyond its three standard streams: programs that agon starts on the host would inherit them, too
 * (sandboxes close it themselves). What the command line names as a file, `agon run <(…)`, stays. Where there is no /proc it all stays.
 */
export function closeInherited(words: readonly string[] = process.argv): void {
  const named = new Set(words.flatMap((word) => /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(word)?.[1] ?? []))
  for (const name of open()) {
    if (Number(name) <= 2 || named.has(name)) continue
    try {
      const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'latin1'))?.[1]
      // Node's own are all closed on exec.
      if (flags !== undefined && (parseInt(flags, 8) & CLOSED_ON_EXEC) === 0) closeSync(Number(name))
    } catch {
      // It is closed already: the look at the folder had it.
    }
  }
}

function open(): string[] {
  try {
    return readdirSync('/proc/self/fd')
  } catch {
    return []
  }
}
