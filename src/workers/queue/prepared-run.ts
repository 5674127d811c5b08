import { availableParallelism } from 'node:os'
import { type GameDefinition, UserError } from '../../core/index.js'
import { type BotIsolation, type NotPrepared, type Prepared, placeGame, prepareSent } from '../../build/index.js'
import { recordGame } from '../../contest/index.js'
import { Arena, type Job, type WorkerPool, entrantsOf, workersHere } from '../../engine/index.js'
import type { GameInPlay } from '../../match/index.js'
import { SOURCE_BYTES } from '../../files/index.js'
import type { ServerStore } from '../../store/index.js'
import { entrantOf, splitEntrants } from '../entrants.js'
import { startThreads } from '../pool.js'
import type { PublishedRun } from './messages.js'

/** Where a run's jobs are played on this machine. */
export interface PreparedRun {
  readonly pool: WorkerPool
  /** By entrant's name: why it cannot play here. */
  readonly refused: ReadonlyMap<string, string>
  /** Whether all entrants of a job can play here. */
  canPlay(job: Job): boolean
}

/** What a run uses of a machine. */
export interface Machine {
  readonly store: Pick<ServerStore, 'source' | 'has'>
  /** Where sources are staged and built. */
  readonly workspace: string
  readonly isolation: BotIsolation
  /** Jobs played at the same time. */
  readonly slots: number
  /** The version of this agon. */
  readonly agon: string
  readonly note: (text: string) => void
}

/** Stages and builds a run's entrants here, and starts what plays them. `rooms`: a folder of its own. Throws UserError where this machine can play none of its jobs. */
export async function prepareRun(published: PublishedRun, machine: Machine, rooms: string): Promise<PreparedRun> {
  const { setup, agon, gameFile: sent, trust } = published
  if (agon !== machine.agon)
    throw new UserError(`the run is of agon ${agon}, and this worker of agon ${machine.agon}: install the same on both`)
  const { store, workspace } = machine
  const file = sent && (await placeGame(sent, workspace, (hash) => fetchSource(store, hash)))
  const definition = await recordGame(setup.game.id, file)
  const { version } = definition.game
  if (version !== setup.game.version)
    throw new UserError(
      `${setup.game.id} is of version ${version} here, and of version ${setup.game.version} in the run`,
    )
  const here = { ...machine, isolation: { ...machine.isolation, trust } }
  const prepared = await prepare(published, definition, here)
  const refused = new Map(prepared.flatMap((one) => (one.admitted ? [] : [[one.name, one.why] as const])))
  const pool = await startPlayers(published, { definition, file }, prepared, { ...here, rooms })
  return preparedRunOf(published, pool, refused)
}

/** A run that is prepared here, in which all bots play but those that are refused. */
export function preparedRunOf(
  { setup }: PublishedRun,
  pool: WorkerPool,
  refused: ReadonlyMap<string, string> = new Map(),
): PreparedRun {
  const canPlay = (job: Job): boolean =>
    entrantsOf(job).every((entrant) => !refused.has(setup.entrants[entrant]?.name ?? ''))
  return { pool, refused, canPlay }
}

/** The builds of the entrants here, by their places in the run. */
function prepare(
  { setup, parcels, mixed }: PublishedRun,
  definition: GameDefinition,
  { store, workspace, isolation, note }: Machine,
) {
  const all = setup.entrants.map((was, i) => {
    const parcel = parcels[i]
    if (parcel === undefined) throw new Error(`nothing was sent of ${was.name}`)
    return { parcel, was }
  })
  const { source: sourceBytes = SOURCE_BYTES } = setup.limits
  return prepareSent(all, definition, {
    workspace,
    isolation,
    sourceBytes,
    onNote: note,
    mixed,
    fetch: (hash) => fetchSource(store, hash),
  })
}

async function fetchSource(store: Machine['store'], hash: string): Promise<Uint8Array> {
  const packed = await store.source(hash)
  if (packed === undefined) throw new Error(`the store holds no source ${hash}`)
  return packed
}

/** What plays a run on this machine: threads, unless a program lives in no sandbox: an ended thread would leave it behind. */
export async function startPlayers(
  { setup, strictTiming }: Pick<PublishedRun, 'setup' | 'strictTiming'>,
  { definition, file: gameFile }: GameInPlay,
  all: readonly (Prepared | NotPrepared)[],
  { isolation, slots, note, rooms }: Pick<Machine, 'isolation' | 'slots' | 'note'> & { readonly rooms: string },
): Promise<WorkerPool> {
  const prepared = all.map((one, i): Prepared => {
    const was = setup.entrants[i]
    if (was === undefined) throw new Error(`there is no entrant ${i}`)
    // An entrant that cannot play here is never seated; it keeps its number.
    return one.admitted ? one : { ...was, run: { kind: 'process', argv: ['false'], cwd: rooms } }
  })
  const cores = availableParallelism()
  const timed = strictTiming ? cores : Math.max(cores, slots)
  const { programs, ...field } = splitEntrants(prepared)
  const entrants = prepared.map((one) => entrantOf(one, isolation, setup.limits))
  const held = entrants.every(
    ({ run }, i) => all[i]?.admitted !== true || run.kind !== 'process' || run.sandbox !== undefined,
  )
  const place = { rooms, timed, gameFile }
  if (held) return startThreads({ ...setup, ...field }, { ...place, programs, isolation }, slots, note)
  const { game: _, ...shared } = setup
  const arena = new Arena({ ...shared, ...place, definition, entrants }, note)
  return workersHere(
    arena,
    entrants.map(({ name }) => name),
  )
}
