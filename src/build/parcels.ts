import { type AnyWire, type Entrant, type GameDefinition, UserError, lookUp, wiresOf } from '../core/index.js'
import { distrust, SOURCE_BYTES } from '../files/index.js'
import { type Entry, houseBot } from '../contest/entries.js'
import type { LoadedContest } from '../contest/parse.js'
import { readShim } from './build.js'
import { type EntrantPlan, planOf, wireOf } from './entrant-plan.js'
import { reserveWorkspace } from './source-files.js'
import { type Parcel, type StrangerParcel, packSource, parcelOf, refusePlaces, unpackSource } from './parcel.js'
import { prepare, workshopFor } from './prepare.js'
import { type BuiltEntrant, type NotBuilt, type PrepareOptions, wasBuilt } from './prepared.js'

/** Entrants of a contest on their way to other machines. */
export interface SentEntrant {
  readonly name: string
  readonly parcel: Parcel
  /** SHA-256 of its source; undefined: a house bot's, which every agon has. */
  readonly source: string | undefined
  /** Its source in one piece. */
  pack(): Promise<Buffer>
}

/** What is sent of a contest's entrants, in their order. Throws UserError for a mistake in an entry. */
export async function sendEntrants({ contest, definition, entries }: LoadedContest): Promise<SentEntrant[]> {
  const sent: SentEntrant[] = []
  for (const entry of entries) {
    if (entry.remote !== undefined) {
      sent.push({
        name: entry.spec.name,
        parcel: { remote: true },
        source: undefined,
        pack: async () => Buffer.alloc(0),
      })
      continue
    }
    const plan = await planOf(entry, definition, contest)
    sent.push({
      name: entry.spec.name,
      parcel: parcelOf(plan),
      source: entry.house ? undefined : plan.hash,
      pack: async () => packSource(typeof plan.listing === 'function' ? await plan.listing() : plan.listing),
    })
  }
  return sent
}

/**
 * Stages and builds entrants that came from another machine; what `fetch` gives is the packed source of that hash. An entrant that this machine
 * cannot play, or would make another bot of, is not admitted.
 */
export async function prepareSent(
  all: readonly { readonly parcel: Parcel; readonly was: Entrant }[],
  definition: GameDefinition,
  options: PrepareOptions & {
    readonly fetch: (hash: string) => Promise<Uint8Array>
    /** An entrant may be another program here than where it was prepared first. */
    readonly mixed?: boolean
  },
): Promise<(BuiltEntrant | NotBuilt)[]> {
  distrust(options.workspace)
  reserveWorkspace(options.workspace)
  const plans: (EntrantPlan | NotBuilt)[] = []
  const refusedAs =
    ({ name, house }: Pick<Entrant, 'name' | 'house'>) =>
    (error: unknown): NotBuilt => {
      if (!(error instanceof UserError)) throw error
      return { name, house, why: error.message }
    }
  for (const { parcel, was } of all)
    plans.push(await planSent(parcel, was, definition, options).catch(refusedAs({ name: was.name, house: false })))
  const workshop = workshopFor(
    plans.filter((plan) => 'entry' in plan),
    options.workspace,
    options.isolation,
  )
  const prepared: (BuiltEntrant | NotBuilt)[] = []
  for (const [i, plan] of plans.entries()) {
    if (!('entry' in plan)) {
      prepared.push(plan)
      continue
    }
    const { was } = all[i] as { readonly was: Entrant }
    const one = await prepare(plan, options.limits ?? {}, workshop, options).catch(refusedAs(was))
    prepared.push(wasBuilt(one) ? sameAs(was, one, options.mixed === true) : one)
  }
  return prepared
}

/** Another interpreter or compiler may make another bot of the same source: it does not play in this one's place, unless builds may be `mixed`. */
function sameAs(was: Entrant, one: BuiltEntrant, mixed: boolean): BuiltEntrant | NotBuilt {
  const compared = mixed ? (['source', 'build'] as const) : (['source', 'build', 'toolchain', 'output'] as const)
  const differs = compared.find((part) => one[part] !== was[part])
  if (differs === undefined) return { ...was, house: one.house, with: one.with, program: one.program }
  const { name, house } = was
  if (differs === 'output')
    return {
      name,
      house,
      why: 'what is built of it here is another program than in the run; the contest may allow that: mixed_builds = true',
    }
  if (differs !== 'toolchain') return { name, house, why: `its ${differs} here is another one than in the run` }
  return {
    name,
    house,
    why: `this machine has ${one.toolchain || 'none'}, and the run ${was.toolchain || 'none'}`,
  }
}

async function planSent(
  parcel: Parcel,
  was: Entrant,
  definition: GameDefinition,
  { limits, fetch }: Pick<PrepareOptions, 'limits'> & { readonly fetch: (hash: string) => Promise<Uint8Array> },
): Promise<EntrantPlan | NotBuilt> {
  if ('spec' in parcel) return strangerPlan(parcel, was, definition, limits?.['source'] ?? SOURCE_BYTES, fetch)
  if ('remote' in parcel) return { name: was.name, house: false, why: 'it plays on the machine of its author' }
  const bot = houseBot(definition, parcel.house)
  if (bot === undefined) return { name: was.name, house: true, why: `this agon has no house bot ${parcel.house}` }
  const entry: Entry = { ...bot, spec: { ...bot.spec, name: was.name, memory: was.memory, with: parcel.with } }
  return { ...(await planOf(entry, definition, { limits })), strict: was.strict }
}

/**
 * What came of a stranger's bot is believed no more than what a stranger sends: its wire is one of the game's and fits it, its hash
 * is one, and its places are below a folder of its own. Throws UserError.
 */
function strangerPlan(
  parcel: StrangerParcel,
  was: Entrant,
  definition: GameDefinition,
  bytes: number,
  fetch: (hash: string) => Promise<Uint8Array>,
): EntrantPlan {
  const { root, bases, main, sources } = parcel
  const { wire, memory, source: hash, strict } = was
  const spec = { ...parcel.spec, name: was.name, wire }
  const error: Entry['error'] = (key, text) =>
    new UserError(`${spec.name}${key === undefined ? '' : ` (${key})`}: ${text}`)
  refusePlaces({ ...parcel, spec })
  if (!SHA256.test(hash)) throw error(undefined, 'what came of it has no hash')
  const wires = wiresOf(definition, definition.game.options)
  const spoken = lookUp<AnyWire>(wires, wire)
  const entry: Entry = { spec, base: bases[0] ?? root, house: false, error }
  if (spoken === undefined || wireOf(entry, definition, wires) !== wire)
    throw error('wire', `${JSON.stringify(wire)} is none of ${definition.game.id} for it`)
  return {
    entry,
    wire,
    memory,
    strict,
    source: { root, bases, files: [], main, sources },
    listing: async () => unpackSource(await fetch(hash), hash, bytes),
    hash,
    bytes,
    state: spoken.state?.folder,
    shim: spoken.shim !== undefined && spec.class !== undefined ? readShim(definition, spoken.shim) : undefined,
  }
}

const SHA256 = /^[0-9a-f]{64}$/
