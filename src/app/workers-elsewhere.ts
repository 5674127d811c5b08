import { randomBytes } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { join } from 'node:path'
import { type BotIsolation, gameSource, sendEntrants, toolsNamed } from '../build/index.js'
import type { LoadedContest } from '../contest/index.js'
import type { JobRequest, PastJob, WorkerPool } from '../engine/index.js'
import type { ServerStore } from '../store/index.js'
import { Batches } from '../workers/queue/boss.js'
import { Board } from '../workers/queue/board.js'
import type { WorkerCard } from '../workers/queue/board-rows.js'
import { JobVerifier } from '../workers/queue/job-verifier.js'
import type { PostedRun } from '../workers/queue/messages.js'
import { OwnBatches } from '../workers/queue/own-batches.js'
import { prepareRun } from '../workers/queue/prepared-run.js'
import { QueuePool } from '../workers/queue/queue-pool.js'
import { QueueWorker } from '../workers/queue/queue-worker.js'
import { splitEntrants } from '../workers/entrants.js'
import type { RunSetup } from '../workers/messages.js'
import type { Admitted } from './admit.js'
import type { Context } from './context.js'
import { VERSION } from './version.js'

/** Programs that a worker tells of, and characters of the name and of the version of each. */
const TOOLS = 60
const TOOL = 150

/** A run whose jobs are played by workers that share its store. */
export interface ElsewhereRun {
  readonly id: string
  readonly tournament: string
  readonly loaded: LoadedContest
  readonly admitted: Admitted
  readonly shared: Omit<RunSetup, 'game' | 'entrants'>
  readonly gameFile?: string
  /** A folder for rooms. */
  readonly rooms: string
  readonly strictTiming: boolean
  readonly trust: boolean
  /** It goes before all others. */
  readonly urgent: boolean
  /** Batches played at once by all workers together; absent: any number. */
  readonly cap?: number
  /** This process plays so many jobs at once itself; 0: workers alone play. */
  readonly own: number
}

/** Posts a run for workers, and plays along where that is wished. The pool that it resolves with ends both. */
export async function startWorkersElsewhere(
  run: ElsewhereRun,
  store: ServerStore,
  context: Context,
): Promise<WorkerPool> {
  const { notice, spell, workspace } = context
  const { id, admitted, rooms, own } = run
  const posted = await postedOf(run, store)
  const batches = await Batches.open(store.url, 2, () => undefined)
  try {
    const board = new Board(batches.sql)
    await board.post(id, posted, run.cap)
    const labels = admitted.prepared.map((one) => one.labels ?? [])
    const verifier = new JobVerifier(posted, { definition: run.loaded.definition, file: run.gameFile })
    const mine = new OwnBatches(() => pool.stir())
    const { urgent } = run
    const texts = { note: notice, spell }
    const started: { worker?: QueueWorker } = {}
    const onEnded = (): void => started.worker?.look()
    const takenBack = await board.takenBack(id)
    const posting = { run: id, posted, verifier, labels, store, batches, board, takenBack }
    const pool = new QueuePool({ ...posting, urgent, mine, onEnded, ...texts })
    const { isolation } = admitted
    const games = { files: ownGame(run, posted), all: false }
    const machine = { store, workspace, isolation, slots: own, agon: VERSION, games, ...texts }
    // It builds only its own run's entrants, so their programs are known already.
    const toolchains = toolsNamed(admitted.infos.map((one) => one.toolchain))
    const card = own > 0 ? cardOf({ labels: [], slots: own, isolation, toolchains }) : undefined
    // What this process plays itself needs no check.
    const open: typeof prepareRun = (_, here, folder) => prepareRun(posted, here, folder)
    const here = {
      ...machine,
      rooms: join(rooms, 'worker'),
      only: id,
      open,
      mine,
    }
    if (card) started.worker = await QueueWorker.start({ ...here, card })
    return {
      window: pool.window,
      looks: pool.looks,
      play: (batch) => pool.play(batch),
      believe: (stored) => pool.believe(stored),
      settle: () => pool.settle(),
      // A run that plays along has them itself, unless they may need what this machine lacks.
      ...((own === 0 || labels.some(({ length }) => length > 0)) && {
        playLongLived: (batch: readonly JobRequest[], before: readonly PastJob[]) => pool.playLongLived(batch, before),
      }),
      async close() {
        const written = await pool.close()
        await started.worker?.stop()
        await batches.close()
        return written
      },
    }
  } catch (error) {
    await batches.close()
    throw error
  }
}

/** What workers need to play a run, with its entrants' sources in the store. */
async function postedOf({ loaded, admitted, shared, ...run }: ElsewhereRun, store: ServerStore): Promise<PostedRun> {
  const { definition } = loaded
  const names = new Set(admitted.prepared.map(({ name }) => name))
  const sent = new Map((await sendEntrants(loaded)).filter(({ name }) => names.has(name)).map((one) => [one.name, one]))
  const parcels = []
  const lacking = new Set(await store.lackingSources(admitted.prepared.map(({ hash }) => hash)))
  for (const { name, hash } of admitted.prepared) {
    const one = sent.get(name)
    if (one === undefined || (one.source !== undefined && one.source !== hash))
      throw new Error(`the source of ${name} changed while it was built`)
    if (one.source !== undefined && lacking.has(one.source)) await store.saveSource(one.source, await one.pack())
    parcels.push(one.parcel)
  }
  const source = await gameSource(definition)
  if (source !== undefined && (await store.lackingSources([source.hash])).length > 0)
    await store.saveSource(source.hash, await source.pack())
  const { entrants } = splitEntrants(admitted.prepared)
  const game = { id: definition.game.id, version: definition.game.version }
  return {
    agon: VERSION,
    setup: { ...shared, game, entrants },
    tournament: run.tournament,
    hashes: admitted.infos.map(({ hash }) => hash),
    parcels,
    strictTiming: run.strictTiming,
    trust: run.trust,
    mixed: loaded.contest.mixedBuilds ? (true as const) : undefined,
    gameFile: source ? { name: source.name, hash: source.hash } : undefined,
  }
}

/** The file of the run's own game, by its hash. */
const ownGame = ({ gameFile }: ElsewhereRun, posted: PostedRun): ReadonlyMap<string, string> =>
  new Map(posted.gameFile && gameFile !== undefined ? [[posted.gameFile.hash, gameFile]] : [])

/** How this machine announces itself as a worker. */
export function cardOf({
  labels,
  slots,
  isolation,
  toolchains,
}: {
  readonly labels: readonly string[]
  readonly slots: number
  readonly isolation: BotIsolation
  readonly toolchains: WorkerCard['toolchains']
}): WorkerCard {
  const host = hostname()
  return {
    id: `${host.replace(/[^\w-]/g, '_').slice(0, 40)}-${randomBytes(4).toString('hex')}`,
    host,
    pid: process.pid,
    agon: VERSION,
    cores: availableParallelism(),
    slots,
    labels,
    // Programs may call themselves what they like: a worker that says too much of itself is not let in.
    toolchains: Object.fromEntries(
      Object.entries(toolchains)
        .slice(0, TOOLS)
        .map(([name, version]) => [name.slice(0, TOOL), version.slice(0, TOOL)]),
    ),
    isolation: isolation.maker === undefined ? 'none' : 'cells',
  }
}
