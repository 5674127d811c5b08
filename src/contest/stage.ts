import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isAlive } from '../cells/index.js'
import { isInside } from './paths.js'
import type { Source } from './source.js'

/** A source's files by their names in its root, sorted. */
export type Listing = readonly {
  readonly name: string
  readonly mode: number
  readonly from: string | { readonly text: string }
}[]

/** What is copied of a source, and its hash: SHA-256 over the files' names, modes and contents, whatever their times and place. */
export function listSource(source: Source, isCommand: boolean): { listing: Listing; hash: string } {
  const files = source.files.map((file) => ({
    name: relative(source.root, file),
    // Only whether it may be started matters, not the umask of who wrote it.
    mode: statSync(file).mode & 0o111 ? 0o755 : 0o644,
    from: file,
  }))
  const listing: Listing = [...files, ...(isCommand ? packageType(source) : [])].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
  const digests = listing.map(({ name, mode, from }) => [
    name,
    mode,
    sha256(typeof from === 'string' ? readFileSync(from) : from.text),
  ])
  return { listing, hash: sha256(JSON.stringify(digests)) }
}

/** In a folder that is sealed: the hash of all else in it. */
const SEAL = '.agon-seal'

function isWhole(folder: string): boolean {
  try {
    return readFileSync(join(folder, SEAL), 'utf8') === folderHash(folder)
  } catch {
    return false
  }
}

/** A hash of all that lies in a folder, by names and contents, but for its seal; links count by where they point. */
export function folderHash(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const digests = entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path)
    if (name === SEAL) return []
    if (entry.isSymbolicLink()) return [[name, readlinkSync(path)]]
    return entry.isFile() ? [[name, sha256(readFileSync(path))]] : []
  })
  return sha256(JSON.stringify(digests.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))))
}

export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

/** Whether Node takes a .js file for an ES module is told by a package.json above it: the copy must be taken for the same. */
function packageType({ root, files }: Source): { name: string; mode: number; from: { text: string } }[] {
  const script = files.find((file) => /\.[jt]s$/.test(file))
  if (script === undefined) return []
  let folder = dirname(script)
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  if (isInside(root, folder) && files.includes(join(folder, 'package.json'))) return []
  const type = typeOf(join(folder, 'package.json'))
  return [
    { name: 'package.json', mode: 0o644, from: { text: `${JSON.stringify(type === undefined ? {} : { type })}\n` } },
  ].filter(({ name }) => !files.includes(join(root, name)))
}

function typeOf(manifest: string): unknown {
  try {
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { type?: unknown }).type
  } catch {
    return undefined
  }
}

/** Copies a source's files into a folder. */
export function copySource(listing: Listing, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const { name, mode, from } of listing) {
    const to = join(folder, name)
    mkdirSync(dirname(to), { recursive: true })
    if (typeof from === 'string') copyFileSync(from, to)
    else writeFileSync(to, from.text)
    chmodSync(to, mode)
  }
}

/** The staged sources of a workspace: each folder appears whole, under its key, or not at all. */
export class Stage {
  private readonly folder: string
  private readonly making = new Map<string, Promise<string>>()
  private made = 0

  constructor(workspace: string) {
    this.folder = join(workspace, 'entrants')
    mkdirSync(this.folder, { recursive: true })
    this.sweep()
  }

  /**
   * The folder of this key; where it is not there, `fill` makes its contents. What `fill` throws leaves nothing behind. What is
   * `sealed` holds a hash of itself: where that does not agree any more, it is made anew.
   */
  place(key: string, fill: (folder: string) => void | Promise<void>, sealed = false): Promise<string> {
    const making = this.making.get(key) ?? this.make(key, fill, sealed)
    this.making.set(key, making)
    return making
  }

  private async make(key: string, fill: (folder: string) => void | Promise<void>, sealed: boolean): Promise<string> {
    const place = join(this.folder, key)
    if (existsSync(place)) {
      if (!sealed || isWhole(place)) return place
      rmSync(place, { recursive: true, force: true })
    }
    const temporary = join(this.folder, `.${key.slice(0, 16)}-${process.pid}-${this.made++}`)
    try {
      mkdirSync(temporary)
      await fill(temporary)
      openToRead(temporary)
      if (sealed) writeFileSync(join(temporary, SEAL), folderHash(temporary))
      if (!existsSync(place)) renameSync(temporary, place)
    } catch (error) {
      // Another run may have been first; its folder is as good.
      if (!existsSync(place)) throw error
    } finally {
      rmSync(temporary, { recursive: true, force: true })
    }
    return place
  }

  /** Removes what killed runs left half made. */
  private sweep(): void {
    for (const name of readdirSync(this.folder)) {
      const pid = /^\.[0-9a-f]+-(\d+)-\d+$/.exec(name)?.[1]
      if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(this.folder, name), { recursive: true, force: true })
    }
  }
}

/** Lets the user of a cell read what is staged, whatever the umask of who staged it. */
function openToRead(path: string): void {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return
  const mode = stat.mode | (stat.isDirectory() || stat.mode & 0o100 ? 0o555 : 0o444)
  if (mode !== stat.mode) chmodSync(path, mode & 0o777)
  if (stat.isDirectory()) for (const name of readdirSync(path)) openToRead(join(path, name))
}
