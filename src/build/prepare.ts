import { availableParallelism } from 'node:os'
import { type GameDefinition, entrantFacts } from '../core/index.js'
import { distrust, openCache, TreeFault, userCaches } from '../files/index.js'
import { NotAdmitted } from './build.js'
import { leftBehind } from './build-held.js'
import type { Entry } from '../contest/entries.js'
import { reserveWorkspace } from './source-files.js'
import { Mistakes } from '../contest/mistakes.js'
import type { LoadedContest } from '../contest/parse.js'
import { type Kept, Stage } from './stage.js'
import { isBuilt, isHouseBuild, type EntrantPlan, planOf } from './entrant-plan.js'
import {
  type BotIsolation,
  type BuiltEntrant,
  type NotBuilt,
  type PrepareOptions,
  hashOfEntrant,
  remoteEntrant,
  wasBuilt,
} from './prepared.js'
import { makeOf, stageAndBuild, type Workshop } from './stage-and-build.js'

/**
 * Stages and builds the entrants of a contest, in their order. Sources that were built before are not built again. Throws a
 * UserError for what is wrong with the contest file; what this machine lacks and what does not build keeps an entrant out.
 */
export function prepareEntrants(loaded: LoadedContest, options: PrepareOptions): Promise<(BuiltEntrant | NotBuilt)[]> {
  const { memory, strictMemory, limits } = loaded.contest
  return prepareBots(loaded.entries, loaded.definition, { memory, strictMemory, limits, ...options })
}

/** The same for any entrants of a game. */
export async function prepareBots(
  entries: readonly Entry[],
  definition: GameDefinition,
  options: PrepareOptions,
): Promise<(BuiltEntrant | NotBuilt)[]> {
  const { limits = {} } = options
  distrust(options.workspace)
  reserveWorkspace(options.workspace)
  // All mistakes are reported before anything is built.
  const mistakes = new Mistakes()
  const plans: (EntrantPlan | BuiltEntrant)[] = []
  for (const entry of entries) {
    const { remote } = entry
    const plan =
      remote === undefined
        ? await mistakes.later(planOf(entry, definition, options))
        : remoteEntrant(entry, remote, limits)
    if (plan !== undefined) plans.push(plan)
  }
  mistakes.refuse()
  return buildAll(plans, options, (plan, workshop) => prepare(plan, workshop, options))
}

/** Has entrants staged and built by `build`, several at a time and those first that take long; the others are as they are. */
export async function buildAll(
  all: readonly (EntrantPlan | BuiltEntrant | NotBuilt)[],
  { workspace, isolation, onReady }: PrepareOptions,
  build: (plan: EntrantPlan, workshop: Workshop) => Promise<BuiltEntrant | NotBuilt>,
): Promise<(BuiltEntrant | NotBuilt)[]> {
  const workshop = workshopFor(
    all.filter((one) => 'entry' in one),
    workspace,
    isolation,
  )
  const prepared: (BuiltEntrant | NotBuilt)[] = []
  // Builds take long: callers get ready meanwhile.
  const order = [...all.entries()].sort(([, a], [, b]) => Number(isLong(b)) - Number(isLong(a)))
  const rest = order.values()
  const worker = async (): Promise<void> => {
    for (const [n, plan] of rest) {
      const one = 'entry' in plan ? await build(plan, workshop) : plan
      prepared[n] = one
      if (wasBuilt(one)) onReady?.(one)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return prepared
}

const isLong = (one: EntrantPlan | BuiltEntrant | NotBuilt): boolean => 'entry' in one && isBuilt(one)

function workshopFor(plans: readonly EntrantPlan[], workspace: string, isolation: BotIsolation | undefined): Workshop {
  const stage = new Stage(workspace)
  // House bots are agon's own, the same in every workspace.
  const house = (plans.some(isHouseBuild) && sharedStage()) || stage
  // What is built among the host's processes may reach anything there: it is no other workspace's.
  const isHeld = isolation?.maker !== undefined && plans.some((plan) => isBuilt(plan) && !plan.entry.house)
  return { stage, house, builds: isHeld ? sharedStage('builds', KEPT_BUILDS) : undefined }
}

/** How much is kept of what held builds made: 1 GiB. */
const KEPT_BUILDS: Kept = { bytes: 1024 ** 3, days: 60 }

/** Where all workspaces of a user find what is built for them; undefined: there is no such place. */
function sharedStage(name?: string, kept?: Kept): Stage | undefined {
  for (const folder of userCaches()) {
    try {
      if (openCache(folder)) return new Stage(folder, name, kept)
    } catch {
      // It cannot be written: the next one may.
    }
  }
  return undefined
}

/** Stages and builds an entrant. What this machine lacks, and what does not build, is why it is not built. */
export async function prepare(
  plan: EntrantPlan,
  workshop: Workshop,
  { isolation, limits = {}, onNote }: PrepareOptions,
): Promise<BuiltEntrant | NotBuilt> {
  const { entry, wire, memory, strict, language } = plan
  const { spec, house } = entry
  const { name, version, warm, labels } = spec
  try {
    if (!house && isolation?.refusal !== undefined && !(spec.module !== undefined && isolation.trust))
      throw new NotAdmitted(isolation.refusal)
    const program = await stageAndBuild(plan, house ? undefined : isolation?.maker, workshop, onNote)
    const facts = entrantFacts({ ...spec, language })
    const made = await makeOf(plan, program)
    const entrant = {
      name,
      version,
      facts,
      house,
      source: plan.hash,
      ...made,
      wire,
      memory,
      strict,
      warm,
      with: spec.with,
      labels,
    }
    return { ...entrant, hash: hashOfEntrant(entrant, limits), program }
  } catch (error) {
    // What was staged may have been changed since.
    if (error instanceof TreeFault) return { name, house, why: leftBehind(error) }
    if (!(error instanceof NotAdmitted)) throw error
    return { name, house, why: error.why, log: error.log || undefined }
  }
}
