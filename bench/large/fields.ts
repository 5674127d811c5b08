import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Row, quick } from '../kit.js'

const CHILD = fileURLToPath(new URL('field.ts', import.meta.url))
const ALONE = fileURLToPath(new URL('alone.ts', import.meta.url))

/** Kinds of samurai bots: what each says in every turn. */
const MOVES = ['O', 'W', 'N', 'E', 'S']
/** Seconds until 1,000 are admitted; megabytes of a long run beyond its start. */
const ADMISSION_S = 60
const GROWN_MB = 150
/** CPU time of a Swiss tournament by that of its matches alone. */
const SWISS = 1.5

interface Played {
  /** Seconds until all entrants were admitted. */
  readonly admitted: number
  /** Seconds of the processors. */
  readonly cpu: number
  /** Megabytes. */
  readonly grown: number
}

/** How long 1,000 entrants take that need no build, until each has answered its first question and the run may begin. */
export const admissionRows = (): readonly Row[] =>
  inFolder((folder) => {
    const format = '[format]\nkind = "swiss"\nrounds = 3\n'
    const bot = (i: number): string => `command = "sh b${i % MOVES.length}.sh"`
    const { admitted } = played(folder, 'admission', 1000, bot, format, ['admission'])
    return [quick('admission of 1,000 scripts, s', admitted, ADMISSION_S)]
  })

/** How far the memory of a run of 200,000 matches grows. */
export const memoryRows = (): readonly Row[] =>
  inFolder((folder) => {
    const format = 'memory = "match"\n[format]\nkind = "round-robin"\nrepetitions = 4445\n'
    // A bot that strikes ends a match in its second turn; two that do not would play all five hundred.
    const { grown } = played(folder, 'long', 10, (i) => module(i === 1 ? 1 : 0), format, ['trust'])
    return [quick('memory of 200,000 matches, MB beyond the start', grown, GROWN_MB)]
  })

/** What a Swiss tournament of 200 modules costs beside its matches. The limit plays the very same matches by the library. */
export const swissRows = (): readonly Row[] =>
  inFolder((folder) => {
    for (let i = 0; i < 200; i++) copyFileSync(ABACUS, join(folder, `B${i}.js`))
    const format = '[format]\nkind = "swiss"\nrounds = 6\nrepetitions = 1\n'
    const bot = (i: number): string => `module = "B${i}.js"`
    const { cpu, matches, file } = played(folder, 'swiss', 200, bot, format, ['trust'])
    const alone = Number(
      execFileSync(process.execPath, ['--import', 'tsx', ALONE, `${file}.out`, folder], { encoding: 'utf8' }),
    )
    return [
      {
        name: `CPU of 200 modules in a Swiss of ${matches} matches by that of the matches alone`,
        value: cpu / alone,
        limit: SWISS,
        ratio: (SWISS * alone) / cpu,
        goal: 1,
      },
    ]
  })

const module = (i: number): string => `module = "b${i}.js"`

/** A house module, which counts what the other has done before. */
const ABACUS = fileURLToPath(new URL('../../dist/games/samurai/bots/abacus.js', import.meta.url))

function inFolder<T>(measure: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'agon-bench-fields-'))
  try {
    for (const [i, move] of MOVES.entries()) {
      writeFileSync(join(folder, `b${i}.js`), `export default () => '${move}'\n`)
      writeFileSync(join(folder, `b${i}.sh`), `echo ${move}\n`)
    }
    return measure(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function played(
  folder: string,
  name: string,
  field: number,
  bot: (i: number) => string,
  format: string,
  how: readonly string[],
): Played & { readonly matches: number; readonly file: string } {
  const entrants = Array.from({ length: field }, (_, i) => `[[entrants]]\nname = "B${i}"\n${bot(i)}\n`)
  const file = join(folder, `${name.replaceAll(' ', '-')}.toml`)
  writeFileSync(file, `game = "samurai"\nseed = "field"\n${format}${entrants.join('')}`)
  const words = ['--import', 'tsx', CHILD, file, `${file}.out`, `${file}.workspace`, ...how]
  return { ...JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' })), file } as Played & {
    readonly matches: number
    readonly file: string
  }
}
