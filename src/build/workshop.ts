import { join, relative } from 'node:path'
import { type BotParameters, type Entrant, type StagedProgram, entrantFacts } from '../core/index.js'
import { BUILD_LIMITS, type SandboxMaker } from '../sandbox/index.js'
import {
  attempt,
  copyTree,
  isInside,
  makeWay,
  openCache,
  paced,
  sha256,
  shebang,
  statOf,
  TreeFault,
  userCaches,
  walk,
} from '../files/index.js'
import { type BuildStep, NotAdmitted, runFree, type Shim, shimCommand, stepOf, stepsOf } from './build.js'
import { leftBehind, readBuilt, runHeld } from './build-held.js'
import { stem } from './class-entry.js'
import { isBuilt, type EntrantPlan } from './entrant-plan.js'
import { Staged } from './paths.js'
import { type BuiltEntrant, hashOfEntrant, type NotBuilt, type PrepareOptions } from './prepared.js'
import { asUserError } from './source-files.js'
import { copySource, folderHash, type Kept, Stage } from './stage.js'
import { argvOf } from './start-command.js'
import { machineMark, toolchainOf } from './toolchain.js'

const KEPT_BUILDS: Kept = { bytes: 1024 ** 3, days: 60 }

/** Where entrants are staged and built: each source once a build. */
export class Workshop {
  private readonly stage: Stage
  /** House bots are agon's own, the same in every workspace. */
  private readonly house: Stage
  /** What held builds made, for all workspaces of this user; undefined: each workspace builds for itself. */
  private readonly builds: Stage | undefined

  constructor(
    plans: readonly EntrantPlan[],
    private readonly options: PrepareOptions,
  ) {
    this.stage = new Stage(options.workspace)
    const built = plans.filter(isBuilt)
    this.house = (built.some(({ entry }) => entry.house) && sharedStage()) || this.stage
    // What is built among the host's processes may reach anything there: it is no other workspace's.
    const isHeld = built.some((plan) => this.makerOf(plan) !== undefined)
    this.builds = isHeld ? sharedStage('builds', KEPT_BUILDS) : undefined
  }

  /** Stages and builds an entrant. What this machine lacks, or does not build, is why it is not built. */
  async prepare(plan: EntrantPlan): Promise<BuiltEntrant | NotBuilt> {
    const { isolation, limits = {} } = this.options
    const { spec, house } = plan.entry
    const { name, version, warm, labels } = spec
    try {
      if (!house && isolation?.refusal !== undefined && !(spec.module !== undefined && isolation.trust))
        throw new NotAdmitted(isolation.refusal)
      const program = await this.programOf(plan)
      const entrant = {
        name,
        version,
        facts: entrantFacts({ ...spec, language: plan.language }),
        house,
        source: plan.hash,
        ...(await makeOf(plan, program)),
        wire: plan.wire,
        memory: plan.memory,
        strict: plan.strict,
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

  private makerOf({ entry }: EntrantPlan): SandboxMaker | undefined {
    return entry.house ? undefined : this.options.isolation?.maker
  }

  private async programOf(plan: EntrantPlan): Promise<StagedProgram> {
    const { entry, source } = plan
    const { spec } = entry
    const { main = '' } = source
    // House modules are the game's own code, and import it: they run in place.
    if (entry.house && spec.module !== undefined) return { kind: 'module', file: main }
    const folder = await this.folderOf(plan)
    // A wire's state folder is mounted on it. A link that a build left there, wherever it leads, is not shown in a
    // sandbox.
    if (plan.state !== undefined && statOf(join(folder, plan.state)) === undefined)
      makeWay(folder, join(plan.state, 'any'))
    if (spec.module !== undefined) return { kind: 'module', file: join(folder, relative(source.root, main)), folder }
    const argv =
      spec.class === undefined
        ? await argvOf(entry, new Staged(source.root, source.bases, folder))
        : [join(folder, playerOf(spec.class))]
    return { kind: 'process', argv, cwd: folder }
  }

  private async folderOf(plan: EntrantPlan): Promise<string> {
    const { entry, source, shim, hash } = plan
    const fill = (place: string): Promise<string> => asUserError(entry, source.root, () => this.fill(plan, place))
    if (!isBuilt(plan)) return this.stage.place(hash, fill)
    const made = [entry.spec.build ?? [], entry.spec.class, shim?.hash, shim?.command]
    // What all workspaces share outlives a compiler.
    if (entry.house) made.push(await toolchainOf(buildersOf(plan)))
    const key = `${hash}-${sha256(JSON.stringify(made)).slice(0, 16)}`
    const here = (): Promise<string> => this.stage.place(key, fill)
    // What cannot be built in the shared place, whose disk may be full, may be here.
    return entry.house ? this.house.place(key, fill).catch(here) : here()
  }

  /** Copies and builds a source in folders below `place`. Gives the one to keep. */
  private async fill(plan: EntrantPlan, place: string): Promise<string> {
    const { entry, source, listing, shim, bytes } = plan
    const folder = join(place, 'source')
    await copySource(await listing(), folder)
    if (!isBuilt(plan)) return folder
    const staged = new Staged(source.root, source.bases, folder)
    makeWay(staged.home, 'any')
    const steps = await stepsOf(entry.spec.build ?? [], staged)
    if (shim !== undefined) steps.push(await stepOf(classCommand(plan, shim, folder), folder))
    const noteBuild = (): void => this.options.onNote?.(`building ${entry.spec.name}`)
    const maker = this.makerOf(plan)
    if (maker === undefined) {
      noteBuild()
      await runFree(steps, folder)
      await readBuilt(walk(folder, { bytes, dangling: true }))
      return folder
    }
    const build = async (into: string): Promise<string> => {
      noteBuild()
      const made = join(into, 'made')
      await runHeld(steps, folder, made, { maker, reads: shim === undefined ? [] : [shim.folder], bytes })
      return made
    }
    if (this.builds === undefined) return build(place)
    try {
      const kept = await this.builds.place(await heldKey(plan, steps, folder), build)
      const copy = join(place, 'kept')
      await paced(copyTree(kept, copy, { bytes, dangling: true }))
      return copy
    } catch (error) {
      if (error instanceof NotAdmitted) throw error
      // Its disk is full, another agon removed it, or it is more than this contest takes.
      return build(place)
    }
  }
}

/** Where all of a user's workspaces find what was built; undefined: nowhere. */
function sharedStage(name?: string, kept?: Kept): Stage | undefined {
  for (const folder of userCaches()) {
    // One not writable may be followed by one that is.
    const stage = attempt(() => (openCache(folder) ? new Stage(folder, name, kept) : undefined))
    if (stage !== undefined) return stage
  }
  return undefined
}

/**
 * The key of all that decides what a held build makes: its source and commands, this machine's programs and the
 * sandbox. So it is kept for all workspaces of a user. It is never run where it is kept, and only agon writes there,
 * what it took out of that build's sandbox.
 */
async function heldKey(plan: EntrantPlan, steps: readonly BuildStep[], folder: string): Promise<string> {
  const { shim, hash } = plan
  // Where agon is installed decides nothing.
  const plain = (word: string): string => (shim === undefined ? word : word.replaceAll(shim.folder, '{shim}'))
  const parts = [
    'held, 1',
    hash,
    shim?.hash,
    steps.map(({ argv, home }) => [argv.map(plain), relative(folder, home)]),
    await toolchainOf(buildersOf(plan)),
    machineMark(steps.map(({ argv: [program = ''] }) => program)),
    BUILD_LIMITS,
  ]
  return sha256(JSON.stringify(parts))
}

/** The programs its build starts with; its own begin with a dot. */
function buildersOf({ entry: { spec }, shim }: EntrantPlan): string[] {
  return [...(spec.build ?? []), ...(shim === undefined ? [] : [shim.command])].map(([word = '']) => word)
}

/** How it was built and is started, as texts to compare. */
async function makeOf(
  plan: EntrantPlan,
  program: StagedProgram,
): Promise<Pick<Entrant, 'build' | 'command' | 'toolchain' | 'output'>> {
  const { entry, source, shim } = plan
  const { spec } = entry
  const commands = spec.build ?? []
  const builders = buildersOf(plan)
  const runner = program.kind === 'module' ? process.execPath : (program.argv[0] ?? '')
  const own = program.kind === 'process' && isInside(program.cwd, runner)
  const script = own ? shebang(runner) : runner
  // Its module or header is given from its source's root: the same entrant may be named from anywhere.
  const main = relative(source.root, source.main ?? '')
  return {
    build: JSON.stringify(shim === undefined ? commands : [commands, shim.hash, shim.command]),
    command: JSON.stringify(spec.with === undefined ? (spec.command ?? main) : [main, sorted(spec.with)]),
    toolchain: await toolchainOf([
      ...builders.filter((word) => !word.startsWith('.')),
      ...(script === undefined ? [] : [script]),
    ]),
    output: builders.length > 0 && program.kind === 'process' ? await folderHash(program.cwd) : undefined,
  }
}

/** By name: the order of writing changes nothing. */
const sorted = (given: BotParameters): BotParameters =>
  Object.fromEntries(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1)))

/** What the shim makes of a class, in the staged folder. */
const playerOf = (header: string): string => `${stem(header)}.player`

function classCommand(plan: EntrantPlan, shim: Shim, place: string): string[] {
  const { root, main: header = '', sources = [] } = plan.source
  const files = sources.map((name) => join(place, name))
  return shimCommand(shim, join(place, relative(root, header)), files, join(place, playerOf(header)))
}
