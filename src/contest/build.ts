import { spawn } from 'node:child_process'
import { lchownSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { GameKit } from '../core/index.js'
import { BUILD_LIMITS, type CellMaker, PLACES, cellWords, describeEnding, lodge, nextUser } from '../cells/index.js'
import { className } from './class-entry.js'
import { gameFolder } from './load-game.js'
import type { Staged } from './paths.js'
import { findProgram } from './program.js'
import { sha256 } from './stage.js'
import { joinCommand } from './words.js'

/** A build may take this long, in milliseconds, and its log keeps the first this many bytes. */
export const BUILD_MS = 120_000
const LOG_BYTES = 64 * 1024

/** An entrant that cannot play on this machine, or as it is; the contest goes on without it. */
export class NotAdmitted extends Error {
  constructor(
    readonly why: string,
    readonly log?: string,
  ) {
    super(why)
  }
}

/** Runs an entrant's build commands in its copy. Throws NotAdmitted with the log where one fails. */
export async function runBuild(
  commands: readonly (readonly string[])[],
  staged: Staged,
  maker?: CellMaker,
): Promise<void> {
  const { home, folder } = staged
  mkdirSync(home, { recursive: true })
  for (const command of commands) {
    const words = command.map((word) => staged.rewriteBuild(word))
    const own = words[0]?.includes('/') ? staged.find(words[0]) : undefined
    await runStep(
      own === undefined ? words : [own, ...words.slice(1)],
      home,
      folder,
      BUILD_MS,
      maker && { maker, reads: [] },
    )
  }
}

/** Runs one command of a build in `home`, a folder in the copy. Throws NotAdmitted with the log where it fails. */
export async function runStep(
  command: readonly string[],
  home: string,
  folder: string,
  limit = BUILD_MS,
  held?: Held,
): Promise<void> {
  const [word = '', ...rest] = command
  const program = await findProgram(word)
  const shown = [word, ...rest].map((each) => fromHere(home, each))
  if (program === undefined) {
    const whole = word.includes(' ') ? ' (a command is one text, or a list of its words)' : ''
    throw new NotAdmitted(`this machine has no ${shown[0]}, which builds it${whole}`)
  }
  const argv = [program, ...shown.slice(1)]
  const { log, trouble } =
    held === undefined ? await run(argv, home, limit) : await runInCell(held, argv, home, folder, limit)
  if (trouble === undefined) return
  throw new NotAdmitted(`its build failed: ${joinCommand(shown)} ${trouble}`, log.replaceAll(folder, '.'))
}

/** A path is told relative to where the build runs: neither the log nor what is built names a folder that will be renamed. */
function fromHere(home: string, word: string): string {
  const at = word.indexOf(home)
  if (at < 0) return word
  const path = word.slice(at)
  return `${word.slice(0, at)}${path === home ? '.' : path.slice(home.length + 1)}`
}

async function run(argv: readonly string[], cwd: string, limit: number): Promise<{ log: string; trouble?: string }> {
  const [file = '', ...args] = argv
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  const listen = (chunk: Buffer): void => {
    if (log.length < LOG_BYTES) log = (log + chunk.toString('utf8')).slice(0, LOG_BYTES)
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The whole group has ended already.
    }
  }
  process.once('exit', kill)
  let late = false
  const timer = setTimeout(() => {
    late = true
    kill()
  }, limit)
  const trouble = await new Promise<string | undefined>((done) => {
    child.once('error', (error) => done(`did not start: ${error.message}`))
    // What it started in the background must not outlive it, nor hold the pipes open.
    child.once('exit', kill)
    child.once('close', (code, signal) =>
      done(code === 0 ? undefined : signal === null ? `ended with exit code ${code}` : `was killed (${signal})`),
    )
  })
  clearTimeout(timer)
  process.off('exit', kill)
  return { log, ...(late ? { trouble: `took longer than ${limit / 1000} s` } : trouble !== undefined && { trouble }) }
}

/** A stranger's build is held: in a cell where its copy can be written, and the shim read. */
export interface Held {
  readonly maker: CellMaker
  readonly reads: readonly string[]
}

async function runInCell(
  { maker, reads }: Held,
  argv: readonly string[],
  home: string,
  folder: string,
  limit: number,
): Promise<{ log: string; trouble?: string }> {
  const user = nextUser()
  if (user !== undefined) giveTo(user, folder)
  const lodger = { argv, source: folder, limits: BUILD_LIMITS, reads, building: true }
  const lodging = await lodge(maker, { ...lodger, ...(user !== undefined && { user }) })
  try {
    const { end, stop, out, stderr } = await lodging.cell.turn({
      argv: cellWords(argv, folder),
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: PLACES.tmp, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
      folder: cellWords([home], folder)[0] ?? PLACES.source,
      limit,
      output: BUILD_LIMITS.errors,
      errors: BUILD_LIMITS.errors,
      wipe: false,
    })
    const log = (Buffer.from(out, 'latin1').toString() + stderr.toString()).slice(0, LOG_BYTES)
    if (stop === 'time') return { log, trouble: `took longer than ${limit / 1000} s` }
    if (stop !== undefined) return { log, trouble: 'printed without end' }
    return 'code' in end && end.code === 0 ? { log } : { log, trouble: describeEnding(end) }
  } finally {
    await lodging.close()
    if (user !== undefined) giveTo(0, folder)
  }
}

/** Makes a folder and all in it a user's; links are themselves, not what they point to. */
function giveTo(user: number, path: string): void {
  lchownSync(path, user, user)
  if (!lstatSync(path).isDirectory()) return
  for (const name of readdirSync(path)) giveTo(user, join(path, name))
}

/** The program that makes a class a program of a wire. */
export interface Shim {
  readonly folder: string
  readonly command: readonly string[]
  /** The headers that it brings. */
  readonly headers: ReadonlySet<string>
  /** Of all its files: another shim, another program. */
  readonly hash: string
}

/** The shim of a wire, in the game's own folder: build.json tells its command. */
export function readShim(kit: GameKit, name: string): Shim {
  const folder = join(gameFolder(kit), name)
  const { command } = JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8')) as { command: readonly string[] }
  const files = readdirSync(folder)
    .filter((file) => /\.(?:json|[ch]pp|cc|[ch])$/.test(file))
    .sort()
  const hash = sha256(JSON.stringify(files.map((file) => [file, sha256(readFileSync(join(folder, file)))])))
  return { folder, command, headers: new Set(files.filter((file) => /\.(?:h|hpp)$/.test(file))), hash }
}

/** The shim's command for one class: its placeholders filled, `{sources}` with a word for each. */
export function shimCommand(shim: Shim, header: string, sources: readonly string[], out: string): string[] {
  const values: Record<string, string> = {
    shim: shim.folder,
    folder: dirname(header),
    header: basename(header),
    class: className(header),
    out,
  }
  return shim.command.flatMap((word) =>
    word === '{sources}' ? sources : [word.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)],
  )
}
