import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { damaged } from './damage.js'
import { PRIME } from './sums.js'

/*
 * Theory of operation.
 *
 * Records are alike, so many together pack far better than each alone. Sixty-four of them, or fewer where they come to 16 MiB
 * before, make a pack: their lines joined, compressed by brotli at quality 2. A batch fills its packs at once; what does not
 * fill one lands, in the same transaction as its match, as a loose line, and the write that fills a pack with the loose ones
 * packs them. So a record is on disk from the moment its match is, and packing is never on anyone's way for long.
 *
 * The bound on bytes is there because the size of a record is partly a bot's to choose. Packs are joined and split as bytes:
 * no text of a whole pack is ever made, and one that was written without the bound is read as well.
 */
export const PACK = 64

/** Bytes of lines that fill a pack. A longer record has one to itself. */
export const PACK_BYTES = 16 * 1024 ** 2

/** Where a record lies: in a slot of a pack, or, with neither, among the loose ones. */
export interface RecordPlace {
  readonly pack: number | null
  readonly slot: number | null
}

export const LOOSE: RecordPlace = { pack: null, slot: null }

/** Lines in order, in portions of a pack each; what is left at the end fills none. */
export function portions(lines: readonly string[]): (readonly string[])[] {
  const sizes = lines.map((line) => Buffer.byteLength(line))
  const packs: (readonly string[])[] = []
  let at = 0
  for (let n = 0; (n = filling(sizes, at)) > 0; at += n) packs.push(lines.slice(at, at + n))
  if (at < lines.length) packs.push(lines.slice(at))
  return packs
}

/** How many of the records of these sizes, from one on, fill a pack; 0: they do not. */
export function filling(sizes: readonly number[], from: number): number {
  let bytes = 0
  for (let n = 0; from + n < sizes.length; n++) {
    bytes += (sizes[from + n] as number) + 1
    if (bytes > PACK_BYTES) return Math.max(1, n)
    if (n + 1 === PACK) return PACK
  }
  return 0
}

/** The checksum of where the record of a match of that checksum lies: a changed slot would give another match's record. */
export const heldSum = (match: number, { pack, slot }: RecordPlace): number =>
  (match + ((pack ?? -1) + 2) * 67_867_967 + ((slot ?? -1) + 2) * 15_485_863) % PRIME

/** Lines as the bytes of a pack; undefined where they cannot be packed. */
export function joined(lines: readonly string[]): Uint8Array | undefined {
  try {
    const data = Buffer.allocUnsafe(lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, -1))
    let end = 0
    for (const [i, line] of lines.entries()) {
      if (i > 0) data[end++] = END_OF_LINE
      end += data.write(line, end)
    }
    return squeeze(data)
  } catch {
    return undefined
  }
}

const END_OF_LINE = 10

/** The lines of a pack: its bytes, and where each line ends. */
export interface Lines {
  readonly data: Buffer
  readonly ends: readonly number[]
}

/** Opens a pack. Throws UserError, which names the file, where the bytes in it are damaged. */
export function linesOf(file: string, packed: Uint8Array): Lines {
  const data = open(file, packed)
  const ends: number[] = []
  for (let at = data.indexOf(END_OF_LINE); at >= 0; at = data.indexOf(END_OF_LINE, at + 1)) ends.push(at)
  return { data, ends: [...ends, data.length] }
}

/** One line of a pack; undefined: it has none there. */
export function lineOf({ data, ends }: Lines, slot: number): string | undefined {
  const end = ends[slot]
  return end === undefined ? undefined : data.toString('utf8', slot === 0 ? 0 : (ends[slot - 1] ?? 0) + 1, end)
}

export const compress = (text: string): Uint8Array => squeeze(Buffer.from(text))

/** Throws UserError, which names the file, where the bytes in it are damaged. */
export const expand = (file: string, data: Uint8Array): string => open(file, data).toString()

const squeeze = (data: Uint8Array): Uint8Array =>
  brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } })

/** Bytes that a pack opens to, at most: a few could else be made to fill all memory. */
const OPENED_BYTES = 1024 ** 3

function open(file: string, data: Uint8Array): Buffer {
  try {
    return brotliDecompressSync(data, { maxOutputLength: OPENED_BYTES })
  } catch {
    throw damaged(file)
  }
}
