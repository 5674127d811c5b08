import { availableParallelism } from 'node:os'
import { type GameDefinition, UserError, type Program, type Run } from '../../core/index.js'
import { type BotIsolation, type Parcel, placeGame, prepareSent, wasBuilt } from '../../build/index.js'
import { recordGame } from '../../contest/index.js'
import { Arena, type WorkerPool, workersHere } from '../../engine/index.js'
import type { ServerStore } from '../../store/index.js'
import { endWithThread, playableRun } from '../../engine/seating.js'
import { startThreads } from '../pool.js'
import type { PublishedRun } from './messages.js'

export interface PreparedRun {
  readonly pool: WorkerPool
  /** By entrant's name: why it cannot play here. */
  readonly refused: ReadonlyMap<string, string>
}

export interface Machine {
  readonly store: Pick<ServerStore, 'source'>
  /** Where sources are staged and built. */
  readonly workspace: string
  readonly isolation: BotIsolation
  /** Jobs played at the same time. */
  readonly slots: number
  /** The version of this agon. */
  readonly agon: string
  readonly note: (text: string) => void
}

/** An entrant that cannot play here is never seated; it keeps its number. */
const NEVER: Program = { kind: 'module', file: '' }

/** Stages and builds a run's entrants here, and starts what plays them. `rooms`: a folder of its own. Throws UserError where this machine can play none of its jobs. */
export async function prepareRun(published: PublishedRun, machine: Machine, rooms: string): Promise<PreparedRun> {
  const { run, parcels, agon, gameFile: sent, trust, strictTiming } = published
  const { id, version } = run.game
  const { store, workspace, slots, note } = machine
  if (agon !== machine.agon)
    throw new UserError(`the run is of agon ${agon}, and this worker of agon ${machine.agon}: install the same on both`)
  const fetch = async (hash: string): Promise<Uint8Array> => {
    const packed = await store.source(hash)
    if (packed === undefined) throw new Error(`the store holds no source ${hash}`)
    return packed
  }
  const file = sent && (await placeGame(sent, workspace, fetch))
  const definition = await recordGame(id, file, undefined, run.contest.limits['game'])
  const { game } = definition
  if (game.version !== version)
    throw new UserError(`${id} is of version ${game.version} here, and of version ${version} in the run`)
  const isolation = { ...machine.isolation, trust }
  const { limits, mixedBuilds: mixed } = run.contest
  const all = run.entrants.map((was, i) => ({ was, parcel: parcels[i] as Parcel }))
  const built = await prepareSent(all, definition, { workspace, isolation, limits, onNote: note, mixed, fetch })
  const refused = new Map(built.flatMap((one) => (wasBuilt(one) ? [] : [[one.name, one.why] as const])))
  const entrants = all.map(({ was }, i) => {
    const one = built[i]
    return one !== undefined && wasBuilt(one) ? one : { ...was, program: NEVER }
  })
  const here = { ...run, game: { ...run.game, file }, entrants }
  const pool = await startPlayers(here, definition, { isolation, slots, note, rooms, strictTiming })
  return { pool, refused }
}

/** What plays a run on this machine: threads, unless a program lives in no sandbox: an ended thread would leave it behind. */
export async function startPlayers(
  run: Run,
  definition: GameDefinition,
  machine: Pick<Machine, 'isolation' | 'slots' | 'note'> & { readonly rooms: string; readonly strictTiming: boolean },
): Promise<WorkerPool> {
  const { isolation, slots, note, rooms } = machine
  const cores = availableParallelism()
  const timed = machine.strictTiming ? cores : Math.max(cores, slots)
  const place = { rooms, timed }
  if (endWithThread(run, isolation)) return startThreads(run, { ...place, isolation }, slots, note)
  return workersHere(new Arena(playableRun(run, definition, isolation), place, note))
}
