import { availableParallelism } from 'node:os'
import type { GameDefinition } from '../core/index.js'
import { distrust } from '../files/index.js'
import type { Entry } from '../contest/entries.js'
import { Mistakes } from '../contest/mistakes.js'
import type { LoadedContest } from '../contest/parse.js'
import { isBuilt, type EntrantPlan, planOf } from './entrant-plan.js'
import { type BuiltEntrant, type NotBuilt, type PrepareOptions, remoteEntrant } from './prepared.js'
import { reserveWorkspace } from './source-files.js'
import { Workshop } from './workshop.js'

/**
 * Stages and builds a contest's entrants, in their order, unless built before. Throws UserError for what is wrong with
 * the contest file; what this machine lacks and what does not build keeps an entrant out.
 */
export function prepareEntrants(loaded: LoadedContest, options: PrepareOptions): Promise<(BuiltEntrant | NotBuilt)[]> {
  const { memory, strictMemory, limits } = loaded.contest
  return prepareBots(loaded.entries, loaded.definition, { memory, strictMemory, limits, ...options })
}

export async function prepareBots(
  entries: readonly Entry[],
  definition: GameDefinition,
  options: PrepareOptions,
): Promise<(BuiltEntrant | NotBuilt)[]> {
  // All mistakes are reported before anything is built.
  const mistakes = new Mistakes()
  const plans: (EntrantPlan | BuiltEntrant)[] = []
  enterWorkspace(options.workspace)
  for (const entry of entries) {
    const plan =
      entry.remote === undefined
        ? await planOf(entry, definition, options).catch((error: unknown) => mistakes.keep(error))
        : remoteEntrant(entry, entry.remote, options.limits ?? {})
    if (plan !== undefined) plans.push(plan)
  }
  if (!mistakes.none) throw mistakes.all()
  return buildAll(plans, options)
}

/** Nothing that lies in a workspace is an entrant's source, or started by the host. */
export function enterWorkspace(workspace: string): void {
  distrust(workspace)
  reserveWorkspace(workspace)
}

/** Has entrants staged and built, several at once, the slow ones first. `prepare`: absent: as `Workshop.prepare`. */
export async function buildAll(
  all: readonly (EntrantPlan | BuiltEntrant | NotBuilt)[],
  options: PrepareOptions,
  prepare = (plan: EntrantPlan, workshop: Workshop) => workshop.prepare(plan),
): Promise<(BuiltEntrant | NotBuilt)[]> {
  const workshop = new Workshop(
    all.filter((one) => 'entry' in one),
    options,
  )
  const prepared: (BuiltEntrant | NotBuilt)[] = []
  const takesLong = (one: (typeof all)[number]): boolean => 'entry' in one && isBuilt(one)
  const rest = [...all.entries()].sort(([, a], [, b]) => Number(takesLong(b)) - Number(takesLong(a))).values()
  const worker = async (): Promise<void> => {
    for (const [n, plan] of rest) prepared[n] = 'entry' in plan ? await prepare(plan, workshop) : plan
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return prepared
}
