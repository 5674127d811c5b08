import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Row, median } from './kit.js'

export const measures =
  'what fresh processes, network and file systems for each turn would cost, in µs a start; the limit has none'

/** Rounds of all, taken in turn, so that they meet the same moods of the machine. */
const ROUNDS = 11
/** Starts in a round: as many as the kernel can take down again in the meantime. */
const TURNS = 60

/** By name the letters that `sandboxes/fresh.c` knows. */
const WHAT = {
  none: '-',
  pid: 'p',
  'pid-proc': 'P',
  network: 'n',
  mounts: 'm',
  'mounts-tmpfs': 't',
  all: 'Pnt',
} as const

export default async function bench(full: boolean): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agon-bench-fresh-'))
  try {
    const built = (name: string, ...options: string[]): string => {
      const program = join(folder, name)
      execFileSync('cc', ['-O2', ...options, '-o', program, join(import.meta.dirname, 'cells', `${name}.c`)])
      return program
    }
    const fresh = built('fresh', '-static')
    // Not in /tmp, which is a new one there: by descriptor it is found all the same.
    const program = built('nolibc', '-static', '-nostdlib', '-fno-stack-protector')
    const run = (what: string): number => {
      const script = 'exec 9<"$2"; exec "$0" "$1" "$3" /proc/self/fd/9'
      return Number(execFileSync('sh', ['-c', script, fresh, what, program, String(TURNS)], { encoding: 'utf8' }))
    }
    const times = Object.values(WHAT).map((): number[] => [])
    for (let round = 0; round < (full ? 5 * ROUNDS : ROUNDS); round++)
      Object.values(WHAT).forEach((what, i) => times[i]?.push(run(what)))
    const [none = []] = times
    return Object.keys(WHAT).map((name, i) => ({
      name,
      value: median(times[i] ?? []),
      limit: median(none),
      ratio: median((times[i] ?? []).map((us, round) => us / (none[round] ?? NaN))),
      goal: null,
    }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
