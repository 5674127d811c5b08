import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { type EntrantSpec, UserError } from '../core/index.js'
import { isInside, readPlain, sha256, SOURCE_BYTES } from '../files/index.js'
import type { EntrantPlan } from './entrant-plan.js'
import { commonFolder } from './paths.js'
import type { Listed, Listing } from './stage.js'

/*
 * An entrant on its way to another machine: what its entry says, as plain data in which no path of a machine stands, and its source in
 * one piece, named by its hash. The other machine stages and builds it as this one does.
 */

/** What an entrant's entry says. A house bot is built from what came with the agon that plays it. */
export type Parcel =
  { readonly house: string; readonly with?: EntrantSpec['with'] } | StrangerParcel | { readonly remote: true }

export interface StrangerParcel {
  readonly spec: EntrantSpec
  /** Where its source lay, and what its relative paths are relative to, below one folder that stands for all of theirs. */
  readonly root: string
  readonly bases: readonly string[]
  readonly main?: string
  /** Of a class: the names of the sources that are compiled with it. */
  readonly sources?: readonly string[]
}

/** Stands for the folder that all of an entrant's paths lie in. */
const ENTRY = '/agon/entry'

/** What is sent of an entrant beside its source. */
export function parcelOf({ entry, source }: EntrantPlan): Parcel {
  const { spec, house } = entry
  if (house) return { house: spec.house ?? spec.name, with: spec.with }
  const { root, bases, main, sources } = source
  const common = commonFolder([root, ...bases])
  const below = common === '/' ? '' : common
  const away = (path: string): string => ENTRY + path.slice(below.length)
  // Where its places have nothing in common, a word is known by the whole path that it names.
  const apart =
    common === '/' ? [...source.files.map(({ path }) => path), root, ...bases].filter((path) => path !== '/') : []
  const word = (text: string): string => {
    if (text === common) return ENTRY
    if (common !== '/') return text.replaceAll(`${common}/`, `${ENTRY}/`)
    const named = apart.find((path) => text.includes(path))
    return named === undefined ? text : text.replaceAll(named, away(named))
  }
  const { command, build } = spec
  return {
    spec: {
      ...spec,
      command: command ? command.map(word) : undefined,
      build: build ? build.map((words) => words.map(word)) : undefined,
    },
    root: away(root),
    bases: bases.map(away),
    main: main === undefined ? undefined : away(main),
    sources,
  }
}

/** Throws UserError for a parcel with places outside of the folder that stands for the entrant's: they would be this machine's own. */
export function refusePlaces({ spec, root, bases, main, sources = [] }: StrangerParcel): void {
  const isOurs = (path: string): boolean => resolve(path) === path && isInside(ENTRY, path)
  const lacksMain = main === undefined && (spec.module !== undefined || spec.class !== undefined)
  const odd =
    lacksMain ||
    ![root, ...bases].every(isOurs) ||
    (main !== undefined && !(isOurs(main) && isInside(root, main))) ||
    !sources.every((name) => isOurs(join(root, name)) && isInside(root, join(root, name)))
  if (odd) throw new UserError(`the build of ${spec.name} gives paths outside its folder`)
}

/** A file or a link of a packed source. */
interface Packed {
  readonly name: string
  readonly mode: number
  /** Bytes; of a link, where it leads instead. */
  readonly size?: number
  readonly target?: string
}

const QUALITY = 3

/** A source in one piece. Throws where a file of it is not as it was listed any more. */
export async function packSource(listing: Listing): Promise<Buffer> {
  const files: Packed[] = []
  const contents: Uint8Array[] = []
  for (const { name, mode, from, hash } of listing) {
    if (!('text' in from) && from.target !== undefined) {
      files.push({ name, mode, target: from.target })
      continue
    }
    const bytes = 'text' in from ? Buffer.from(from.text) : readPlain(join(from.root, from.below), SOURCE_BYTES)
    if (bytes === undefined || sha256(bytes) !== hash) throw new Error(`${name} changed while it was read`)
    files.push({ name, mode, size: bytes.length })
    contents.push(bytes)
  }
  const head = Buffer.from(`${JSON.stringify(files)}\n`)
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY }
  return promisify(brotliCompress)(Buffer.concat([head, ...contents]), { params })
}

/** The source of that hash, at most so many bytes, as it was packed. Throws where it is another one, or one that reaches out of its folder. */
export async function unpackSource(packed: Uint8Array, hash: string, most: number): Promise<Listing> {
  const whole = await promisify(brotliDecompress)(packed, { maxOutputLength: most + HEAD_BYTES })
  const end = whole.indexOf(0x0a)
  const files = JSON.parse(whole.subarray(0, end).toString()) as readonly Packed[]
  let at = end + 1
  const listing = files.map(({ name, mode, size = 0, target }): Listed => {
    if (target !== undefined)
      return { name, mode: 0, from: { path: name, root: '', below: name, target }, hash: `link to ${target}` }
    const text = whole.subarray(at, (at += size))
    return { name, mode: mode & 0o777, from: { text }, hash: sha256(text) }
  })
  const found = sha256(JSON.stringify(listing.map(({ name, mode, hash: one }) => [name, mode, one])))
  if (found !== hash) throw new UserError(`the stored source ${hash} does not have this hash`)
  refuseOutside(listing)
  return listing
}

/** Bytes of the names of a source's files, at most. */
const HEAD_BYTES = 64 * 1024 ** 2

/** No file lies above the folder, or behind a link that is made there: it would be written elsewhere. */
function refuseOutside(listing: Listing): void {
  const links = new Set(listing.flatMap(({ name, from }) => ('text' in from ? [] : [name])))
  for (const { name } of listing) {
    const odd = name.split('/').some((part) => part === '' || part === '.' || part === '..')
    let behind = false
    for (let folder = dirname(name); !odd && folder !== '.'; folder = dirname(folder)) behind ||= links.has(folder)
    if (odd || behind) throw new UserError(`a stored source has a file ${JSON.stringify(name)} outside its folder`)
  }
}
