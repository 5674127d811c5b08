import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Contest, UserError, canonical, derive, message, option } from '../../core/index.js'
import type { ResolvedContest } from '../../contest/index.js'
import { type LeaseStore, type Store, type StoredRun, isOnServer } from '../../store/index.js'
import { holdsResults, holdsResultsOf, reserveResults } from '../../results/write.js'
import type { RunOptions } from './options.js'
import { sourceOf } from './same.js'

export interface FoundRun {
  readonly id: string
  readonly seed: string
  readonly out: string
  readonly before?: StoredRun
  readonly replaced?: StoredRun
  /** The league's run by a game that has changed since. */
  readonly other?: StoredRun
}

/**
 * A league goes on with its run, wherever its results are to lie, unless its game has changed; any other contest if
 * told to. Throws UserError if the folder for the results holds another run and `fresh` does not give that up.
 */
export async function findRun(
  store: Store,
  { contest, definition, file, league = false }: ResolvedContest,
  options: RunOptions,
): Promise<FoundRun> {
  const { resume = false, fresh = false, seed: given } = options
  if (resume && fresh)
    throw new UserError(message`${option('resume')} and ${option('fresh')} contradict each other: give one of them`)
  const runs = await store.runs()
  reserveResults(runs.map((run) => run.out))
  const last = latest(runs, { ...contest, file })
  const hasChanged = league && !resume && !fresh && last?.game.source !== sourceOf(definition)
  const own = hasChanged ? undefined : last
  const isLeague = league && !isOnServer(store)
  const out = options.out === undefined ? (isLeague ? whereItLies(own) : undefined) : resolve(options.out)
  const there = runs.find((run) => run.out === out)
  const before = league ? own : resume ? (out === undefined ? own : there) : undefined
  const goesOn = before !== undefined && !fresh
  if (goesOn && given !== undefined && given !== before.seed)
    throw new UserError(
      message`${before.out} holds a run with another seed; leave ${option('seed')} out, or choose another ${option('out')}`,
    )
  const isHeld = out !== undefined && (there !== undefined || holdsResults(out))
  if (isHeld && !fresh && (before === undefined || there?.id !== before.id)) {
    const held = message`${options.out ?? out} already holds a run`
    const remedy = resume
      ? message`but ${store.where} holds nothing of it: use ${option('fresh')}`
      : message`continue with ${option('resume')}, start again with ${option('fresh')}`
    throw new UserError(message`${held}: ${remedy}, or choose another ${option('out')}`)
  }
  if (goesOn) {
    const { id, seed } = before
    if (out !== undefined && out !== before.out) await refuseLive(store, before)
    const elsewhere = resolve('agon-results', id.replaceAll(/[^\w-]/g, '_'))
    return { id, seed, out: out ?? whereItLies(before) ?? elsewhere, before }
  }
  const replaced = options.out === undefined && league ? own : there
  if (replaced !== undefined) await refuseLive(store, replaced)
  // With the same seed a fresh run takes from the store what it has.
  const seed = contest.seed ?? (fresh ? replaced?.seed : undefined) ?? secretSeed()
  const name = league ? basename(dirname(file)) : basename(file, '.toml')
  return {
    id: `${definition.game.id}-${randomBytes(6).toString('hex')}`,
    seed,
    out: out ?? freeFolder(`${name}-${seed.slice(0, 8).replace(/[^\w.-]/g, '_')}`),
    replaced,
    other: hasChanged && options.out === undefined ? last : undefined,
  }
}

/** From a short seed a bot could compute its opponent's cards. */
export const secretSeed = (): string => randomBytes(16).toString('hex')

/** Undefined: the folder does not hold its results, as one that a server or an archive names may not. */
const whereItLies = (run: StoredRun | undefined): string | undefined =>
  run !== undefined && holdsResultsOf(run.out, run.seed) ? run.out : undefined

/** Shows other processes, while the store is open, that this one plays the run. Returns the process that does already; undefined: none. */
export const acquireRunLease = (store: LeaseStore, id: string): Promise<string | undefined> =>
  store.acquireLease(derive('playing', id))

/** No run is taken from the process that plays it. */
async function refuseLive(store: LeaseStore, { id, out }: StoredRun): Promise<void> {
  const owner = await acquireRunLease(store, id)
  if (owner === undefined) return
  throw new UserError(message`${out} is being played by another agon (process ${owner}): wait until it ends, or end it`)
}

/** These entrants' newest run that has not ended; else the newest. */
function latest(
  runs: readonly StoredRun[],
  { file, seed, only, against }: Pick<Contest, 'seed' | 'only' | 'against'> & { readonly file: string },
): StoredRun | undefined {
  const whose = canonical([file, seed, only, against])
  const own = runs.filter((run) => {
    const { only: those, against: others } = run.contest
    return canonical([run.file, seed === undefined ? seed : run.seed, those, others]) === whose
  })
  return own.find((run) => run.state !== 'finished') ?? own[0]
}

function freeFolder(name: string): string {
  for (let n = 1; ; n++) {
    const folder = resolve('agon-results', n === 1 ? name : `${name}-${n}`)
    if (!existsSync(join(folder, 'contest.json'))) return folder
  }
}
