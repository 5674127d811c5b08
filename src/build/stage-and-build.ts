import { join, relative } from 'node:path'
import type { BotParameters, Entrant, StagedProgram } from '../core/index.js'
import { BUILD_LIMITS, type SandboxMaker } from '../sandbox/index.js'
import { copyTree, isInside, makeWay, paced, sha256, statOf, TreeFault, walk, shebang } from '../files/index.js'
import { NotAdmitted, runFree, type Shim, shimCommand, type BuildStep, stepOf, stepsOf } from './build.js'
import { leftBehind, runHeld } from './build-held.js'
import { stem } from './class-entry.js'
import { Staged } from './paths.js'
import { asUserError } from './source-files.js'
import { copySource, folderHash, type Stage } from './stage.js'
import { machineMark, toolchainOf } from './toolchain.js'
import { isBuilt, isHouseBuild, type EntrantPlan } from './entrant-plan.js'
import type { PrepareOptions } from './prepared.js'
import { argvOf } from './start-command.js'

/** Where entrants are staged, and house bots that are built. */
export interface Workshop {
  readonly stage: Stage
  readonly house: Stage
  /** What held builds made, for all workspaces of this user; absent: each workspace builds for itself. */
  readonly builds?: Stage
}

/** Stages an entrant's source, and builds it where it has a build: once for each source and build. */
export async function stageAndBuild(
  plan: EntrantPlan,
  maker: SandboxMaker | undefined,
  workshop: Workshop,
  note: PrepareOptions['onNote'],
): Promise<StagedProgram> {
  const { entry, source } = plan
  const { spec } = entry
  const { main = '' } = source
  // House modules are the game's own code, and import it: they run where they lie.
  if (entry.house && spec.module !== undefined) return { kind: 'module', file: main }
  const folder = await stagedFolder(plan, maker, workshop, () => note?.(`building ${spec.name}`))
  // What a wire's state folder is mounted on. A link that a build has left in its place, wherever it leads, is not shown in a sandbox.
  if (plan.state !== undefined && statOf(join(folder, plan.state)) === undefined)
    makeWay(folder, join(plan.state, 'any'))
  if (spec.module !== undefined) return { kind: 'module', file: join(folder, relative(source.root, main)), folder }
  const argv =
    spec.class === undefined
      ? await argvOf(entry, new Staged(source.root, source.bases, folder))
      : [join(folder, programOf(spec.class))]
  return { kind: 'process', argv, cwd: folder }
}

/** The folder that an entrant lies in as it was staged and built. `onBuild`: called where it was not built before. */
async function stagedFolder(
  plan: EntrantPlan,
  maker: SandboxMaker | undefined,
  workshop: Workshop,
  onBuild: () => void,
): Promise<string> {
  const { entry, source, shim, hash } = plan
  const { spec } = entry
  const isHouse = isHouseBuild(plan)
  const made = [spec.build ?? [], spec.class, shim?.hash, shim?.command]
  // What all workspaces share outlives a compiler.
  if (isHouse) made.push(await toolchainOf(buildersOf(plan)))
  const key = isBuilt(plan) ? `${hash}-${sha256(JSON.stringify(made)).slice(0, 16)}` : hash
  const fill = (place: string): Promise<string> =>
    asUserError(entry, source.root, () => fillPlace(plan, maker, place, workshop, onBuild))
  const here = (): Promise<string> => workshop.stage.place(key, fill)
  // What cannot be built in the shared place, whose disk may be full, may well be built here.
  return isHouse ? workshop.house.place(key, fill).catch(here) : here()
}

/** Copies a source and builds it, in folders below `place`. Gives the one to keep. `onBuild`: called where it was not built before. */
async function fillPlace(
  plan: EntrantPlan,
  maker: SandboxMaker | undefined,
  place: string,
  workshop: Workshop,
  onBuild: () => void,
): Promise<string> {
  const { entry, source, listing, shim, bytes } = plan
  const folder = join(place, 'source')
  await copySource(await listing(), folder)
  if (!isBuilt(plan)) return folder
  const staged = new Staged(source.root, source.bases, folder)
  makeWay(staged.home, 'any')
  const steps = await stepsOf(entry.spec.build ?? [], staged)
  if (shim !== undefined) steps.push(await stepOf(classCommand(plan, shim, folder), folder))
  if (maker !== undefined) {
    const build = async (into: string): Promise<string> => {
      onBuild()
      const made = join(into, 'made')
      await runHeld(steps, folder, made, { maker, reads: shim === undefined ? [] : [shim.folder], bytes })
      return made
    }
    if (workshop.builds === undefined) return build(place)
    try {
      const kept = await workshop.builds.place(await heldKey(plan, steps, folder), build)
      const copy = join(place, 'kept')
      await paced(copyTree(kept, copy, { bytes, dangling: true }))
      return copy
    } catch (error) {
      if (error instanceof NotAdmitted) throw error
      // Its disk is full, another agon has removed it, or it is more than this contest takes.
      return build(place)
    }
  }
  onBuild()
  await runFree(steps, folder)
  await checkBuilt(folder, bytes)
  return folder
}

/**
 * The key of all that decides what a held build makes: its source, its commands, the programs of this machine and the sandbox. So it is kept for
 * all workspaces of a user. It is never run where it is kept, and only agon writes there, what it took out of the sandbox of that very build.
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

/** What was built among the host's processes is checked where it lies. Throws NotAdmitted. */
async function checkBuilt(folder: string, bytes: number): Promise<void> {
  try {
    await paced(walk(folder, { bytes, dangling: true }))
  } catch (error) {
    throw error instanceof TreeFault ? new NotAdmitted(leftBehind(error)) : error
  }
}

/** The programs that its build starts with; its own begin with a dot. */
function buildersOf({ entry: { spec }, shim }: EntrantPlan): string[] {
  return [...(spec.build ?? []), ...(shim === undefined ? [] : [shim.command])].map(([word = '']) => word)
}

/** How it was built and is started, as texts to compare. */
export async function makeOf(
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
  return {
    build: JSON.stringify(shim === undefined ? commands : [commands, shim.hash, shim.command]),
    // Where its module or header lies is given from its source's root: the same entrant may be named from anywhere.
    command: JSON.stringify(
      spec.with === undefined
        ? (spec.command ?? relative(source.root, source.main ?? ''))
        : [relative(source.root, source.main ?? ''), sorted(spec.with)],
    ),
    toolchain: await toolchainOf([
      ...builders.filter((word) => !word.startsWith('.')),
      ...(script === undefined ? [] : [script]),
    ]),
    output: builders.length > 0 && program.kind === 'process' ? await folderHash(program.cwd) : undefined,
  }
}

/** By name: in which order they were written changes nothing. */
const sorted = (given: BotParameters): BotParameters =>
  Object.fromEntries(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1)))

/** What the shim makes of a class, in the staged folder. */
const programOf = (header: string): string => `${stem(header)}.player`

function classCommand(plan: EntrantPlan, shim: Shim, place: string): string[] {
  const { root, main: header = '', sources = [] } = plan.source
  const files = sources.map((name) => join(place, name))
  return shimCommand(shim, join(place, relative(root, header)), files, join(place, programOf(header)))
}
