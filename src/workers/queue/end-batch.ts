import { setTimeout as sleep } from 'node:timers/promises'
import { UserError, messageOf } from '../../core/index.js'
import type { JobRequest } from '../../engine/index.js'
import { type PlayedJob, type ServerStore, type Transaction, isLost, together } from '../../store/index.js'
import type { Batches } from './boss.js'
import { type AnsweredJob, keptAfter } from './answered.js'
import type { HeldBatch } from './held-batch.js'
import type { JobVerifier } from './job-verifier.js'
import type { BatchOutcome, JobOutcome } from './messages.js'
import type { OwnBatches } from './own-batches.js'
import type { PreparedRun } from './prepared-run.js'

/** Milliseconds between two attempts to end a batch. */
const PAUSE_MS = 1000
/** Characters that are told of why a job was not played: of all jobs of a batch together less than a run reads. */
const WHY = 1000
/** So often an error that has nothing to do with the connection is met before it is taken for the batch's own. */
const ATTEMPTS = 3

/** Another worker holds the batch. */
class Taken extends Error {}

/** The host has set this worker aside. */
class Distrusted extends Error {}

/** The batches before it are not as they were when it was played, or another worker played it. */
class Overtaken extends Error {}

/** Listeners for the steps of a batch's end. */
export interface BatchObserver {
  /** Nothing of it is played any more; it is not stored yet. */
  readonly onPlayed: () => void
  /** Is told of it where the run's own worker ends it. */
  readonly mine?: OwnBatches
}

/**
 * Plays a batch and ends it: in one transaction its job is completed and its matches are stored, or neither where another worker holds it by
 * then. Where the worker was set aside meanwhile, its jobs go back. Waits for a server that is lost.
 */
export async function endBatch(
  held: HeldBatch,
  { verifier }: PreparedRun,
  store: ServerStore,
  batches: Batches,
  worker: string,
  trouble: (error: unknown) => void,
  { onPlayed, mine }: BatchObserver,
): Promise<void> {
  let keys: readonly string[] | undefined
  try {
    const came = await played(held).finally(onPlayed)
    const onStored: EndingSetting['onStored'] = (outcome, jobs) => mine?.stored(held.batch.id, outcome, jobs)
    mine?.ending(held.batch.id)
    if (!held.gone) keys = await storeOf(held, came, { verifier, store, batches, worker, trouble, onStored })
  } finally {
    if (keys === undefined) mine?.forget(held.batch.id)
    await held.settle(keys)
  }
}

interface EndingSetting {
  readonly verifier: JobVerifier
  readonly store: ServerStore
  readonly batches: Batches
  /** The worker that ends it, by its id. */
  readonly worker: string
  readonly trouble: (error: unknown) => void
  /** Called with the jobs that were stored and not there before. */
  readonly onStored: (outcome: BatchOutcome, jobs: readonly PlayedJob[]) => void
}

/** Resolves with the keys of its jobs that lie in the store; undefined: it was not stored. */
async function storeOf(
  held: HeldBatch,
  { jobs, ms }: Awaited<ReturnType<HeldBatch['play']>>,
  { verifier, store, batches, worker, trouble, onStored }: EndingSetting,
): Promise<readonly string[] | undefined> {
  const verified = verifyAll(verifier, held, jobs)
  // In the order in which they were sent, whatever was stored before.
  const outcomes = new Map(verified.map(({ request, outcome }) => [request, outcome]))
  const outcome: BatchOutcome = {
    worker,
    ms,
    jobs: held.batch.jobs.map((request): JobOutcome => shortened(outcomes.get(request) ?? { back: true })),
  }
  const records = verified.flatMap((one) => one.played ?? [])
  for (let attempt = 1; !held.gone;) {
    try {
      const before = await endAndStore(held, records, outcome, store, batches)
      const fresh = records.filter(({ key }) => !before.has(key))
      onStored(outcome, fresh)
      return outcome.jobs.flatMap((one) => ('key' in one ? [one.key] : []))
    } catch (error) {
      if (error instanceof Taken) return undefined
      const isBack = error instanceof Distrusted || error instanceof Overtaken
      if (!isBack) trouble(error)
      if (isBack || (!(error instanceof UserError) && ++attempt > ATTEMPTS)) {
        const back = held.batch.jobs.map((): JobOutcome => (isBack ? { back: true } : shortened(faultOf(error))))
        await endAndStore(held, [], { worker, ms, jobs: back }, store, batches).catch(trouble)
        return undefined
      }
      await sleep(PAUSE_MS)
    }
  }
  return undefined
}

type VerifiedJob = ReturnType<JobVerifier['verify']> & { readonly request: JobRequest }

/** What is stored and reported of the jobs of a batch. */
function verifyAll(
  verifier: JobVerifier,
  { batch, tournament }: HeldBatch,
  jobs: readonly AnsweredJob[],
): readonly VerifiedJob[] {
  const verified = jobs.map((one) => ({ request: one.request, ...verifyJob(verifier, one) }))
  if (batch.chain === undefined) return verified
  // Where one is not to be stored, nothing that may come after it is.
  const bad = verified.findIndex(({ outcome }, i) => 'failure' in outcome && 'records' in (jobs[i]?.response ?? {}))
  if (bad >= 0)
    return verified.map(({ request, outcome }, i) => ({ request, outcome: i === bad ? outcome : { back: true } }))
  // They are stored together: what each bot held at last is kept.
  const kept = { tournament, by: keptAfter(jobs) }
  const last = verified.findLast(({ played: stored }) => stored !== undefined)
  return verified.map((one) => (one === last && one.played ? { ...one, played: { ...one.played, kept } } : one))
}

/** Plays a batch. A failure that none of its jobs caused is reported for each of them: the batch would else be tried without end. */
async function played(held: HeldBatch): ReturnType<HeldBatch['play']> {
  try {
    return await held.play()
  } catch (error) {
    if (isLost(error)) throw error
    return { jobs: held.batch.jobs.map((request) => ({ request, response: faultOf(error) })), ms: 0 }
  }
}

/** What is stored and reported of a job; one that goes otherwise when it is judged again is agon's own fault. */
function verifyJob(verifier: JobVerifier, { request, response }: AnsweredJob): ReturnType<JobVerifier['verify']> {
  try {
    return verifier.verify(request, response)
  } catch (error) {
    return { outcome: faultOf(error) }
  }
}

const faultOf = (error: unknown) => ({
  failure: error instanceof UserError ? ('mistake' as const) : ('fault' as const),
  why: messageOf(error),
})

function shortened(outcome: JobOutcome): JobOutcome {
  if ('lost' in outcome) return { lost: outcome.lost.slice(0, WHY) }
  return 'why' in outcome ? { ...outcome, why: outcome.why.slice(0, WHY) } : outcome
}

async function isStored(tx: Transaction, key: string): Promise<boolean> {
  const { rows } = await tx.query('SELECT 1 FROM agon.match WHERE unit = $1 LIMIT 1', [Buffer.from(key, 'hex')])
  return rows.length > 0
}

/** Resolves with the keys of the jobs that others had stored before. */
async function endAndStore(
  { batch }: HeldBatch,
  jobs: readonly PlayedJob[],
  outcome: BatchOutcome,
  store: ServerStore,
  batches: Batches,
): Promise<ReadonlySet<string>> {
  return store.transaction(async (tx) => {
    const [isOwn] = await together([
      batches.end(tx, batch, outcome),
      // The rows of its matches take it from there.
      tx.query("SELECT set_config('agon.worker', (SELECT number::text FROM agon.worker WHERE id = $1), true)", [
        outcome.worker,
      ]),
    ])
    if (!isOwn) throw new Taken()
    if (jobs.length === 0) return new Set<string>()
    const { last = '' } = batch.chain ?? {}
    const before = await store.recordIn(tx, batch.run, jobs)
    // The run's row is locked from there on: the batches before this one cannot be taken back.
    if (batch.chain && (before.size > 0 || (last !== '' && !(await isStored(tx, last))))) throw new Overtaken()
    const fresh = jobs.filter(({ key }) => !before.has(key)).flatMap(({ matches }) => matches)
    const faults = fresh.reduce((sum, match) => sum + match.faults.length, 0)
    // Setting a worker aside changes the same row: this batch is stored before that commits, or never.
    const { rows } = await tx.query<{ aside: string | null }>(
      'UPDATE agon.worker SET matches = matches + $2, faults = faults + $3, heard = now() WHERE id = $1 RETURNING aside',
      [outcome.worker, fresh.length, faults],
    )
    if (typeof rows[0]?.aside === 'string') throw new Distrusted()
    return before
  })
}
