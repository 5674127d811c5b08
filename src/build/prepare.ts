import { availableParallelism } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import { type AnyWire, defaultWire, type GameKit, MEMORIES, type Memory, wiresOf } from '../core/index.js'
import { type CellMaker, openCache, userCaches } from '../sandbox/index.js'
import {
  distrust,
  distrustAround,
  isExecutable,
  isInside,
  kindOf,
  makeWay,
  paced,
  sha256,
  SOURCE_BYTES,
  TreeFault,
  walk,
} from '../files/index.js'
import { NotAdmitted, readShim, runFree, type Shim, shimCommand, stepOf, stepsOf } from './build.js'
import { leftBehind, runHeld } from './build-held.js'
import { classFiles, isSource, stem } from './class-entry.js'
import type { Entry } from '../contest/entries.js'
import { quote } from '../contest/explain.js'
import { reserveWorkspace } from './left-out.js'
import { languageOf } from './language.js'
import type { LoadedContest } from '../contest/parse.js'
import { isInstalled, isPublic, Staged } from './paths.js'
import { envShebang, findProgram, shebang } from './program.js'
import { findSource, type Source } from './source.js'
import { telling } from './source-files.js'
import { copySource, folderHash, type Listing, listSource, Stage } from './stage.js'
import { Toolchains } from './toolchain.js'

interface About {
  readonly name: string
  /** Ships with the game: trusted. */
  readonly house: boolean
  /** For display. */
  readonly language?: string
  readonly synopsis?: string
  /** False: its interpreter is started afresh each turn. */
  readonly warm?: boolean
  /** It remembers nothing, and has a new cell for each turn. */
  readonly strict?: true
}

/** An entrant that was staged and built, and can be started. */
export interface Prepared extends About {
  readonly admitted: true
  /** The wire's name. */
  readonly wire: string
  readonly memory: Memory
  /** SHA-256 of its source: names, modes and contents. */
  readonly hash: string
  /** All else that decides how it plays. */
  readonly make: Make
  /** `cwd` is the staged source: relative words of `argv` hold from there, all others are absolute. */
  readonly run:
    | { readonly kind: 'process'; readonly argv: readonly string[]; readonly cwd: string }
    /** `folder`: its staged source; a house bot's module runs where it lies. */
    | { readonly kind: 'module'; readonly file: string; readonly folder?: string }
}

/** How an entrant is built and started, as texts to compare. */
export interface Make {
  /** As JSON: its build's commands, or what makes a program of its class. */
  readonly build: string
  /** As JSON: its command as it was written, or its module or class. */
  readonly command: string
  /** What builds and runs it, with versions. */
  readonly toolchain: string
  /** Hash of what its build made, by names and contents; absent: it is not built. */
  readonly output?: string
}

/** An entrant that cannot play here: a language is missing, or its build failed. */
export interface NotPrepared extends About {
  readonly admitted: false
  /** One line for a person. */
  readonly why: string
  /** What its build said. */
  readonly log?: string
}

export interface PrepareOptions {
  /** The folder that staged sources and builds are kept in from run to run. */
  readonly workspace: string
  /** Of all entrants that give none of their own; one that its wire does not allow is shortened to what it allows. */
  readonly memory?: Memory
  /** Bots that remember nothing have a new cell for each turn. */
  readonly strictMemory?: boolean
  /** Bytes of an entrant's source, and of what its build leaves; absent: 256 MiB. */
  readonly sourceBytes?: number
  /** How strangers are held; absent: not at all. */
  readonly hold?: Hold
  /** Told, for a person, what takes time. */
  readonly onNote?: (text: string) => void
  /** Told of each entrant that is ready while others may still be built. */
  readonly onReady?: (entrant: Prepared) => void
}

/**
 * Stages and builds the entrants of a contest, in their order. Sources that were built before are not built again. Throws a
 * UserError for what is wrong with the contest file; what this machine lacks and what does not build keeps an entrant out.
 */
export function prepareEntrants(loaded: LoadedContest, options: PrepareOptions): Promise<(Prepared | NotPrepared)[]> {
  const { memory, strictMemory = false, limits } = loaded.contest
  const { source: sourceBytes } = limits
  return prepareBots(loaded.entries, loaded.kit, {
    ...(memory !== undefined && { memory }),
    ...(sourceBytes !== undefined && { sourceBytes }),
    strictMemory,
    ...options,
  })
}

/** How strangers' builds and bots are held on this machine. */
export interface Hold {
  /** What cells are made with; absent: there are none. */
  readonly maker?: CellMaker
  /** Modules run in agon's own process. */
  readonly trust: boolean
  /** Why a stranger's program cannot run here, and the command that mends it. */
  readonly refusal?: string
}

/** The same for any entrants of a game. */
export async function prepareBots(
  entries: readonly Entry[],
  kit: GameKit,
  options: PrepareOptions,
): Promise<(Prepared | NotPrepared)[]> {
  const bytes = options.sourceBytes ?? SOURCE_BYTES
  distrust(options.workspace)
  reserveWorkspace(options.workspace)
  // All mistakes are told before anything is built.
  const plans: Plan[] = []
  for (const entry of entries) plans.push(await planOf(entry, kit, options, bytes))
  const stage = new Stage(options.workspace)
  // House bots are agon's own, the same in every workspace.
  const house = (plans.some(isHouseBuild) && sharedStage()) || stage
  const tools = new Toolchains(options.workspace)
  const prepared: (Prepared | NotPrepared)[] = []
  // Builds take long: whoever waits for them is ready meanwhile.
  const order = [...plans.keys()].sort((a, b) => Number(isBuilt(plans[b] as Plan)) - Number(isBuilt(plans[a] as Plan)))
  const rest = order.values()
  const worker = async (): Promise<void> => {
    for (const n of rest) {
      const one = await prepare(plans[n] as Plan, options.hold, { stage, house, tools }, options.onNote)
      prepared[n] = one
      if (one.admitted) options.onReady?.(one)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return prepared
}

/** Where all workspaces of a user find what is built for them; undefined: there is no such place. */
function sharedStage(): Stage | undefined {
  for (const folder of userCaches()) {
    try {
      if (openCache(folder)) return new Stage(folder)
    } catch {
      // It cannot be written: the next one may.
    }
  }
  return undefined
}

/** What is known of an entrant before anything is copied. */
interface Plan {
  readonly entry: Entry
  readonly about: About
  readonly wire: string
  readonly memory: Memory
  readonly source: Source
  readonly listing: Listing
  /** SHA-256 of its source. */
  readonly hash: string
  /** Bytes that its source, and what its build leaves, may have. */
  readonly bytes: number
  /** The folder in its own that its wire lets it write. */
  readonly state?: string
  readonly shim?: Shim
}

const isHouseBuild = (plan: Plan): boolean => plan.about.house && isBuilt(plan)
const isBuilt = ({ entry, shim }: Plan): boolean => (entry.spec.build ?? []).length > 0 || shim !== undefined

async function planOf(
  entry: Entry,
  kit: GameKit,
  options: Pick<PrepareOptions, 'memory' | 'strictMemory'>,
  bytes: number,
): Promise<Plan> {
  const { spec, house } = entry
  const wires = wiresOf(kit, kit.game.options)
  const name = wireOf(entry, kit, wires)
  const wire = wires[name] as AnyWire
  const shim = wire.shim === undefined || spec.class === undefined ? undefined : readShim(kit, wire.shim)
  const source = await findSource(entry, shim?.headers ?? new Set(), bytes)
  if (!house) distrustAround(source.root)
  const { listing, hash } = await telling(entry, source.root, () =>
    listSource(source, spec.command !== undefined, bytes),
  )
  const paths = source.files.map(({ path }) => path)
  const language = languageOf(spec, paths)
  const memory = memoryOf(entry, name, wire, options.memory)
  return {
    entry,
    about: {
      name: spec.name,
      house,
      ...(language !== undefined && { language }),
      ...(spec.synopsis !== undefined && { synopsis: spec.synopsis }),
      ...(spec.warm !== undefined && { warm: spec.warm }),
      ...(options.strictMemory && memory === 'turn' && wire.transport === 'turn' && { strict: true as const }),
    },
    wire: name,
    memory,
    source,
    listing,
    hash,
    bytes,
    ...(wire.state !== undefined && { state: wire.state.folder }),
    ...(shim !== undefined && { shim }),
  }
}

/** The wire that an entrant names, or the default of its kind. */
function wireOf(entry: Entry, kit: GameKit, wires: Readonly<Record<string, AnyWire>>): string {
  const { spec } = entry
  const { id } = kit.game
  if (spec.module !== undefined) {
    if (spec.wire === undefined || wires[spec.wire]?.transport === 'module') return spec.wire ?? 'module'
    throw entry.error('wire', `a module speaks no wire: leave wire = ${quote(spec.wire)} out`)
  }
  if (spec.class !== undefined) {
    const forClasses = Object.keys(wires).filter((name) => wires[name]?.shim !== undefined)
    const [first] = forClasses
    if (first === undefined) throw entry.error('class', `${id} has no wire for classes: give a command or a module`)
    if (spec.wire === undefined || forClasses.includes(spec.wire)) return spec.wire ?? first
    throw entry.error('wire', `wire ${quote(spec.wire)} is not for classes; ${id} has ${forClasses.join(', ')}`)
  }
  const name = spec.wire ?? defaultWire(kit)
  if (wires[name]?.transport === 'module')
    throw entry.error('wire', `wire ${quote(name)} is for modules: give module = "…", or leave the wire out`)
  if (wires[name]?.shim !== undefined)
    throw entry.error('wire', `wire ${quote(name)} is for classes: give class = "…", or leave the wire out`)
  return name
}

/** What an entrant may remember: as it or the contest wishes, at most what its wire allows, and a series where nobody says. */
function memoryOf(entry: Entry, name: string, wire: AnyWire, wish: Memory | undefined): Memory {
  const most = wire.memory ?? (wire.transport === 'turn' && wire.state === undefined ? 'turn' : 'tournament')
  const own = entry.spec.memory
  if (own !== undefined && MEMORIES.indexOf(own) > MEMORIES.indexOf(most)) {
    const { name: entrant } = entry.spec
    throw entry.error(
      'memory',
      `${quote(entrant)} cannot remember for a ${own}: wire ${quote(name)} allows ${quote(most)} at most`,
    )
  }
  return MEMORIES[Math.min(MEMORIES.indexOf(own ?? wish ?? 'series'), MEMORIES.indexOf(most))] ?? most
}

/** Where entrants are staged, and house bots that are built; and what is known of the programs that build and run them. */
interface Workshop {
  readonly stage: Stage
  readonly house: Stage
  readonly tools: Toolchains
}

async function prepare(
  plan: Plan,
  hold: Hold | undefined,
  workshop: Workshop,
  note: PrepareOptions['onNote'],
): Promise<Prepared | NotPrepared> {
  const { about, wire, memory } = plan
  try {
    if (!about.house && hold?.refusal !== undefined && !(plan.entry.spec.module !== undefined && hold.trust))
      throw new NotAdmitted(hold.refusal)
    const { hash, run } = await stageAndBuild(plan, about.house ? undefined : hold?.maker, workshop, note)
    return { ...about, admitted: true, wire, memory, hash, run, make: await makeOf(plan, run, workshop.tools) }
  } catch (error) {
    // What an earlier agon has staged may be what this one takes from nobody.
    if (error instanceof TreeFault) return { ...about, admitted: false, why: leftBehind(error) }
    if (!(error instanceof NotAdmitted)) throw error
    return { ...about, admitted: false, why: error.why, ...(error.log && { log: error.log }) }
  }
}

async function stageAndBuild(
  plan: Plan,
  maker: CellMaker | undefined,
  workshop: Workshop,
  note: PrepareOptions['onNote'],
): Promise<Pick<Prepared, 'hash' | 'run'>> {
  const { entry, source, shim, hash } = plan
  const { spec } = entry
  // House modules are the game's own code, and import it: they run where they lie.
  if (entry.house && source.main !== undefined && spec.module !== undefined)
    return { hash, run: { kind: 'module', file: source.main } }
  const builds = isBuilt(plan)
  const kept = isHouseBuild(plan)
  const stage = kept ? workshop.house : workshop.stage
  const made = [spec.build ?? [], spec.class, shim?.hash, shim?.command]
  // What all workspaces share outlives a compiler.
  if (kept) made.push(await workshop.tools.of(buildersOf(plan)))
  const key = builds ? `${hash}-${sha256(JSON.stringify(made)).slice(0, 16)}` : hash
  let told = !builds
  const fill = (place: string): Promise<string> => {
    if (!told) note?.(`building ${spec.name}`)
    told = true
    return telling(entry, source.root, () => fillPlace(plan, maker, place))
  }
  const placed = stage.place(key, fill, kept)
  // What cannot be built in the shared place, whose disk may be full, may well be built here.
  const folder = await (stage === workshop.stage ? placed : placed.catch(() => workshop.stage.place(key, fill)))
  // What a wire's state folder is mounted on.
  if (plan.state !== undefined && kindOf(join(folder, plan.state)) === undefined)
    makeWay(folder, join(plan.state, 'any'))
  if (spec.module !== undefined)
    return { hash, run: { kind: 'module', file: join(folder, relative(source.root, source.main ?? '')), folder } }
  if (spec.class !== undefined)
    return { hash, run: { kind: 'process', argv: [join(folder, programOf(spec.class))], cwd: folder } }
  return {
    hash,
    run: { kind: 'process', argv: await argvOf(entry, new Staged(source.root, source.bases, folder)), cwd: folder },
  }
}

/** Copies a source and builds it, in folders below `place`. Gives the one to keep. */
async function fillPlace(plan: Plan, maker: CellMaker | undefined, place: string): Promise<string> {
  const { entry, source, listing, shim, bytes } = plan
  const folder = join(place, 'source')
  await copySource(listing, folder)
  if (!isBuilt(plan)) return folder
  const staged = new Staged(source.root, source.bases, folder)
  makeWay(staged.home, 'any')
  const steps = await stepsOf(entry.spec.build ?? [], staged)
  if (shim !== undefined) steps.push(await stepOf(classCommand(plan, shim, folder), folder))
  if (maker !== undefined) {
    const made = join(place, 'made')
    await runHeld(steps, folder, made, { maker, reads: shim === undefined ? [] : [shim.folder], bytes })
    return made
  }
  await runFree(steps, folder)
  await checkBuilt(folder, bytes)
  return folder
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
function buildersOf({ entry: { spec }, shim }: Plan): string[] {
  return [...(spec.build ?? []), ...(shim === undefined ? [] : [shim.command])].map(([word = '']) => word)
}

async function makeOf(plan: Plan, run: Prepared['run'], tools: Toolchains): Promise<Make> {
  const { entry, source, shim } = plan
  const { spec } = entry
  const commands = spec.build ?? []
  const builders = buildersOf(plan)
  const runner = run.kind === 'module' ? process.execPath : (run.argv[0] ?? '')
  const own = run.kind === 'process' && isInside(run.cwd, runner)
  const script = own ? shebang(runner) : runner
  return {
    build: JSON.stringify(shim === undefined ? commands : [commands, shim.hash, shim.command]),
    // Where its module or header lies is told from its source's root: the same entrant may be named from anywhere.
    command: JSON.stringify(spec.command ?? relative(source.root, source.main ?? '')),
    toolchain: await tools.of([
      ...builders.filter((word) => !word.startsWith('.')),
      ...(script === undefined ? [] : [script]),
    ]),
    ...(builders.length > 0 && run.kind === 'process' && { output: await folderHash(run.cwd) }),
  }
}

/** What the shim makes of a class, in the staged folder. */
const programOf = (header: string): string => `${stem(header)}.player`

function classCommand({ entry, source }: Plan, shim: Shim, place: string): string[] {
  const header = source.main ?? ''
  const folder = entry.spec.folder === undefined ? undefined : source.root
  const there = (file: string): string => join(place, relative(source.root, file))
  const sources = classFiles(header, folder, shim.headers).filter(isSource)
  return shimCommand(shim, there(header), sources.map(there), join(place, programOf(header)))
}

/** The command that starts an entrant: its program found once, its files where they were staged. */
async function argvOf(entry: Entry, staged: Staged): Promise<string[]> {
  const [first = '', ...rest] = unwrapped(entry.spec.command ?? [])
  const words = rest.map((word) => staged.rewrite(word))
  const named = first.includes('/') && !(isAbsolute(first) && isInstalled(first))
  const program = named ? undefined : await findProgram(first)
  if (program !== undefined) return [program, ...words]
  // An installation that the host may not start itself is the cell's to start.
  if (!named && isAbsolute(first) && isExecutable(first)) return [first, ...words]
  const file = staged.find(first)
  if (file === undefined)
    throw new NotAdmitted(
      entry.spec.build !== undefined && named ? `its build made no ${first}` : `this machine has no ${first}`,
    )
  if (!isExecutable(file)) {
    const why = `the file ${quote(first)} of ${quote(entry.spec.name)} cannot be started: make it executable (chmod +x) or name its interpreter`
    throw entry.spec.build === undefined ? entry.error('command', why) : new NotAdmitted(why)
  }
  const script = envShebang(file)
  if (script === undefined) return [file, ...words]
  const [word = '', ...options] = script
  // A path in a stranger's script is followed in its cell alone.
  if (word.includes('/') && !isPublic(word)) return [file, ...words]
  const interpreter = await findProgram(word)
  if (interpreter === undefined) throw new NotAdmitted(`this machine has no ${word}`)
  return [interpreter, ...options, file, ...words]
}

/** Without an env that would only look the program up again at each start. */
function unwrapped(command: readonly string[]): readonly string[] {
  const [first, second] = command
  return first !== undefined && /^(?:\/usr)?\/bin\/env$/.test(first) && second !== undefined && !/^-|=/.test(second)
    ? command.slice(1)
    : command
}
