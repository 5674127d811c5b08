import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { UserError, derive, message, option } from '../core/index.js'
import { type LeaseStore, type RunSummary, type Store, isOnServer } from '../store/index.js'
import { clearResults, holdsResults, holdsResultsOf, reserveResults } from '../archive/write.js'
import { type Identity, isSameGame, sourceIn } from './identity.js'
import { secretSeed } from './plan.js'
import type { RunOptions } from './run-options.js'

/** Which run this is: a new one, or one to resume. */
export interface OpenRun {
  readonly id: string
  readonly seed: string
  readonly out: string
  /** What was there before. */
  readonly before?: RunSummary
  /** There was nothing to resume. */
  readonly nothing: boolean
  /** The run of the same league by a game that has changed since. */
  readonly other?: RunSummary
  /**
   * Removes what a fresh run gives up, but for matches of the same game, by what decides of the new run: to be called once it is certain
   * that something new begins.
   */
  readonly clear: (now: Identity) => Promise<void>
}

/**
 * Finds the run that the options mean. Throws UserError where the folder for the results already holds a run and neither
 * `resume` nor `fresh` says what to do with it. `source`: of a game that does not come with agon; a league of a game that has changed is another
 * run unless it is told to go on.
 */
export async function openRun(
  store: Store,
  contest: string,
  game: string,
  contestSeed: string | undefined,
  options: RunOptions,
  source?: string,
): Promise<OpenRun> {
  if (options.resume && options.fresh)
    throw new UserError(message`${option('resume')} and ${option('fresh')} contradict each other: give one of them`)
  const runs = await store.runs()
  reserveResults(runs.map((run) => run.out))
  const last = latest(runs, contest, options.seed ?? contestSeed)
  const isOther = options.league && !options.resume && !options.fresh && last && sourceIn(last.identity) !== source
  const own = isOther ? undefined : last
  // A league is one run, wherever its results lie.
  const onServer = isOnServer(store)
  const named = options.out ?? (options.league && !onServer ? whereItLies(own) : undefined)
  const out = named === undefined ? undefined : resolve(named)
  const there = out !== undefined ? runs.find((run) => run.out === out) : options.league ? own : undefined
  const before = out === undefined && options.resume ? own : there
  const goesOn = options.resume || (options.league && !options.fresh && options.out === undefined)
  if (goesOn && before !== undefined) {
    if (options.seed !== undefined && options.seed !== before.seed) {
      throw new UserError(
        message`${before.out} holds a run with another seed; leave ${option('seed')} out, or choose another ${option('out')}`,
      )
    }
    const { id, seed } = before
    const isHere = out !== undefined || whereItLies(before) !== undefined
    const to = isHere ? before.out : resolve('agon-results', id.replaceAll(/[^\w-]/g, '_'))
    return { id, seed, out: to, before, nothing: false, clear: async () => undefined }
  }
  if (out !== undefined && !options.fresh && (there !== undefined || holdsResults(out))) {
    const remedy = options.resume
      ? message`but ${store.where} holds nothing of it: use ${option('fresh')}`
      : message`continue with ${option('resume')}, start again with ${option('fresh')}`
    throw new UserError(message`${named ?? ''} already holds a run: ${remedy}, or choose another ${option('out')}`)
  }
  if (there !== undefined) await refuseLive(store, there)
  // Matches of another seed are other matches: begun afresh, a run takes from the store what it has.
  const seed = options.seed ?? contestSeed ?? (options.fresh ? there?.seed : undefined) ?? secretSeed()
  const name = options.league ? basename(dirname(contest)) : basename(contest, '.toml')
  return {
    id: `${game}-${randomBytes(6).toString('hex')}`,
    seed,
    out: out ?? freeFolder(`${name}-${seed.slice(0, 8).replace(/[^\w.-]/g, '_')}`),
    nothing: options.resume === true,
    other: isOther && options.out === undefined ? last : undefined,
    clear: async (identity) => {
      if (there !== undefined)
        await store.removeRun(there.id, isSameGame(there.identity, identity) ? 'keep' : undefined)
      if (out !== undefined && options.fresh) clearResults(out)
    },
  }
}

/**
 * The folder of a run's results; undefined: it does not hold them. Where a server or an archive names it, it may be another machine's, or
 * a stranger's choice.
 */
const whereItLies = (run: RunSummary | undefined): string | undefined =>
  run !== undefined && holdsResultsOf(run.out, run.seed) ? run.out : undefined

/** What a process that plays a run takes for itself in the store. */
const playing = (id: string): string => derive('playing', id)

/** Shows other processes, for as long as the store is open, that this one plays the run. */
export async function acquireRunLease(store: LeaseStore, id: string): Promise<void> {
  await store.acquireLease(playing(id))
}

/** A run that is being played is not taken away from the process that plays it. */
async function refuseLive(store: LeaseStore, { id, out }: RunSummary): Promise<void> {
  const owner = await store.acquireLease(playing(id))
  if (owner === undefined) return
  throw new UserError(
    message`${out} is being played by another agon (process ${owner}): wait until it ends, or end it, before ${option('fresh')}, or choose another ${option('out')}`,
  )
}

/** The newest run of this contest that has not ended; else the newest. */
function latest(runs: readonly RunSummary[], contest: string, seed: string | undefined): RunSummary | undefined {
  const own = runs.filter((run) => run.contest === contest && (seed === undefined || run.seed === seed))
  return own.find((run) => run.state !== 'finished') ?? own[0]
}

/** A folder below ./agon-results that no run has yet. */
function freeFolder(name: string): string {
  for (let n = 1; ; n++) {
    const folder = resolve('agon-results', n === 1 ? name : `${name}-${n}`)
    if (!existsSync(join(folder, 'contest.json'))) return folder
  }
}
