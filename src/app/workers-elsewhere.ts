import { randomBytes } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { join } from 'node:path'
import { type BotIsolation, gameSource, sendEntrants } from '../build/index.js'
import type { LoadedContest } from '../contest/index.js'
import { UserError, message } from '../core/index.js'
import type { WorkerPool } from '../engine/index.js'
import type { ServerStore } from '../store/index.js'
import { splitEntrants } from '../workers/entrants.js'
import type { RunSetup } from '../workers/messages.js'
import type { PublishedRun } from '../workers/queue/messages.js'
import { startPlayers } from '../workers/queue/prepared-run.js'
import { QueuePool } from '../workers/queue/queue-pool.js'
import { Queues } from '../workers/queue/queues.js'
import { Registry, type WorkerInfo } from '../workers/queue/registry.js'
import type { Admitted } from './admit.js'
import type { Context } from './context.js'
import { VERSION } from './version.js'

/** A run whose jobs are played by workers that share its store. */
export interface ElsewhereRun {
  readonly id: string
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
  /** Jobs played at once by all workers together; absent: any number. */
  readonly cap?: number
  /** This process plays so many jobs at once itself; 0: workers alone play. */
  readonly own: number
}

/** Publishes a run for workers, and plays along if that is wished. The pool that it resolves with ends both. Throws UserError. */
export async function startWorkersElsewhere(
  run: ElsewhereRun,
  store: ServerStore,
  { notice: note, spell }: Context,
): Promise<WorkerPool> {
  const { id, admitted, loaded, shared, own, urgent, cap } = run
  refuseLabels(run, note)
  const published = await publishedOf(run, store)
  const queues = await Queues.open(store, () => undefined)
  try {
    const registry = new Registry(store.sql)
    await registry.publish(id, published)
    const { isolation, entrants, prepared } = admitted
    const game = { definition: loaded.definition, file: run.gameFile }
    const machine = { isolation, slots: own, note, rooms: join(run.rooms, 'worker') }
    const local = own === 0 ? undefined : { pool: await startPlayers(published, game, prepared, machine), slots: own }
    const pool = new QueuePool({
      run: id,
      game,
      setup: { ...shared, definition: loaded.definition, entrants },
      given: published.parcels.map((parcel) => ('house' in parcel ? parcel.with : parcel.spec.with)),
      labels: prepared.map((one) => one.labels ?? []),
      store,
      queues,
      registry,
      cap,
      urgent,
      local,
      note,
      spell,
    })
    return {
      window: pool.window,
      looks: pool.looks,
      play: (batch) => pool.play(batch),
      look: (keys, seen) => pool.look(keys, seen),
      async close() {
        const written = await pool.close()
        await queues.close()
        return written
      },
    }
  } catch (error) {
    await queues.close()
    throw error
  }
}

/** Bots that remember the whole tournament play in the run's own process. Throws UserError if one of them needs another machine. */
function refuseLabels({ admitted, own }: ElsewhereRun, note: (text: string) => void): void {
  const lasting = admitted.prepared.filter(({ memory }) => memory === 'tournament')
  const odd = lasting.find(({ labels = [] }) => labels.length > 0)
  if (odd !== undefined)
    throw new UserError(
      message`${odd.name} remembers the whole tournament, so it plays on the machine that runs the contest: leave its labels out`,
    )
  if (lasting.length > 0 && own === 0)
    note(
      `${lasting.map(({ name }) => name).join(', ')}: bots that remember the whole tournament are played here, not by workers`,
    )
}

/** What workers need to play a run, with its entrants' sources in the store. */
async function publishedOf(
  { loaded, admitted, shared, ...run }: ElsewhereRun,
  store: ServerStore,
): Promise<PublishedRun> {
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
    parcels,
    strictTiming: run.strictTiming,
    trust: run.trust,
    mixed: loaded.contest.mixedBuilds ? (true as const) : undefined,
    gameFile: source ? { name: source.name, hash: source.hash } : undefined,
  }
}

/** How this machine announces itself as a worker. */
export function workerInfoOf({
  labels,
  slots,
  isolation,
  toolchains,
}: Pick<WorkerInfo, 'labels' | 'slots' | 'toolchains'> & { readonly isolation: BotIsolation }): WorkerInfo {
  const host = hostname()
  return {
    id: `${host.replace(/[^\w-]/g, '_').slice(0, 40)}-${randomBytes(4).toString('hex')}`,
    host,
    pid: process.pid,
    agon: VERSION,
    cores: availableParallelism(),
    slots,
    labels,
    toolchains,
    isolation: isolation.maker === undefined ? 'none' : 'cells',
  }
}
