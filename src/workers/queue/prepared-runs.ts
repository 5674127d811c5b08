import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import {
  type GameDefinition,
  type Job,
  type Program,
  type Run,
  type Spell,
  UserError,
  messageOf,
  spelled,
  wordingOf,
} from '../../core/index.js'
import { type BotIsolation, type Parcel, placeGame, prepareSent, wasBuilt } from '../../build/index.js'
import { recordGame } from '../../contest/index.js'
import { Arena, type WorkerPool, entrantsOf, workersHere } from '../../engine/index.js'
import { endWithThread, playableRun } from '../../engine/seating.js'
import type { ServerStore } from '../../store/index.js'
import { startThreads } from '../pool.js'
import type { PublishedRun } from './messages.js'
import type { Queues } from './queues.js'
import type { Registry, RunQueue, WorkerNews } from './registry.js'

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

/** Never seated: an entrant that cannot play here keeps its number. */
const NEVER: Program = { kind: 'module', file: '' }

/** Stages and builds a run's entrants, and starts what plays them. `rooms`: a folder of its own. Throws UserError where this machine can play none of its jobs. */
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

/** Threads, unless a program lives in no sandbox: an ended thread would leave it behind. */
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

/** Milliseconds that bots are kept while no batch can come. */
const IDLE_MS = 10_000
/** Milliseconds until a run that failed to prepare is tried again. */
const AGAIN_MS = 30_000

/** A run that this worker has prepared, or tried to. */
interface RunHere {
  /** Absent: its bots do not run here now. */
  readonly prepared?: PreparedRun
  /** Of its entrants. */
  readonly names: readonly string[]
  /** By entrant's name: why it cannot play here, until the run is over. */
  readonly refused: ReadonlyMap<string, string>
  /** When it could not be prepared. */
  readonly failed?: number
  /** When a batch was last played, or could come. */
  used: number
}

/** A worker's runs: each is prepared when a queue of it is open, and closed when none was for a while. */
export class PreparedRuns {
  private readonly runs = new Map<string, RunHere>()
  private readonly opening = new Map<string, Promise<void>>()
  private made = 0

  constructor(
    private readonly own: Machine & { readonly rooms: string; readonly spell?: Spell },
    private readonly registry: Registry,
    private readonly queues: Queues,
    /** Tells others which runs are here, and whom they lack. */
    private readonly tell: () => Promise<void>,
    private readonly openOne: typeof prepareRun = prepareRun,
  ) {}

  of(run: string): RunHere['prepared'] {
    return this.runs.get(run)?.prepared
  }

  /** Whether all entrants of a job can play here. */
  canPlay(run: string, job: Job): boolean {
    const { names = [], refused } = this.runs.get(run) ?? {}
    return entrantsOf(job).every((entrant) => !refused?.has(names[entrant] ?? ''))
  }

  /** Whether all entrants that a queue needs can play here, as far as known. */
  mayPlay(run: string, { needs }: RunQueue): boolean {
    const refused = this.runs.get(run)?.refused
    return !needs.bots.some((name) => refused?.has(name))
  }

  get news(): WorkerNews['runs'] {
    return [...this.runs].map(([run, { refused }]) => ({ run, refused: [...refused] }))
  }

  /** Prepares runs with `open` queues, and closes others; batches of `busy` runs are played. Runs not `there` are over. */
  async see(open: ReadonlySet<string>, busy: ReadonlySet<string>, there: ReadonlySet<string>): Promise<void> {
    const now = performance.now()
    for (const run of open) {
      const { prepared, failed = -Infinity } = this.runs.get(run) ?? {}
      if (prepared === undefined && now - failed > AGAIN_MS && !this.opening.has(run)) this.open(run)
    }
    for (const [run, one] of this.runs) {
      if (busy.has(run) || open.has(run)) one.used = now
      else if (!there.has(run) || (one.prepared !== undefined && now - one.used > IDLE_MS))
        await this.close(run, one, !there.has(run))
    }
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.opening.values())
    for (const [run, one] of this.runs) await this.close(run, one, true)
  }

  private open(run: string): void {
    const work = this.prepare(run)
      .catch((error: unknown) => this.own.note(`${run}: ${spelled(wordingOf(error), this.own.spell)}`))
      .finally(() => this.opening.delete(run))
    this.opening.set(run, work)
  }

  private async prepare(run: string): Promise<void> {
    const { rooms } = this.own
    const published = await this.registry.published(run)
    if (published === undefined) return
    const used = performance.now()
    const names = published.run.entrants.map(({ name }) => name)
    try {
      const prepared = await this.openOne(published, this.own, join(rooms, `run-${this.made++}`))
      this.runs.set(run, { prepared, names, refused: prepared.refused, used })
    } catch (error) {
      const all = error instanceof UserError ? names : []
      const refused = new Map(all.map((name) => [name, messageOf(error)]))
      this.runs.set(run, { names, refused, failed: performance.now(), used })
      throw error
    } finally {
      await this.tell()
    }
  }

  /** Ends a run's bots here; their standard error goes to its coordinator before this hears that they are gone. */
  private async close(run: string, { prepared, ...here }: RunHere, isOver: boolean): Promise<void> {
    this.runs.set(run, here)
    const stderr = [...((await prepared?.pool.close()) ?? [])]
    // A run that is over has no queue.
    if (stderr.length > 0) await this.queues.bring(run, { stderr }).catch(() => undefined)
    if (isOver) this.runs.delete(run)
    await this.tell()
  }
}
