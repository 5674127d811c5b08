import { join } from 'node:path'
import { gameSource, sendEntrants } from '../../build/index.js'
import type { ResolvedContest } from '../../contest/index.js'
import { type Run, UserError, message } from '../../core/index.js'
import type { PlayableRun, WorkerPool } from '../../engine/index.js'
import type { ServerStore } from '../../store/index.js'
import { startPlayers } from '../../workers/queue/prepared-runs.js'
import { QueuePool } from '../../workers/queue/queue-pool.js'
import { Queues } from '../../workers/queue/queues.js'
import { Registry } from '../../workers/queue/registry.js'
import type { PlannedRun } from './plan.js'
import { VERSION } from '../version.js'

/** Publishes a run for workers, and plays along if that is wished. The pool that it resolves with ends both. Throws UserError. */
export async function startWorkersElsewhere(
  { run, isolation, resolved, options, rooms, context: { notice: note, spell } }: PlannedRun,
  playable: PlayableRun,
  store: ServerStore,
): Promise<WorkerPool> {
  const { jobs, asked: cap, workersOnly = false, strictTiming = false, trust = false, urgent = false } = options
  const own = workersOnly ? 0 : jobs
  refuseLabels(run, own, note)
  const published = { ...(await publishedOf(run, resolved, store)), strictTiming, trust }
  const queues = await Queues.open(store, () => undefined)
  try {
    const registry = new Registry(store.sql)
    await registry.publish(run.id, published)
    const machine = { isolation, slots: own, note, rooms: join(rooms, 'worker'), strictTiming }
    const local = own === 0 ? undefined : { pool: await startPlayers(run, resolved.definition, machine), slots: own }
    const pool = new QueuePool({ run: playable, store, queues, registry, cap, urgent, local, note, spell })
    const close = pool.close.bind(pool)
    pool.close = async () => {
      const written = await close()
      await queues.close()
      return written
    }
    return pool
  } catch (error) {
    await queues.close()
    throw error
  }
}

/** Bots that remember the whole tournament play in the run's own process. Throws UserError if one of them needs another machine. */
function refuseLabels({ entrants }: Run, own: number, note: (text: string) => void): void {
  const lasting = entrants.filter(({ memory }) => memory === 'tournament')
  const odd = lasting.find(({ labels = [] }) => labels.length > 0)
  if (odd !== undefined)
    throw new UserError(
      message`${odd.name} remembers the whole tournament, so it plays on the machine that runs the contest: leave its labels out`,
    )
  const names = lasting.map(({ name }) => name).join(', ')
  if (names !== '' && own === 0)
    note(`${names}: bots that remember the whole tournament are played here, not by workers`)
}

/** What workers need to play a run, with its entrants' sources in the store. */
async function publishedOf(run: Run, resolved: ResolvedContest, store: ServerStore) {
  const sent = new Map((await sendEntrants(resolved)).map((one) => [one.name, one]))
  const parcels = []
  const lacking = new Set(await store.lackingSources(run.entrants.map(({ source }) => source)))
  for (const { name, source } of run.entrants) {
    const one = sent.get(name)
    if (one === undefined || (one.source !== undefined && one.source.hash !== source))
      throw new Error(`the source of ${name} changed while it was built`)
    if (one.source !== undefined && lacking.has(source)) await store.saveSource(source, await one.source.pack())
    parcels.push(one.parcel)
  }
  const source = await gameSource(resolved.definition)
  if (source !== undefined && (await store.lackingSources([source.hash])).length > 0)
    await store.saveSource(source.hash, await source.pack())
  return {
    agon: VERSION,
    run: { ...run, entrants: run.entrants.map((entrant) => ({ ...entrant, program: undefined })) },
    parcels,
    gameFile: source ? { name: source.name, hash: source.hash } : undefined,
  }
}
