import { isUtf8 } from 'node:buffer'
import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { TREE_BOUNDS, TreeFault } from './bounds.js'
import { pause } from './pace.js'

/*
 * Theory of operation.
 *
 * What a stranger sends is files, or an archive. It is taken apart in memory, within bounds on bytes and files that hold meanwhile and not
 * after, and only plain files come out: a link, a device, a name that leads elsewhere or comes twice refuses the whole. What a Mac or
 * Windows puts beside the files is left out, and then a folder that holds everything else. The files are written into a new folder, where
 * nothing lies that could be followed; names are looked at once more as they are written.
 */

/** The most that an upload may hold, unpacked. */
const UPLOAD_BOUNDS = { bytes: 64 * 1024 ** 2, files: 2000, depth: 16 } as const
/** An archive's entries, folders included: they are empty, and compress to nothing, but each is read. */
const ENTRIES = 10_000
/** Bytes of a tar read at once: others are answered in between. */
const PIECE = 256 * 1024

export interface SentFile {
  /** Below the folder that it will lie in, with slashes. */
  readonly path: string
  readonly data: Uint8Array
  /** Absent: its origin has no such mark; it is one that a system can start. */
  readonly executable?: boolean | undefined
}

/** Takes a zip, tar or tar.gz apart; `onLitter` gets names left out. Throws TreeFault for what agon refuses. */
export async function unpack(archive: Uint8Array, onLitter?: (name: string) => void): Promise<readonly SentFile[]> {
  const data = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  const taken = new Taken(onLitter)
  try {
    if (data.subarray(0, 4).equals(ZIP) || data.subarray(0, 4).equals(EMPTY_ZIP)) await unzip(data, taken)
    else await untar(data.subarray(0, 2).equals(GZIP) ? await inflate(data) : data, taken)
    if (taken.files.length === 0)
      throw new TreeFault('the archive', 'holds no file', 'send a .zip or .tar.gz with the bot in it')
  } catch (error) {
    if (error instanceof TreeFault) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new TreeFault('the archive', `cannot be read (${why})`, 'make it again, as .zip or .tar.gz')
  }
  return withoutTop(taken.files)
}

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1')
const EMPTY_ZIP = Buffer.from('PK\u0005\u0006', 'latin1')
const GZIP = Buffer.from([0x1f, 0x8b])
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

class Taken {
  readonly files: SentFile[] = []
  private readonly names = new Set<string>()
  private bytes = 0
  private entries = 0

  constructor(private readonly onLitter?: (name: string) => void) {}

  /** Announces an entry of an archive, whatever it is. */
  count(): void {
    if (++this.entries > ENTRIES)
      throw new TreeFault('it', `has more than ${ENTRIES} files and folders`, 'send what the bot needs alone')
  }

  /** Announces a file's name and size. A folder is its files. Returns the name as kept; undefined: it is left out. */
  expect(name: string, size: number): string | undefined {
    const path = pathOf(name)
    if (isLitter(path)) {
      this.onLitter?.(path)
      return undefined
    }
    if (this.names.has(folded(path))) throw new TreeFault(shown(path), 'comes twice', 'send one of them')
    this.names.add(folded(path))
    if (this.names.size > UPLOAD_BOUNDS.files)
      throw new TreeFault('it', `has more than ${UPLOAD_BOUNDS.files} files`, 'send what the bot needs alone')
    this.bytes += size
    if (!(this.bytes <= UPLOAD_BOUNDS.bytes)) throw tooLarge()
    return path
  }

  add(path: string, chunks: readonly Uint8Array[], executable: boolean | undefined): void {
    this.files.push({ path, data: Buffer.concat(chunks), executable })
  }
}

const tooLarge = (): TreeFault =>
  new TreeFault('it', `has more than ${UPLOAD_BOUNDS.bytes} bytes unpacked`, 'send what the bot needs alone')

async function inflate(data: Buffer): Promise<Buffer> {
  try {
    // A tar's headers and padding: at most 1 KiB a file, with room for long names.
    const maxOutputLength = UPLOAD_BOUNDS.bytes + UPLOAD_BOUNDS.files * 8192
    return await promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)(data, { maxOutputLength })
  } catch (error) {
    throw error instanceof RangeError ? tooLarge() : error
  }
}

async function untar(data: Buffer, taken: Taken): Promise<void> {
  // The parser would unpack what is compressed once more without a bound.
  if (data.subarray(0, 2).equals(GZIP) || data.subarray(0, 4).equals(ZSTD)) throw new Error('it is compressed twice')
  const { Parser } = await import('tar')
  let refused: unknown
  const refuse = (error: unknown): void => void (refused ??= error)
  const parser = new Parser({
    strict: true,
    maxMetaEntrySize: 64 * 1024,
    onReadEntry(entry) {
      try {
        if (refused !== undefined) return entry.resume()
        taken.count()
        if (FOLDERS.has(entry.type)) return entry.resume()
        if (!PLAIN.has(entry.type))
          throw new TreeFault(shown(entry.path), `is a ${inWords(entry.type)}`, 'put the file itself there')
        const path = taken.expect(entry.path, entry.size)
        if (path === undefined) return entry.resume()
        const chunks: Buffer[] = []
        entry.on('data', (chunk: Buffer) => chunks.push(chunk))
        entry.on('end', () => taken.add(path, chunks, ((entry.mode ?? 0) & 0o111) !== 0))
      } catch (error) {
        refuse(error)
        entry.resume()
      }
    },
  })
  parser.on('ignoredEntry', ({ path }: { path: string }) =>
    refuse(new TreeFault(shown(path), 'is of a kind that agon does not take', 'put regular files there')),
  )
  parser.on('error', refuse)
  const ended = new Promise<void>((done) => {
    parser.on('end', done)
    // Once it has failed it may never end.
    parser.on('error', () => done())
  })
  for (let at = 0; at < data.length && refused === undefined; at += PIECE) {
    parser.write(data.subarray(at, at + PIECE))
    await setImmediate()
  }
  if (refused === undefined) {
    parser.end()
    await ended
  }
  if (refused !== undefined) throw refused as Error
}

const PLAIN = new Set(['File', 'OldFile', 'ContiguousFile'])
const FOLDERS = new Set(['Directory', 'GNUDumpDir'])
const inWords = (type: string): string => type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()

async function unzip(data: Buffer, taken: Taken): Promise<void> {
  const { fromBufferPromise, getFileNameLowLevel } = await import('yauzl')
  const zip = await fromBufferPromise(data, { validateEntrySizes: true, decodeStrings: false })
  for await (const entry of zip.eachEntry()) {
    taken.count()
    const { fileNameRaw: bytes, generalPurposeBitFlag: flags, extraFields } = entry
    // A Mac writes UTF-8 and does not say so; others write an old code page. Windows has \ for /.
    const name = getFileNameLowLevel(isUtf8(bytes) ? flags | UTF8 : flags, bytes, extraFields, false)
    const mode = entry.externalFileAttributes >>> 16
    const kind = mode & 0o170000
    if (name.endsWith('/') && (kind === 0 || kind === 0o040000)) continue
    if (kind !== 0 && kind !== 0o100000)
      throw new TreeFault(shown(name), 'is a link or a special file', 'put the file itself there')
    const path = taken.expect(name, entry.uncompressedSize)
    if (path === undefined) continue
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    const isMarked = mode !== 0 && UNIX.has(entry.versionMadeBy >>> 8)
    taken.add(path, chunks, isMarked ? (mode & 0o111) !== 0 : undefined)
  }
}

const UTF8 = 0x800
/** Systems whose zips have modes: Unix and macOS. */
const UNIX: ReadonlySet<number> = new Set([3, 19])

/** What a Mac or Windows adds: icons, thumbnails, and what a Mac knows of a file. */
const isLitter = (path: string): boolean =>
  path
    .split('/')
    .some((part) => part === '__MACOSX' || part.startsWith('._') || /^(?:\.DS_Store|Thumbs\.db)$/i.test(part))

/** Whether it begins like what a system starts: a script that names its interpreter, or a program of Linux. */
const canStart = (data: Uint8Array): boolean =>
  /^(?:#!|\x7fELF)/.test(Buffer.from(data.subarray(0, 4)).toString('latin1'))

/** A folder that holds everything is only how it was packed. */
function withoutTop(files: readonly SentFile[]): readonly SentFile[] {
  const [top] = files[0]?.path.split('/') ?? []
  if (top === undefined || !files.every(({ path }) => path.startsWith(`${top}/`))) return files
  return files.map((file) => ({ ...file, path: file.path.slice(top.length + 1) }))
}

/** A name as a path below a folder, without empty parts, letters and marks as one (a Mac parts them). Throws a TreeFault for one that leads elsewhere or that no system takes. */
function pathOf(name: string): string {
  const parts = name
    .normalize('NFC')
    .split('/')
    .filter((part, n) => part !== '.' && (part !== '' || n === 0))
  const why =
    parts.length === 0 || name === '' || name.endsWith('/')
      ? 'is no file'
      : parts.includes('..') || parts.includes('') || /^[a-z]:/i.test(name)
        ? 'leads out of its folder'
        : /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\\uFFFD]/u.test(name)
          ? 'has a name with a character that no file name has'
          : parts.length > UPLOAD_BOUNDS.depth || parts.some((part) => Buffer.byteLength(part) > TREE_BOUNDS.name)
            ? 'lies too deep, or has a name that is too long'
            : undefined
  if (why !== undefined) throw new TreeFault(shown(name), why, 'give it another name')
  return parts.join('/')
}

/** A path as file systems without cases or forms of Unicode see it: equals would be one file. */
const folded = (path: string): string => path.normalize('NFC').toLowerCase()

const shown = (name: string): string => JSON.stringify(name.slice(0, 100))

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

/**
 * Writes files into a new folder, in steps that let others through. Rejects with TreeFault for names and sizes that
 * agon refuses.
 */
export async function writeSent(folder: string, files: readonly SentFile[]): Promise<void> {
  const taken = new Taken()
  const placed = files.flatMap((file) => {
    const path = taken.expect(file.path, file.data.length)
    return path === undefined ? [] : [{ ...file, path }]
  })
  refuseFoldersAsFiles(placed)
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
  mkdirSync(folder, { mode: 0o755 })
  for (const { path, data, executable = canStart(data) } of placed) {
    await pause()
    const to = join(folder, path)
    mkdirSync(dirname(to), { recursive: true, mode: 0o755 })
    const fd = openSync(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, executable ? 0o755 : 0o644)
    try {
      for (let at = 0; at < data.length;) {
        at += writeSync(fd, data, at, Math.min(data.length - at, PIECE))
        await pause()
      }
    } finally {
      closeSync(fd)
    }
  }
}

function refuseFoldersAsFiles(files: readonly SentFile[]): void {
  const paths = new Set(files.map(({ path }) => folded(path)))
  for (const { path } of files)
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
      if (paths.has(folded(folder))) throw new TreeFault(shown(folder), 'is a file and a folder', 'send one of them')
}

/** Bytes of a disk that files take: each file, and each folder of theirs, takes whole blocks. */
export function roomOf(files: readonly Pick<SentFile, 'path' | 'data'>[]): number {
  const folders = new Set<string>()
  for (const { path } of files) for (let at = dirname(path); at !== '.' && at !== '/'; at = dirname(at)) folders.add(at)
  const blocks = files.reduce((sum, { data }) => sum + Math.max(1, Math.ceil(data.length / BLOCK)), folders.size)
  return blocks * BLOCK
}
const BLOCK = 4096
