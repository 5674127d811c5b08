import {
  type AnyWire,
  defaultWire,
  type GameDefinition,
  lesserMemory,
  type Memory,
  USUAL_MEMORY,
  wiresOf,
} from '../core/index.js'
import { SOURCE_BYTES, distrustAround } from '../files/index.js'
import { readShim, type Shim } from './build.js'
import type { Entry } from '../contest/entries.js'
import { quote } from '../contest/explain.js'
import { languageOf } from './language.js'
import { findSource, type Source } from './source.js'
import { asUserError } from './source-files.js'
import { type Listing, listSource } from './stage.js'
import type { PrepareRules } from './prepared.js'

export interface EntrantPlan {
  readonly entry: Entry
  readonly wire: string
  readonly memory: Memory
  readonly strict?: boolean
  readonly language?: string
  readonly source: Source
  /** Of a source elsewhere, fetched where needed. */
  readonly listing: () => Promise<Listing>
  readonly hash: string
  /** Bytes of its source, and of its build's files. */
  readonly bytes: number
  /** The folder in its own that its wire lets it write. */
  readonly state?: string
  readonly shim?: Shim
}

export const isBuilt = ({ entry, shim }: EntrantPlan): boolean =>
  (entry.spec.build ?? []).length > 0 || shim !== undefined

/** Reads an entrant's source and settles its wire and memory. Throws UserError for a mistake in its entry. */
export async function planOf(
  entry: Entry,
  definition: GameDefinition,
  { memory: most, strictMemory, limits = {} }: PrepareRules,
): Promise<EntrantPlan> {
  const { spec, house } = entry
  const { source: bytes = SOURCE_BYTES } = limits
  const wires = wiresOf(definition, definition.game.options)
  const name = wireOf(entry, definition, wires)
  const wire = wires[name] as AnyWire
  const shim = wire.shim === undefined || spec.class === undefined ? undefined : readShim(definition, wire.shim)
  const source = await findSource(entry, shim?.headers ?? new Set(), bytes)
  if (!house) distrustAround(source.root)
  const { listing, hash } = await asUserError(entry, source.root, () =>
    listSource(source, spec.command !== undefined, bytes),
  )
  const paths = source.files.map(({ path }) => path)
  const language = languageOf(spec, paths)
  const memory = memoryOf(entry, name, wire, most)
  return {
    entry,
    wire: name,
    memory,
    strict: strictMemory && memory !== 'tournament' ? true : undefined,
    language,
    source,
    listing: () => Promise.resolve(listing),
    hash,
    bytes,
    state: wire.state?.folder,
    shim,
  }
}

/** The wire that an entrant names, or its kind's default. Throws the entry's UserError for one that is not for it. */
function wireOf(entry: Entry, definition: GameDefinition, wires: Readonly<Record<string, AnyWire>>): string {
  const { spec } = entry
  const { id } = definition.game
  if (spec.module !== undefined) {
    if (spec.wire === undefined || wires[spec.wire]?.transport === 'module') return spec.wire ?? 'module'
    throw entry.error('wire', `a module speaks no wire: leave wire = ${quote(spec.wire)} out`)
  }
  if (spec.class !== undefined) {
    const forClasses = Object.keys(wires).filter((name) => wires[name]?.shim !== undefined)
    const [first] = forClasses
    if (first === undefined) throw entry.error('class', `${id} has no wire for classes: give a command or a module`)
    if (spec.wire === undefined || forClasses.includes(spec.wire)) return spec.wire ?? first
    throw entry.error('wire', `wire ${quote(spec.wire)} is not for classes; ${id} has ${forClasses.join(', ')}`)
  }
  const name = spec.wire ?? defaultWire(definition)
  if (wires[name]?.transport === 'module')
    throw entry.error('wire', `wire ${quote(name)} is for modules: give module = "…", or leave the wire out`)
  if (wires[name]?.shim !== undefined)
    throw entry.error('wire', `wire ${quote(name)} is for classes: give class = "…", or leave the wire out`)
  return name
}

/** What an entrant may remember: as it or the contest wishes, within its wire; its own file only lessens it. */
function memoryOf(entry: Entry, name: string, wire: AnyWire, contest: Memory = USUAL_MEMORY): Memory {
  const most = wire.memory ?? (wire.transport === 'turn' && wire.state === undefined ? 'turn' : 'tournament')
  const own = entry.spec.memory
  if (own !== undefined && lesserMemory(own, most) !== own) {
    const { name: entrant } = entry.spec
    throw entry.error(
      'memory',
      `${quote(entrant)} cannot remember for a ${own}: wire ${quote(name)} allows ${quote(most)} at most`,
    )
  }
  const wish = own === undefined ? contest : entry.own ? lesserMemory(own, contest) : own
  return lesserMemory(wish, most)
}
