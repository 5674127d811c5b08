import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, type Row } from './kit.js'

export const measures =
  'the games whose programs are started for each turn or match, through the whole of agon, against plain controllers in Java and Python, games a second'

const ROUNDS = 3
const SOURCES = join(import.meta.dirname, 'controllers')
const MAIN = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url))

/** A game with a plain controller. Its bots are a program in C and a script in Python, taken in turn. */
interface Contest {
  readonly game: string
  readonly bots: number
  readonly format: string
  readonly options?: string
  /** The repetitions of agon's two runs, of which the difference counts, and the matches of each repetition. */
  readonly few: number
  readonly many: number
  readonly matches: number
  /** Games that the controller plays. */
  readonly games: number
  readonly goal: number
  /** The controller's words, before the bots' commands. */
  controller(folder: string, games: number): readonly string[]
}

/** Turns of a game at most, where it could be long. */
const TURNS = { stronger: 12, samurai: 40 } as const

const script = (game: string, games: number): string[] => [
  python,
  join(SOURCES, `${game}_controller.py`),
  String(games),
]

const CONTESTS: readonly Contest[] = [
  {
    game: 'stronger',
    bots: 8,
    format: 'kind = "free-for-all"\nswap = false',
    options: `turns = ${TURNS.stronger}`,
    few: 1,
    many: 13,
    matches: 1,
    games: 2,
    goal: 5,
    controller: (folder, games) => ['java', '-cp', folder, 'Stronger', String(games), String(TURNS.stronger)],
  },
  {
    game: 'samurai',
    bots: 2,
    format: 'kind = "round-robin"\nswap = true',
    options: `turns = ${TURNS.samurai}`,
    few: 2,
    many: 32,
    matches: 1,
    games: 4,
    goal: 3,
    controller: (_folder, games) => [...script('samurai', games), String(TURNS.samurai)],
  },
  {
    game: 'coup',
    bots: 2,
    format: 'kind = "round-robin"\nswap = true',
    few: 2,
    many: 32,
    matches: 1,
    games: 4,
    goal: 3,
    controller: (_folder, games) => script('coup', games),
  },
  {
    game: 'negotiate',
    bots: 4,
    format: 'kind = "groups"\nsize = 4',
    few: 1,
    many: 21,
    matches: 4,
    games: 24,
    goal: 1,
    controller: (_folder, games) => script('negotiate', games),
  },
]

/** The interpreter itself: a shim in front of it would cost the controllers more than all else. */
const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()

export default function bench(): readonly Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'agon-bench-controllers-'))
  try {
    return CONTESTS.map((contest) => row(contest, join(folder, contest.game)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function row(contest: Contest, folder: string): Row {
  const { game, goal } = contest
  prepare(contest, folder)
  const [values, limits, ratios]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    const limit = plain(contest, folder)
    const value = ours(contest, folder, round)
    values.push(value)
    limits.push(limit)
    ratios.push(value / limit)
  }
  return { name: game, value: median(values), limit: median(limits), ratio: median(ratios), goal }
}

/** Compiles a game's bot and its controller, and writes the contest. */
function prepare({ game, bots, format, options, few, many }: Contest, folder: string): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('cc', ['-O2', '-static', '-o', join(folder, game), join(SOURCES, `${game}.c`)])
  copyFileSync(join(SOURCES, `${game}.py`), join(folder, `${game}.py`))
  if (game === 'stronger') execFileSync('javac', ['-d', folder, join(SOURCES, 'Stronger.java')])
  const entrants = Array.from({ length: bots }, (_, n) => {
    const command = n % 2 === 0 ? `["./${game}"]` : `[${JSON.stringify(python)}, "${game}.py"]`
    return `[[entrants]]\nname = "Bot ${n}"\ncommand = ${command}\n`
  })
  for (const repetitions of [few, many]) {
    const head = `game = "${game}"\nseed = "controllers"\n${options === undefined ? '' : `[options]\n${options}\n`}`
    writeFileSync(
      join(folder, `${repetitions}.toml`),
      `${head}[format]\n${format}\nrepetitions = ${repetitions}\n${entrants.join('')}`,
    )
  }
}

/** Games a second through `agon run`: what is the same however many are played is left out. */
function ours({ few, many, matches }: Contest, folder: string, round: number): number {
  const run = (repetitions: number): number => {
    const place = ['--out', `out-${round}-${repetitions}`, '--workspace', `place-${round}-${repetitions}`]
    const began = performance.now()
    execFileSync(process.execPath, [MAIN, 'run', `${repetitions}.toml`, ...place, '--json'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    return performance.now() - began
  }
  const least = run(few)
  return (((many - few) * matches) / (run(many) - least)) * 1000
}

/** Games a second of the plain controller. */
function plain({ game, bots, games, controller }: Contest, folder: string): number {
  const [program = '', ...words] = controller(folder, games)
  const commands = Array.from({ length: bots }, (_, n) =>
    n % 2 === 0 ? join(folder, game) : `${python} ${join(folder, `${game}.py`)}`,
  )
  return games / Number(execFileSync(program, [...words, ...commands], { encoding: 'utf8' }))
}
