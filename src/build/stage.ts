import { createHmac, randomBytes } from 'node:crypto'
import {
  closeSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { codeOf, EXHAUSTED } from '../sandbox/index.js'
import {
  attempt,
  copyFound,
  Folder,
  hashOf,
  hashTree,
  isInside,
  isOwn,
  kindOf,
  makeOwnFolder,
  makeWay,
  modeOf,
  namesIn,
  openBelow,
  openToRead,
  paced,
  readPlain,
  removeTree,
  sha256,
  TreeFault,
  NAME,
  sweep,
  thisProcess,
  userSecret,
} from '../files/index.js'
import type { Source } from './source.js'
import type { SourceEntry } from './source-files.js'

/** A source's files by their names in its root, sorted. */
export type Listing = readonly Listed[]

/** A file on the host, a text of agon's own or from another machine, or a link. */
export interface Listed {
  readonly name: string
  readonly mode: number
  readonly from: SourceEntry | { readonly text: string | Uint8Array }
  /** SHA-256 of its contents, or of where a link leads. */
  readonly hash: string
}

/**
 * What is copied of a source, and its hash: SHA-256 over files' names, modes and contents, not times and place. Throws
 * TreeFault for what is no regular file, and past `most` bytes.
 */
export async function listSource(
  source: Source,
  isCommand: boolean,
  most: number,
): Promise<{ listing: Listing; hash: string }> {
  const listed: Listed[] = isCommand ? packageType(source) : []
  let size = 0
  for (const place of source.files) {
    const name = relative(source.root, place.path)
    if (place.target !== undefined) {
      listed.push({ name, mode: 0, from: place, hash: `link to ${place.target}` })
      continue
    }
    const { fd, stat } = openBelow(place.root, place.below)
    try {
      if ((size += stat.size) > most)
        throw new TreeFault(name, `goes beyond ${most} bytes in all`, 'name less, or raise the limit source')
      listed.push({ name, mode: modeOf(stat.mode), from: place, hash: await paced(hashOf(fd, stat.size)) })
    } finally {
      closeSync(fd)
    }
  }
  listed.sort((a, b) => (a.name < b.name ? -1 : 1))
  return { listing: listed, hash: sha256(JSON.stringify(listed.map(({ name, mode, hash }) => [name, mode, hash]))) }
}

/** Copies a source's files into a folder. Throws TreeFault where one is not as it was listed. */
export async function copySource(listed: Listing, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const { name, mode, from, hash } of listed) {
    makeWay(folder, name)
    const to = join(folder, name)
    if ('text' in from) writeFileSync(to, from.text, { mode })
    else if (from.target !== undefined) symlinkSync(from.target, to)
    else {
      const { fd, stat } = openBelow(from.root, from.below)
      const copied = await paced(copyFound({ path: name, stat, open: () => ({ fd, stat }) }, to, mode))
      if (copied !== hash) throw new TreeFault(name, 'changed while it was read', 'start again')
    }
  }
}

/** A package.json above a .js file makes it an ES module for Node: the copy must be taken for the same. */
function packageType({ root, files }: Source): Listed[] {
  const paths = files.map(({ path }) => path)
  const script = paths.find((file) => /\.[jt]s$/.test(file))
  if (script === undefined) return []
  let folder = dirname(script)
  while (kindOf(join(folder, 'package.json')) === undefined && dirname(folder) !== folder) folder = dirname(folder)
  if (isInside(root, folder) && paths.includes(join(folder, 'package.json'))) return []
  if (paths.includes(join(root, 'package.json'))) return []
  const type = typeOf(join(folder, 'package.json'))
  const text = `${JSON.stringify(type === undefined ? {} : { type })}\n`
  return [{ name: 'package.json', mode: 0o644, from: { text }, hash: sha256(text) }]
}

/** Only Node's two words: nothing else of a file that may lie above the source gets in. */
function typeOf(manifest: string): 'module' | 'commonjs' | undefined {
  const text = readPlain(manifest, 1024 ** 2)?.toString('utf8') ?? ''
  const type = attempt(() => (JSON.parse(text) as { readonly type?: unknown } | null)?.type)
  return type === 'module' || type === 'commonjs' ? type : undefined
}

/** A hash of a folder's names and contents; links count by where they point. */
export function folderHash(folder: string): Promise<string> {
  return paced(hashTree(folder, new Set()))
}

/** Removes what is staged and built of a source while nothing runs there; at `stop` the next stage does the rest. */
export async function removeStaged(workspace: string, hash: string, stop?: AbortSignal): Promise<void> {
  const folder = join(workspace, STAGED)
  // At once: whoever wants this source now stages it anew.
  const asides = namesIn(folder)
    .filter((name) => name.startsWith(`${hash}-`))
    .flatMap((name) => {
      const aside = join(folder, halfMade(hash))
      return renamed(join(folder, name), aside) ? [aside] : []
    })
  for (const aside of asides) await removeTree(aside, stop)
}

const STAGED = 'entrants'

/** Fills a folder, or makes another below it. Returns the one to be placed. */
export type Fill = (folder: string) => Promise<string>

/** What is half made, or put aside for removal, with its owner. */
const HALF_MADE = new RegExp(`^\\.[0-9a-f]+-(${NAME})-[0-9a-f]+$`)

/** A name for what is half made of a key, or put aside: no other process, thread or stage has it. */
const halfMade = (key: string): string => `.${key.slice(0, 16)}-${thisProcess()}-${randomBytes(8).toString('hex')}`

/** Beside what was placed, in one folder. The seal's time is the last use. */
const FILES = 'files'
const SEAL = 'seal'

/** What a stage keeps, the last used first: bytes in all, and days without use. */
export interface Kept {
  readonly bytes: number
  readonly days: number
}
const DAY_MS = 24 * 3_600_000

/** By place: what this process's stages are making. Other processes may make it at once. */
const making = new Map<string, Promise<unknown>>()

/**
 * The staged sources of a workspace: each folder appears whole, under its key, or not at all.
 *
 * A workspace may come from a stranger, who may have put other files under a source's key: the host would start these
 * as a house bot. So the user's secret is in each folder's name and seal. What another user placed, or has changed, is
 * made anew.
 *
 * Who wants a key that this process is making waits for it. Of several processes each makes it aside, under a name of
 * its own; the first renames it to its place, and the others take what lies there.
 */
export class Stage {
  private readonly folder: string
  private readonly secret: Buffer

  /** `name`: its folder in the workspace; `kept`: absent: all is. */
  constructor(
    workspace: string,
    name = STAGED,
    private readonly kept?: Kept,
  ) {
    this.folder = join(workspace, name)
    this.secret = userSecret()
    makeOwnFolder(this.folder)
    // What processes that have ended left half made.
    sweep(this.folder, (half) => HALF_MADE.exec(half)?.[1])
  }

  /** This key's folder; if absent, `fill` makes its contents. If that throws, nothing is left behind. */
  async place(key: string, fill: Fill): Promise<string> {
    const place = resolve(this.folder, `${key}-${this.mac(key).slice(0, 16)}`)
    // It may fail for who is first, whose error speaks of their entrant.
    for (let other = making.get(place); other !== undefined; other = making.get(place))
      await other.catch(() => undefined)
    const made = this.make(key, place, fill)
    making.set(place, made)
    try {
      return await made
    } finally {
      making.delete(place)
    }
  }

  private async make(key: string, place: string, fill: Fill): Promise<string> {
    const files = join(place, FILES)
    while (isThere(place))
      if (await this.keeps(key, place)) {
        if (this.kept !== undefined) utimesSync(join(place, SEAL), new Date(), new Date())
        return files
      }
    const temporary = join(this.folder, halfMade(key))
    const whole = join(temporary, 'whole')
    mkdirSync(temporary)
    try {
      mkdirSync(whole, { mode: 0o755 })
      const filling = join(temporary, 'filling')
      mkdirSync(filling)
      renameSync(await fill(filling), join(whole, FILES))
      await paced(openToRead(join(whole, FILES)))
      writeFileSync(join(whole, SEAL), await this.sealOf(key, join(whole, FILES)))
      if (!isThere(place)) renameSync(whole, place)
      if (this.kept !== undefined) await this.trim(this.kept)
    } catch (error) {
      // Another process may have been first; its folder will do.
      if (!isThere(place)) throw error
    } finally {
      await removeTree(temporary)
    }
    return files
  }

  /** Whether what lies at its place is whole; else it is removed, unless another process remade it. */
  private async keeps(key: string, place: string): Promise<boolean> {
    // While it is open, no other folder gets its number.
    const judged = attempt(() => Folder.open(place))
    try {
      const number = numberOf(place)
      if (await this.isWhole(key, place)) return true
      const aside = join(this.folder, halfMade(key))
      if (!renamed(place, aside)) return false
      // Only what was moved aside is certain: another process may have put its own there since.
      const isAnothers = numberOf(aside) !== number
      if (!isAnothers || !renamed(aside, place)) await removeTree(aside)
      return false
    } finally {
      judged?.close()
    }
  }

  /** Whether this user's agon placed it, and nothing has changed. */
  private async isWhole(key: string, place: string): Promise<boolean> {
    try {
      const seal = isOwn(place, 'folder') ? readPlain(join(place, SEAL), 64)?.toString('utf8') : undefined
      return seal !== undefined && seal === (await this.sealOf(key, join(place, FILES)))
    } catch (error) {
      // Exhaustion of the machine says nothing of the folder.
      if (EXHAUSTED.has(codeOf(error))) throw error
      return false
    }
  }

  /** Removes what is older, or more, than is kept. */
  private async trim({ bytes, days }: Kept): Promise<void> {
    const all = namesIn(this.folder)
      .filter((name) => !HALF_MADE.test(name))
      .map((name) => ({ name, at: lstatSync(join(this.folder, name, SEAL), IF_THERE)?.mtimeMs ?? 0 }))
      .sort((a, b) => b.at - a.at)
    let sum = 0
    for (const { name, at } of all) {
      sum += bytesIn(join(this.folder, name))
      if (sum <= bytes && at > Date.now() - days * DAY_MS) continue
      // Renamed first, so no process finds half of it.
      const aside = join(this.folder, halfMade(name))
      if (renamed(join(this.folder, name), aside)) await removeTree(aside)
    }
  }

  private async sealOf(key: string, files: string): Promise<string> {
    return this.mac(`${key} ${await folderHash(files)}`)
  }

  private mac(text: string): string {
    return createHmac('sha256', this.secret).update(text).digest('hex')
  }
}

/** What a tree of plain files takes on a disk at least. */
function bytesIn(folder: string): number {
  let sum = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    sum += BLOCK + (entry.isFile() ? (lstatSync(join(entry.parentPath, entry.name), IF_THERE)?.size ?? 0) : 0)
  return sum
}
const BLOCK = 4096
const IF_THERE = { throwIfNoEntry: false } as const

/** False: it is gone, or something lies where it would go. */
function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (['ENOENT', 'EEXIST', 'ENOTEMPTY'].includes(codeOf(error))) return false
    throw error
  }
}

/** Which of all that is on the disk lies there. */
const numberOf = (path: string): number | undefined => lstatSync(path, IF_THERE)?.ino
const isThere = (path: string): boolean => numberOf(path) !== undefined
