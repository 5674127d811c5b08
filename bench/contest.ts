import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Entry, oneThinker, threeThinkers } from './contest/entries.js'
import { type Row, figure } from './kit.js'

export const measures =
  'whole last-standing contests of 17 C++ classes that remember them, each in a sandbox, against the same duels of the same classes in one program, duels a second of wall time'

/** A contest that is measured. */
interface Field {
  readonly entries: readonly Entry[]
  /** A pair and round. */
  readonly duels: number
  readonly goal: number
}

/** The contest of 2017 had one entry that thinks, and a hundred duels a pair. */
const FIELDS: Readonly<Record<string, Field>> = {
  contest: { entries: threeThinkers, duels: 20, goal: 0.8 },
  historic: { entries: oneThinker, duels: 100, goal: 0.3 },
}
export const parts = Object.keys(FIELDS)

/** The command as it is installed. */
const AGON = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url))

const SHIM = fileURLToPath(new URL('../src/games/gunduel/shim', import.meta.url))

/** A contest that was played, in seconds. */
interface Played {
  readonly matches: number
  /** By entry: the rounds that it played. */
  readonly rounds: readonly number[]
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

export default function bench(_full: boolean, quick: boolean, wanted: readonly string[] = []): readonly Row[] {
  const names = wanted.length > 0 ? wanted : parts
  return names.flatMap((name) => rowsOf(name, FIELDS[name] as Field, quick))
}

function rowsOf(name: string, { entries, duels, goal }: Field, quick: boolean): readonly Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'agon-bench-contest-'))
  const most = quick ? Math.ceil(duels / 5) : duels
  try {
    for (const entry of entries) writeFileSync(join(folder, `${entry.name}.hpp`), entry.source)
    const program = linked(folder, entries)
    // The first time all is built, and for the second all is there.
    const built = played(folder, entries, { name: 'first', duels: 1 })
    const ours = played(folder, entries, { name: 'whole', duels: most })
    const limit = limitOf(program, most, ours)
    const value = ours.matches / ours.seconds
    return [
      { name, value, limit, ratio: value / limit, goal },
      figure(`${name}: seconds`, ours.seconds),
      figure(`${name}: seconds of archive and report, behind the table`, ours.writing),
      figure(`${name}: seconds of builds and admission`, built.admission),
      figure(`${name}: seconds of admission, nothing to be built`, ours.admission),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The contest with so many duels a pair by the command as it is installed, its matches stored, its table known, and its report written then. */
function played(
  folder: string,
  entries: readonly Entry[],
  { name, duels }: { readonly name: string; readonly duels: number },
): Played {
  const entrants = entries.map((entry) => `[[entrants]]\nname = "${entry.name}"\nclass = "${entry.name}.hpp"\n`)
  const head = 'game = "gunduel"\nseed = "contest"\nmemory = "tournament"\n[format]\nkind = "last-standing"\n'
  const [file, out] = [join(folder, `${name}.toml`), join(folder, name)]
  const [watch, marks] = [join(folder, 'watch.mjs'), join(folder, `${name}.marks`)]
  writeFileSync(file, `${head}repetitions = ${duels}\n${entrants.join('')}`)
  writeFileSync(watch, WATCH)
  const words = ['--import', pathToFileURL(watch).href, AGON, 'run', file, '--out', out]
  const env = { ...process.env, MARKS: marks }
  execFileSync(process.execPath, [...words, '--workspace', join(folder, 'workspace')], { env, stdio: 'pipe' })
  const { matches, standings, leftOut = [] } = read<Results>(join(out, 'results.json'))
  if (leftOut.length > 0) throw new Error(`${leftOut.length} of the classes were left out`)
  const cells = new Map(standings.map((row) => [row.name, Object.values(row.cells)]))
  const at = read<Record<'run' | 'admitted' | 'table' | 'end', number>>(marks)
  return {
    matches,
    rounds: entries.map((entry) => (cells.get(entry.name) ?? []).filter((points) => points !== null).length),
    seconds: (at.table - at.admitted + at.run) / 1000,
    writing: (at.end - at.table) / 1000,
    admission: (at.admitted - at.run) / 1000,
  }
}

interface Results {
  readonly matches: number
  readonly standings: readonly { readonly name: string; readonly cells: Readonly<Record<string, number | null>> }[]
  readonly leftOut?: readonly unknown[]
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T

/** Duels a second of the one program, on one core, over the same rounds. */
function limitOf(program: string, duels: number, { rounds, matches }: Played): number {
  const words = ['-c', '0', program, ...[duels, ...rounds].map(String)]
  const [same = NaN, , seconds = NaN] = execFileSync('taskset', words, { encoding: 'utf8' }).split(' ').map(Number)
  if (same !== matches) throw new Error(`the program has played ${same} duels, and agon ${matches}`)
  return same / seconds
}

function linked(folder: string, entries: readonly Entry[]): string {
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
