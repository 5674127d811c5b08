import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Row, quick } from '../kit.js'

const CHILD = fileURLToPath(new URL('field.ts', import.meta.url))

/** Kinds of samurai bots: what each says in every turn. */
const MOVES = ['O', 'W', 'N', 'E', 'S']

interface Played {
  /** Seconds until the first match had landed. */
  readonly first: number
  /** Megabytes. */
  readonly grown: number
}

/** Large fields, and a long run in this process. */
export function fieldRows(full: boolean): readonly Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'agon-bench-fields-'))
  try {
    for (const [i, move] of MOVES.entries()) {
      writeFileSync(join(folder, `b${i}.js`), `export default () => '${move}'\n`)
      writeFileSync(join(folder, `b${i}.sh`), `echo ${move}\n`)
    }
    const first = (name: string, bot: (i: number) => string, how: readonly string[]): Row => {
      const format = '[format]\nkind = "swiss"\nrounds = 3\n'
      const { first: seconds } = played(folder, name, 1000, bot, format, ['first', ...how])
      return quick(`first match of 1,000 ${name}, s`, seconds, 10)
    }
    const module = (i: number): string => `module = "b${i}.js"`
    const rows = [
      first('modules', module, ['trust']),
      first('modules in sandboxes', module, []),
      first('programs in sandboxes', (i) => `command = "sh b${i}.sh"`, []),
    ]
    if (!full) return rows
    const format = '[format]\nkind = "round-robin"\nrepetitions = 4445\n'
    const { grown } = played(folder, 'long', 10, module, format, ['trust'])
    return [...rows, quick('memory of 200,000 matches, MB beyond the start', grown, 150)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function played(
  folder: string,
  name: string,
  field: number,
  bot: (kind: number) => string,
  format: string,
  how: readonly string[],
): Played {
  const entrants = Array.from({ length: field }, (_, i) => `[[entrants]]\nname = "B${i}"\n${bot(i % MOVES.length)}\n`)
  const file = join(folder, `${name.replaceAll(' ', '-')}.toml`)
  writeFileSync(file, `game = "samurai"\nseed = "field"\n${format}${entrants.join('')}`)
  const words = ['--import', 'tsx', CHILD, file, `${file}.out`, `${file}.workspace`, ...how]
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' })) as Played
}
