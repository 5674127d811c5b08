import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { type AnyWire, type Entrant, type EntrantSpec, type GameDefinition, UserError, wiresOf } from '../core/index.js'
import { SOURCE_BYTES, readPlain, sha256 } from '../files/index.js'
import { type Entry, houseBot } from '../contest/entries.js'
import type { LoadedContest } from '../contest/parse.js'
import { readShim } from './build.js'
import { type EntrantPlan, planOf } from './entrant-plan.js'
import { buildAll, enterWorkspace } from './prepare.js'
import { type BuiltEntrant, type NotBuilt, type PrepareOptions, wasBuilt } from './prepared.js'
import type { Source } from './source.js'
import type { Listed, Listing } from './stage.js'

/*
 * An entrant on its way to another machine of the host: its entry as plain data, and its source in one piece, named by its hash. That
 * machine stages and builds it as this one does: the places of the source tell only which words of a command mean its files.
 */

/** What an entrant's entry says. A house bot is built from the playing agon's own. */
export type Parcel =
  | { readonly house: string; readonly with?: EntrantSpec['with'] }
  | ({ readonly spec: EntrantSpec } & Omit<Source, 'files'>)
  | { readonly remote: true }

export interface SentEntrant {
  readonly name: string
  readonly parcel: Parcel
  /** Absent: a house bot's, which every agon has, or it plays on its author's machine. `pack`: all in one piece. */
  readonly source?: { readonly hash: string; pack(): Promise<Buffer> }
}

/** What is sent of a contest's entrants, in order. Throws UserError for a mistake in an entry. */
export async function sendEntrants({ contest, definition, entries }: LoadedContest): Promise<SentEntrant[]> {
  const sent: SentEntrant[] = []
  for (const entry of entries) {
    const { spec } = entry
    const { name } = spec
    if (entry.remote !== undefined) sent.push({ name, parcel: { remote: true } })
    else if (entry.house) sent.push({ name, parcel: { house: spec.house ?? name, with: spec.with } })
    else {
      const { source, listing, hash } = await planOf(entry, definition, contest)
      const { root, bases, main, sources } = source
      const pack = async () => packSource(await listing())
      sent.push({ name, parcel: { spec, root, bases, main, sources }, source: { hash, pack } })
    }
  }
  return sent
}

interface Packed {
  readonly name: string
  readonly mode: number
  /** Bytes; of a link, where it leads instead. */
  readonly size?: number
  readonly target?: string
}

const QUALITY = 3

/** A source in one piece. Throws where a file is not as it was listed. */
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

/** Bytes of the names of a source's files, at most. */
const HEAD_BYTES = 64 * 1024 ** 2

/** The packed source of that hash, at most so many bytes. Throws UserError where it is another. */
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
  return listing
}

interface SentOptions extends PrepareOptions {
  readonly fetch: (hash: string) => Promise<Uint8Array>
  /** An entrant may be another program than where it was first prepared. */
  readonly mixed?: boolean
}

/** Stages and builds entrants sent here. What cannot play here, or would be another bot, is kept out. */
export async function prepareSent(
  all: readonly { readonly parcel: Parcel; readonly was: Entrant }[],
  definition: GameDefinition,
  options: SentOptions,
): Promise<(BuiltEntrant | NotBuilt)[]> {
  enterWorkspace(options.workspace)
  const plans = await Promise.all(all.map(({ parcel, was }) => planSent(parcel, was, definition, options)))
  const prepared = await buildAll(plans, options, async (plan, workshop) => {
    try {
      return await workshop.prepare(plan)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      return { name: plan.entry.spec.name, house: plan.entry.house, why: error.message }
    }
  })
  return prepared.map((one, i) => {
    const { was } = all[i] as { readonly was: Entrant }
    return wasBuilt(one) ? sameAs(was, one, options.mixed === true) : one
  })
}

/** Another interpreter or compiler may make another bot: it does not play in this one's place, unless builds may be `mixed`. */
function sameAs(was: Entrant, one: BuiltEntrant, mixed: boolean): BuiltEntrant | NotBuilt {
  const compared = mixed ? (['source', 'build'] as const) : (['source', 'build', 'toolchain', 'output'] as const)
  const differs = compared.find((part) => one[part] !== was[part])
  if (differs === undefined) return { ...was, house: one.house, with: one.with, program: one.program }
  const refused = (why: string): NotBuilt => ({ name: was.name, house: was.house, why })
  if (differs === 'output')
    return refused(
      'what is built of it here is another program than in the run; the contest may allow that: mixed_builds = true',
    )
  if (differs !== 'toolchain') return refused(`its ${differs} here is another one than in the run`)
  return refused(`this machine has ${one.toolchain || 'none'}, and the run ${was.toolchain || 'none'}`)
}

async function planSent(
  parcel: Parcel,
  was: Entrant,
  definition: GameDefinition,
  { limits, fetch }: Pick<SentOptions, 'limits' | 'fetch'>,
): Promise<EntrantPlan | NotBuilt> {
  const { name, wire, memory, strict, source: hash } = was
  if ('remote' in parcel) return { name, house: false, why: 'it plays on the machine of its author' }
  if ('house' in parcel) {
    const bot = houseBot(definition, parcel.house)
    if (bot === undefined) return { name, house: true, why: `this agon has no house bot ${parcel.house}` }
    const entry: Entry = { ...bot, spec: { ...bot.spec, name, memory, with: parcel.with } }
    return { ...(await planOf(entry, definition, { limits })), strict }
  }
  const { spec, ...source } = parcel
  const { state, shim } = wiresOf(definition, definition.game.options)[wire] as AnyWire
  const bytes = limits?.['source'] ?? SOURCE_BYTES
  return {
    entry: { spec, base: source.root, house: false, error: (_, text) => new UserError(`${name}: ${text}`) },
    wire,
    memory,
    strict,
    source: { ...source, files: [] },
    listing: async () => unpackSource(await fetch(hash), hash, bytes),
    hash,
    bytes,
    state: state?.folder,
    shim: shim !== undefined && spec.class !== undefined ? readShim(definition, shim) : undefined,
  }
}
