import { type AnyWire, type GameDefinition, UserError, lookUp, wiresOf } from '../core/index.js'
import { distrust, SOURCE_BYTES } from '../files/index.js'
import { type Entry, houseBot } from '../contest/entries.js'
import type { LoadedContest } from '../contest/parse.js'
import { readShim } from './build.js'
import { type EntrantPlan, planOf, wireOf } from './entrant-plan.js'
import { reserveWorkspace } from './source-files.js'
import { type Parcel, type StrangerParcel, packSource, parcelOf, refusePlaces, unpackSource } from './parcel.js'
import { prepare, workshopFor } from './prepare.js'
import type { About, NotPrepared, Prepared, PrepareOptions } from './prepared.js'

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
  const { memory, strictMemory = false, limits } = contest
  for (const entry of entries) {
    const options = { memory, strictMemory }
    const plan = await planOf(entry, definition, options, limits['source'] ?? SOURCE_BYTES)
    sent.push({
      name: entry.spec.name,
      parcel: parcelOf(plan),
      source: entry.house ? undefined : plan.hash,
      pack: async () => packSource(typeof plan.listing === 'function' ? await plan.listing() : plan.listing),
    })
  }
  return sent
}

/** What was prepared of an entrant elsewhere, and what of it is the same wherever it plays. */
export type PreparedElsewhere = Omit<Prepared, 'run'>

/**
 * Stages and builds entrants that came from another machine; what `fetch` gives is the packed source of that hash. An entrant that this machine
 * cannot play, or would make another bot of, is not admitted.
 */
export async function prepareSent(
  all: readonly { readonly parcel: Parcel; readonly was: PreparedElsewhere }[],
  definition: GameDefinition,
  options: PrepareOptions & {
    readonly fetch: (hash: string) => Promise<Uint8Array>
    /** An entrant may be another program here than where it was prepared first. */
    readonly mixed?: boolean
  },
): Promise<(Prepared | NotPrepared)[]> {
  distrust(options.workspace)
  reserveWorkspace(options.workspace)
  const plans: (EntrantPlan | NotPrepared)[] = []
  const refusedAs =
    (about: About) =>
    (error: unknown): NotPrepared => {
      if (!(error instanceof UserError)) throw error
      return { ...about, admitted: false, why: error.message }
    }
  for (const { parcel, was } of all)
    plans.push(await planSent(parcel, was, definition, options).catch(refusedAs({ name: was.name, house: false })))
  const workshop = workshopFor(
    plans.filter((plan) => 'entry' in plan),
    options.workspace,
    options.isolation,
  )
  const prepared: (Prepared | NotPrepared)[] = []
  for (const [i, plan] of plans.entries()) {
    if (!('entry' in plan)) {
      prepared.push(plan)
      continue
    }
    const one = await prepare(plan, options.isolation, workshop, options.onNote).catch(refusedAs(plan.about))
    const was = all[i]?.was
    prepared.push(one.admitted && was !== undefined ? sameAs(was, one, options.mixed === true) : one)
  }
  return prepared
}

/** Another interpreter or compiler may make another bot of the same source: it does not play in this one's place, unless builds may be `mixed`. */
function sameAs(was: PreparedElsewhere, one: Prepared, mixed: boolean): Prepared | NotPrepared {
  const differs =
    one.hash !== was.hash
      ? 'source'
      : (mixed ? MADE.slice(0, 1) : MADE).find((part) => one.make[part] !== was.make[part])
  if (differs === undefined) return { ...one, wire: was.wire, memory: was.memory, make: was.make }
  const about = { name: was.name, house: was.house, admitted: false as const }
  if (differs === 'output')
    return {
      ...about,
      why: 'what is built of it here is another program than in the run; the contest may allow that: mixed_builds = true',
    }
  if (differs !== 'toolchain') return { ...about, why: `its ${differs} here is another one than in the run` }
  return {
    ...about,
    why: `this machine has ${one.make.toolchain || 'none'}, and the run ${was.make.toolchain || 'none'}`,
  }
}

/** What is compared of how an entrant is made: without the last two it is another program, and may play as another. */
const MADE = ['build', 'toolchain', 'output'] as const

async function planSent(
  parcel: Parcel,
  was: PreparedElsewhere,
  definition: GameDefinition,
  {
    sourceBytes = SOURCE_BYTES,
    fetch,
  }: Pick<PrepareOptions, 'sourceBytes'> & { readonly fetch: (hash: string) => Promise<Uint8Array> },
): Promise<EntrantPlan | NotPrepared> {
  if ('spec' in parcel) return strangerPlan(parcel, was, definition, sourceBytes, fetch)
  const bot = houseBot(definition, parcel.house)
  if (bot === undefined)
    return { name: was.name, house: true, admitted: false, why: `this agon has no house bot ${parcel.house}` }
  const given = parcel.with === undefined ? {} : { with: parcel.with }
  const entry: Entry = { ...bot, spec: { ...bot.spec, name: was.name, memory: was.memory, ...given } }
  const plan = await planOf(entry, definition, {}, sourceBytes)
  return { ...plan, about: { ...plan.about, strict: was.strict } }
}

/**
 * What came of a stranger's bot is believed no more than what a stranger sends: its wire is one of the game's and fits it, its hash
 * is one, and its places are below a folder of its own. Throws UserError.
 */
function strangerPlan(
  parcel: StrangerParcel,
  was: PreparedElsewhere,
  definition: GameDefinition,
  bytes: number,
  fetch: (hash: string) => Promise<Uint8Array>,
): EntrantPlan {
  const { root, bases, main, sources } = parcel
  const { admitted: _, wire, memory, hash, make: __, house: ___, ...about } = was
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
    about: { ...about, house: false },
    wire,
    memory,
    source: { root, bases, files: [], main, sources },
    listing: async () => unpackSource(await fetch(hash), hash, bytes),
    hash,
    bytes,
    state: spoken.state?.folder,
    shim: spoken.shim !== undefined && spec.class !== undefined ? readShim(definition, spoken.shim) : undefined,
  }
}

const SHA256 = /^[0-9a-f]{64}$/
