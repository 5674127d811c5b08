import { execFile } from 'node:child_process'
import { realpathSync, statSync } from 'node:fs'
import { cpus, hostname } from 'node:os'
import { basename, dirname, isAbsolute } from 'node:path'
import { kindOf, realPath, asking, findProgram, isFound } from '../files/index.js'

/** A program prints its version within this many ms. */
const VERSION_MS = 5000

/** By a program's file, with its size and time: what it printed. A Java takes long to start. */
const printed = new Map<string, Promise<string>>()

/** What builds and runs entrants, with versions, as one text, as others may make another bot; missing ones by name. */
export async function toolchainOf(words: readonly string[]): Promise<string> {
  const versions = await Promise.all([...new Set(words)].map(versionOf))
  return [...new Set(versions)].sort().join('; ')
}

async function versionOf(word: string): Promise<string> {
  if (word === process.execPath) return `node ${process.version}`
  const program = await findProgram(word)
  if (program === undefined && !(isAbsolute(word) && kindOf(word) === 'file')) return basename(word)
  const path = realpathSync(program ?? word)
  const { size, mtimeMs } = statSync(path)
  // What the host may not start is identified by its size.
  if (program === undefined || !isFound(program)) return `${basename(path)}: ${size} bytes`
  const key = `${path} ${size} ${mtimeMs}`
  const version = printed.get(key) ?? askVersion(path).then((text) => text ?? `${size} bytes`)
  printed.set(key, version)
  return `${basename(path)}: ${await version}`
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
 * A text that changes when something is installed on this machine, or these programs change: what a build finds beside the programs that it
 * names. Another machine has another.
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

/** The first line that has a number; undefined for a program that prints no version (dash). */
function askVersion(path: string): Promise<string | undefined> {
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

export const COMMON = [
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
 * The programs of these texts, which `toolchainOf` has made, with their versions, and this Node. No program is started for that: a Java and a Go
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

export async function toolsHere(): Promise<Readonly<Record<string, string>>> {
  const found = await Promise.all(COMMON.map(async (word) => [word, await toolchainOf([word])] as const))
  // Of one that is not here there is but the name.
  return Object.fromEntries(
    found.flatMap(([word, text]) => (text === word ? [] : [[word, text.replace(/^[^:]*: /, '')]])),
  )
}
