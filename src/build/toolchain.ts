import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, hostname } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { lookUp } from '../core/index.js'
import { kindOf, readPlain, realPath, asking, findProgram, isFound } from '../files/index.js'

/** A program prints its version within this many milliseconds. */
const VERSION_MS = 5000

/**
 * What builds and runs entrants, with versions: another interpreter or compiler may make another bot of the same source. What a
 * program printed is remembered in the workspace for as long as its file stays the same: a Java takes long to start.
 */
export class Toolchains {
  private readonly file: string
  private readonly known: Record<string, string>
  private readonly asked = new Map<string, Promise<string>>()

  constructor(workspace: string) {
    this.file = join(workspace, 'toolchains.json')
    this.known = read(this.file)
  }

  /** The programs with their versions, each once, as one text; those that this machine lacks by their name alone. */
  async of(words: readonly string[]): Promise<string> {
    const versions = await Promise.all([...new Set(words)].map((word) => this.version(word)))
    return [...new Set(versions)].sort().join('; ')
  }

  private async version(word: string): Promise<string> {
    if (word === process.execPath) return `node ${process.version}`
    const program = await findProgram(word)
    if (program === undefined && !(isAbsolute(word) && kindOf(word) === 'file')) return basename(word)
    const path = realpathSync(program ?? word)
    const { size, mtimeMs } = statSync(path)
    // What the host may not start is identified by its size.
    if (program === undefined || !isFound(program)) return `${basename(path)}: ${size} bytes`
    const key = `${path} ${size} ${Math.floor(mtimeMs)}`
    const asked = this.asked.get(key) ?? this.ask(key, path, size)
    this.asked.set(key, asked)
    return asked
  }

  private async ask(key: string, path: string, size: number): Promise<string> {
    const version = lookUp(this.known, key) ?? (await versionOf(path)) ?? `${size} bytes`
    if (lookUp(this.known, key) === undefined) {
      this.known[key] = version
      this.save()
    }
    return `${basename(path)}: ${version}`
  }

  /** Written aside, where nothing is yet, so that no link is followed. What cannot be kept is asked for again. */
  private save(): void {
    const aside = `${this.file}.${randomUUID()}`
    try {
      writeFileSync(aside, `${JSON.stringify(this.known, undefined, 2)}\n`, { flag: 'wx' })
      renameSync(aside, this.file)
    } catch {
      rmSync(aside, { force: true })
    }
  }
}

/** Folders and files that change with what is installed on a machine. */
const INSTALLED = [
  '/var/lib/dpkg/status',
  '/lib/apk/db/installed',
  '/var/lib/rpm',
  '/usr/lib/sysimage/rpm',
  '/var/lib/pacman/local',
  '/etc/os-release',
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/opt',
  '/nix/var/nix/profiles',
  ...['bin', 'include', 'lib', 'lib64', 'share'].flatMap((name) => [`/usr/${name}`, `/usr/local/${name}`]),
]

/**
 * A text that is another one as soon as something is installed on this machine, or these programs change: what a build finds beside the
 * programs that it names. On another machine it is another one.
 */
export function machineMark(programs: readonly string[]): string {
  const files = programs.filter(isAbsolute).flatMap((program) => [program, realPath(program) ?? program])
  const marks = [...INSTALLED, ...files, ...files.map((file) => dirname(file))].map(markOf)
  return JSON.stringify([process.arch, hostname(), cpus()[0]?.model, ...new Set(marks)])
}

function markOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? '' : `${path} ${stat.ino} ${stat.size} ${stat.mtimeMs}`
}

/** Bytes of the file that are read: it has a line for each program. */
const MOST_BYTES = 1024 ** 2

/** The file may be a stranger's: no link is followed, and no pipe waited for. */
function read(file: string): Record<string, string> {
  try {
    const known: unknown = JSON.parse(String(readPlain(file, MOST_BYTES)))
    // What no program can have printed is asked for again.
    return Object.fromEntries(
      Object.entries(known ?? {}).filter((entry): entry is [string, string] => isAnswer(entry[1])),
    )
  } catch {
    return {}
  }
}

const isAnswer = (version: unknown): boolean => typeof version === 'string' && /^\P{Cc}{1,500}$/u.test(version)

/** The first line that has a number; undefined for a program that prints no version (dash). */
function versionOf(path: string): Promise<string | undefined> {
  return new Promise((done) => {
    const child = execFile(
      path,
      ['--version'],
      { timeout: VERSION_MS, encoding: 'utf8', ...asking() },
      (error, stdout, stderr) => {
        const lines = error ? [] : `${stdout}\n${stderr}`.split('\n')
        done(lines.find((line) => /\d/.test(line))?.trim())
      },
    )
    child.stdin?.end()
  })
}

/** Programs that entrants are often built and run with. */
const COMMON = [
  'bash',
  'cc',
  'g++',
  'go',
  'java',
  'javac',
  'julia',
  'lua',
  'node',
  'perl',
  'php',
  'python3',
  'ruby',
  'rustc',
  'sh',
]

/**
 * The programs of these texts, which `Toolchains` has made, with their versions, and this Node. No program is started for that: a Java and a Go
 * take longer than a short run.
 */
export const toolsNamed = (texts: readonly string[]): Readonly<Record<string, string>> => ({
  node: process.version,
  ...Object.fromEntries(
    texts
      .flatMap((text) => text.split('; '))
      .flatMap((one) => {
        const [name = '', ...version] = one.split(': ')
        return version.length === 0 ? [] : [[name, version.join(': ')]]
      }),
  ),
})

/** Which of the common programs this machine has, with their versions. What they print is remembered in the workspace. */
export async function toolsHere(workspace: string): Promise<Readonly<Record<string, string>>> {
  const tools = new Toolchains(workspace)
  const found = await Promise.all(COMMON.map(async (word) => [word, await tools.of([word])] as const))
  // Of one that is not here there is but the name.
  return Object.fromEntries(
    found.flatMap(([word, text]) => (text === word ? [] : [[word, text.replace(/^[^:]*: /, '')]])),
  )
}
