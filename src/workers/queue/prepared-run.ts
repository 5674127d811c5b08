import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { type GameDefinition, type Spell, UserError, message, option, spelled } from '../../core/index.js'
import { type BotIsolation, type NotPrepared, type Prepared, placeGame, prepareSent } from '../../build/index.js'
import { recordGame } from '../../contest/index.js'
import { Arena, type Job, type WorkerPool, entrantsOf, workersHere } from '../../engine/index.js'
import type { GameInPlay } from '../../match/index.js'
import { SOURCE_BYTES } from '../../files/index.js'
import type { ServerStore } from '../../store/index.js'
import { entrantOf, splitEntrants } from '../entrants.js'
import { startThreads } from '../pool.js'
import { refuseSetup } from './accept.js'
import { Chain } from './chain.js'
import { JobVerifier } from './job-verifier.js'
import type { PostedRun } from './messages.js'

/** Where a run's jobs are played on this machine. */
export interface PreparedRun {
  readonly pool: WorkerPool
  readonly verifier: JobVerifier
  /** Plays the bots that live through the tournament; absent: none does here. */
  readonly chain?: Chain
  /** By entrant: why it cannot play here. */
  readonly refused: ReadonlyMap<number, string>
  /** Whether all entrants of a job can play here. */
  canPlay(job: Job): boolean
  /** Whether all entrants of a job are the run's. */
  isKnown(job: Job): boolean
}

/** What a run uses of a machine. */
export interface Machine {
  readonly store: Pick<ServerStore, 'source' | 'kept' | 'read'>
  /** Where sources are staged and built. */
  readonly workspace: string
  readonly isolation: BotIsolation
  /** Jobs played at the same time. */
  readonly slots: number
  /** The version of this agon. */
  readonly agon: string
  readonly note: (text: string) => void
  readonly games: TrustedGames
  readonly spell?: Spell
}

/** Which games that do not come with agon this machine runs: they are code, and run as agon's user. */
export interface TrustedGames {
  /** The games whose files it has itself, by the hash of what belongs to them. */
  readonly files: ReadonlyMap<string, string>
  /** Whatever game a run of the store brings. */
  readonly all: boolean
}

/** Bytes of a source that a machine takes from the store, whatever the run allows. */
const MOST_SOURCE = 4 * SOURCE_BYTES

/** Stages and builds a run's entrants here, and starts what plays them. `rooms`: a folder of its own. Throws UserError where this machine can play none of its jobs. */
export async function prepareRun(posted: PostedRun, machine: Machine, rooms: string): Promise<PreparedRun> {
  const { setup, agon } = posted
  if (agon !== machine.agon)
    throw new UserError(`the run is of agon ${agon}, and this worker of agon ${machine.agon}: install the same on both`)
  const gameFile = await gameFileOf(posted, machine)
  const definition = await recordGame(setup.game.id, gameFile)
  const { version } = definition.game
  if (version !== setup.game.version)
    throw new UserError(
      `${setup.game.id} is of version ${version} here, and of version ${setup.game.version} in the run`,
    )
  refuseSetup(definition, setup)
  const prepared = await prepare(posted, definition, machine)
  const refused = new Map(prepared.flatMap((one, i) => (one.admitted ? [] : [[i, one.why] as const])))
  const game = { definition, file: gameFile }
  return preparedRunOf(posted, game, await startPlayers(posted, game, prepared, machine, rooms), refused)
}

/** A run that is prepared here, where all of these bots play but the ones that are refused. */
export function preparedRunOf(
  posted: PostedRun,
  game: GameInPlay,
  players: Pick<PreparedRun, 'pool' | 'chain'>,
  refused: ReadonlyMap<number, string> = new Map(),
): PreparedRun {
  return {
    ...players,
    verifier: new JobVerifier(posted, game),
    refused,
    isKnown: (job) => entrantsOf(job).every((entrant) => posted.setup.entrants[entrant] !== undefined),
    canPlay: (job) => entrantsOf(job).every((entrant) => !refused.has(entrant)),
  }
}

/** The builds of the entrants here, by their places in the run. */
function prepare(
  { setup, parcels, trust, mixed }: PostedRun,
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
    isolation: { ...isolation, trust: isolation.trust && trust },
    sourceBytes: Math.min(sourceBytes, MOST_SOURCE),
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

/** The workers that play a run here: threads, and for bots that live through the tournament the first thread. */
async function startPlayers(
  { setup, strictTiming, trust, tournament }: PostedRun,
  { definition, file: gameFile }: GameInPlay,
  all: readonly (Prepared | NotPrepared)[],
  { isolation: given, slots, note, store }: Pick<Machine, 'isolation' | 'slots' | 'note' | 'store'>,
  rooms: string,
): Promise<Pick<PreparedRun, 'pool' | 'chain'>> {
  const isolation = { ...given, trust: given.trust && trust }
  const prepared = all.map((one, i): Prepared => {
    const was = setup.entrants[i]
    if (was === undefined) throw new Error(`there is no entrant ${i}`)
    // An entrant that cannot play here is never seated; it keeps its number.
    return one.admitted ? one : { ...was, run: { kind: 'process', argv: ['false'], cwd: rooms } }
  })
  const cores = availableParallelism()
  const timed = strictTiming ? cores : Math.max(cores, slots)
  const { programs, ...field } = splitEntrants(prepared)
  const shared = { ...setup, ...field }
  const entrants = prepared.map((one) => entrantOf(one, isolation, setup.limits))
  // A thread that is ended leaves programs behind that live in no sandbox.
  const held = entrants.every(
    ({ run }, i) => all[i]?.admitted !== true || run.kind !== 'process' || run.sandbox !== undefined,
  )
  const place = { rooms, timed, gameFile }
  const { game: _, ...rest } = setup
  const here = { ...rest, ...place, definition, entrants }
  const names = entrants.map(({ name }) => name)
  const pool = held
    ? await startThreads(shared, { ...place, programs, isolation }, slots, note)
    : workersHere(new Arena(here, note), names)
  if (entrants.every(({ memory }) => memory !== 'tournament')) return { pool }
  const chain = new Chain({ arena: { ...here, rooms: join(rooms, 'chain') }, tournament, store, slots, note })
  return { pool: withChain(pool, chain), chain }
}

/** A pool that ends the chain's bots with its own. */
function withChain(pool: WorkerPool, chain: Chain): WorkerPool {
  return {
    ...pool,
    async close() {
      const [written, lasting] = await Promise.all([pool.close(), chain.close()])
      return new Map(
        [...new Set([...written.keys(), ...lasting.keys()])].map((name) => [
          name,
          (written.get(name) ?? '') + (lasting.get(name) ?? ''),
        ]),
      )
    },
  }
}

/**
 * The file of a run's game, where it does not come with agon. Anyone who can write to the store could have put it there, so it is run
 * only where this machine has the very same files, or trusts all. Throws UserError.
 */
async function gameFileOf({ gameFile }: PostedRun, machine: Machine): Promise<string | undefined> {
  if (gameFile === undefined) return undefined
  const { games, store, workspace, spell } = machine
  const own = games.files.get(gameFile.hash)
  if (own !== undefined) return own
  if (games.all) return placeGame(gameFile, workspace, (hash) => fetchSource(store, hash))
  throw new UserError(
    spelled(
      message`its game, ${basename(gameFile.name)}, is code that does not come with agon: its owner has to start a worker with ${option('game', 'FILE')} (the same files), or with ${option('trustGames')}`,
      spell,
    ),
  )
}
