import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { entries } from './contest/entries.js'
import type { Row } from './kit.js'

export const measures =
  'a whole last-standing contest of 17 C++ classes that remember it, each in a sandbox, against the same classes in one program, duels a second of wall time'

/** Duels a pair and round. */
const DUELS = 20

/** The command as it is installed. */
const AGON = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url))

const SHIM = fileURLToPath(new URL('../src/games/gunduel/shim', import.meta.url))

/** A contest that was played, in seconds. */
interface Played {
  readonly matches: number
  /** From the start of the command to its table, without staging, building and admitting. */
  readonly seconds: number
  /** What comes after the table: the results folder with its report. */
  readonly writing: number
  readonly admission: number
}

/** Loaded before the command: writes down, in milliseconds since the process began, when it reached its marks and when it ended. */
const WATCH = `import { writeFileSync } from 'node:fs'
process.on('exit', () => {
  const marks = performance.getEntriesByType('mark').map(({ name, startTime }) => [name.slice('agon:'.length), startTime])
  writeFileSync(process.env.MARKS, JSON.stringify({ ...Object.fromEntries(marks), end: performance.now() }))
})
`

export default function bench(): readonly Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'agon-bench-contest-'))
  try {
    for (const { name, source } of entries) writeFileSync(join(folder, `${name}.hpp`), source)
    const program = linked(folder)
    // The first time all is built, and for the second all is there.
    const built = played(folder, 'first', 1)
    const before = limitOf(program)
    const ours = played(folder, 'whole', DUELS)
    const after = limitOf(program)
    const [value, limit] = [ours.matches / ours.seconds, (before + after) / 2]
    return [
      { name: 'contest', value, limit, ratio: value / limit, goal: 0.8 },
      beside('seconds', ours.seconds),
      beside('seconds of archive and report, behind the table', ours.writing),
      beside('seconds of builds and admission', built.admission),
      beside('seconds of admission, nothing to be built', ours.admission),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const beside = (name: string, value: number): Row => ({ name, value, limit: null, ratio: null, goal: null })

/** The contest with so many duels a pair by the command as it is installed, its matches stored, its table known, and its report written then. */
function played(folder: string, name: string, duels: number): Played {
  const entrants = entries.map((entry) => `[[entrants]]\nname = "${entry.name}"\nclass = "${entry.name}.hpp"\n`)
  const head = 'game = "gunduel"\nseed = "contest"\nmemory = "tournament"\n[format]\nkind = "last-standing"\n'
  const [file, out] = [join(folder, `${name}.toml`), join(folder, name)]
  const [watch, marks] = [join(folder, 'watch.mjs'), join(folder, `${name}.marks`)]
  writeFileSync(file, `${head}repetitions = ${duels}\n${entrants.join('')}`)
  writeFileSync(watch, WATCH)
  const words = ['--import', pathToFileURL(watch).href, AGON, 'run', file, '--out', out]
  const env = { ...process.env, MARKS: marks }
  execFileSync(process.execPath, [...words, '--workspace', join(folder, 'workspace')], { env, stdio: 'pipe' })
  const { matches, leftOut = [] } = read<{ matches: number; leftOut?: unknown[] }>(join(out, 'results.json'))
  if (leftOut.length > 0) throw new Error(`${leftOut.length} of the classes were left out`)
  const at = read<Record<'run' | 'admitted' | 'table' | 'end', number>>(marks)
  return {
    matches,
    seconds: (at.table - at.admitted + at.run) / 1000,
    writing: (at.end - at.table) / 1000,
    admission: (at.admitted - at.run) / 1000,
  }
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T

/** Duels a second of the one program, on one core. */
function limitOf(program: string): number {
  const said = execFileSync('taskset', ['-c', '0', program, String(DUELS)], { encoding: 'utf8' })
  const [matches = NaN, , seconds = NaN] = said.split(' ').map(Number)
  return matches / seconds
}

function linked(folder: string): string {
  const makers = entries.map(({ name }) => `[](std::size_t opponent) -> Player * { return new ${name}(opponent); }`)
  const includes = entries.map(({ name }) => `#include "${name}.hpp"\n`).join('')
  writeFileSync(
    join(folder, 'entries.hpp'),
    `${includes}static Player *(*const MAKERS[])(std::size_t) = {${makers.join(', ')}};\n`,
  )
  const program = join(folder, 'linked')
  const source = join(import.meta.dirname, 'contest', 'linked.cpp')
  const options = ['-std=c++14', '-O2', `-I${SHIM}`, `-I${folder}`, '-DENTRIES="entries.hpp"']
  execFileSync('c++', [...options, source, '-o', program])
  return program
}
