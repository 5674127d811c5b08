import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { type GameDefinition, lookUp } from '../core/index.js'
import { className } from './class-entry.js'
import { attempt, namesIn, sha256, findProgram } from '../files/index.js'
import { gameFolder } from '../contest/load-game.js'
import { isInstalled, type Staged } from './paths.js'
import { joinCommand } from '../contest/words.js'

/** An entrant's build commands together may take so many ms; its log keeps the first so many bytes. */
export const BUILD_MS = 120_000
export const LOG_BYTES = 64 * 1024

/** An entrant that cannot play here, or as it is; the contest goes on without it. */
export class NotAdmitted extends Error {
  constructor(
    readonly why: string,
    readonly log?: string,
  ) {
    super(why)
  }
}

/** A command of a build, its program found. */
export interface BuildStep {
  /** Words that lie in the copy begin with its folder. */
  readonly argv: readonly string[]
  /** As a person would write it from where it runs. */
  readonly shown: readonly string[]
  /** Where it runs: a folder in the copy. */
  readonly home: string
}

export interface StepResult {
  readonly log: string
  readonly trouble?: string
  /** Milliseconds taken of the whole build's. */
  readonly took: number
}

/** An entrant's build commands, as they run in its copy. Throws NotAdmitted where this machine lacks a program. */
export async function stepsOf(commands: readonly (readonly string[])[], staged: Staged): Promise<BuildStep[]> {
  const steps: BuildStep[] = []
  for (const command of commands) {
    const words = command.map((word) => staged.rewriteBuild(word))
    steps.push(await stepOf(words, staged.home))
  }
  return steps
}

/** One command that runs in `home`. Throws NotAdmitted where this machine lacks its program. */
export async function stepOf(words: readonly string[], home: string): Promise<BuildStep> {
  const [word = '', ...rest] = words
  const shown = [word, ...rest].map((each) => fromHere(home, each))
  // An entrant's own program, perhaps yet to be built, is found where the step runs.
  const own = word.includes('/') && !(isAbsolute(word) && isInstalled(word))
  const program = own ? shown[0] : ((await findProgram(word)) ?? (isAbsolute(word) ? word : undefined))
  if (program === undefined) {
    const whole = word.includes(' ') ? ' (a command is one text, or a list of its words)' : ''
    throw new NotAdmitted(`this machine has no ${shown[0]}, which builds it${whole}`)
  }
  return { argv: [program, ...shown.slice(1)], shown, home }
}

/** Runs steps in turn: what one takes, the next lack. Throws NotAdmitted at the first that fails. */
export async function inTurn(
  steps: readonly BuildStep[],
  folder: string,
  limit: number,
  runStep: (step: BuildStep, left: number) => Promise<StepResult>,
): Promise<void> {
  let left = limit
  for (const step of steps) {
    const { log, trouble, took } = await runStep(step, Math.max(1, Math.floor(left)))
    left -= took
    const late = trouble === LATE || left <= 0
    if (!late && trouble === undefined) continue
    const why = late ? `took longer than ${limit / 1000} s${steps.length > 1 ? ' with what went before' : ''}` : trouble
    throw new NotAdmitted(`its build failed: ${joinCommand(step.shown)} ${why}`, log.replaceAll(folder, '.'))
  }
}

export const LATE = 'took too long'

/** Runs a build's commands in the copy itself, among the host's processes: of house bots, and where nothing is held. */
export async function runFree(steps: readonly BuildStep[], folder: string, limit = BUILD_MS): Promise<void> {
  await inTurn(steps, folder, limit, (step, left) => run(step.argv, step.home, left))
}

/** A path relative to the build's place: neither log nor build may name a folder that will be renamed. */
function fromHere(home: string, word: string): string {
  const at = word.indexOf(home)
  if (at < 0) return word
  const path = word.slice(at)
  return `${word.slice(0, at)}${path === home ? '.' : path.slice(home.length + 1)}`
}

async function run(argv: readonly string[], cwd: string, limit: number): Promise<StepResult> {
  const [file = '', ...args] = argv
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  const began = performance.now()
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  const listen = (chunk: Buffer): void => {
    if (log.length < LOG_BYTES) log = (log + chunk.toString('utf8')).slice(0, LOG_BYTES)
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  // The whole group may have ended already.
  const kill = (): void => void attempt(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'))
  process.once('exit', kill)
  let late = false
  const timer = setTimeout(() => {
    late = true
    kill()
  }, limit)
  const trouble = await new Promise<string | undefined>((done) => {
    child.once('error', (error) => done(`did not start: ${error.message}`))
    // Its background processes must not outlive it, nor hold the pipes open.
    child.once('exit', kill)
    child.once('close', (code, signal) =>
      done(code === 0 ? undefined : signal === null ? `ended with exit code ${code}` : `was killed (${signal})`),
    )
  })
  clearTimeout(timer)
  process.off('exit', kill)
  const took = performance.now() - began
  return { log, took, ...(late ? { trouble: LATE } : trouble !== undefined && { trouble }) }
}

/** The program that makes a class a program of a wire. */
export interface Shim {
  readonly folder: string
  readonly command: readonly string[]
  readonly headers: ReadonlySet<string>
  /** Of all its files: another shim, another program. */
  readonly hash: string
}

/** A wire's shim, in the game's own folder: build.json has its command. */
export function readShim(definition: GameDefinition, name: string): Shim {
  const folder = join(gameFolder(definition), name)
  const { command } = JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8')) as Pick<Shim, 'command'>
  const files = namesIn(folder).filter((file) => /\.(?:json|[ch]pp|cc|[ch])$/.test(file))
  const hash = sha256(JSON.stringify(files.map((file) => [file, sha256(readFileSync(join(folder, file)))])))
  const headers = new Set(files.filter((file) => /\.(?:h|hpp)$/.test(file)))
  return { folder, command, headers, hash }
}

/** The shim's command for a class: placeholders filled, `{sources}` a word for each. */
export function shimCommand(shim: Shim, header: string, sources: readonly string[], out: string): string[] {
  const values: Record<string, string> = {
    shim: shim.folder,
    folder: dirname(header),
    header: basename(header),
    class: className(header),
    out,
  }
  const filled = (word: string): string =>
    word.replace(/\{(\w+)\}/g, (all, name: string) => lookUp(values, name) ?? all)
  return shim.command.flatMap((word) => (word === '{sources}' ? sources : [filled(word)]))
}
