import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BotParameters, didYouMean } from '../core/index.js'
import { isExecutable, trustedProgram, envShebang, findProgram } from '../files/index.js'
import { NotAdmitted } from './build.js'
import type { Entry } from '../contest/entries.js'
import { quote } from '../contest/explain.js'
import { isInstalled, isPublic, type Staged } from './paths.js'
import { COMMON } from './toolchain.js'

/** An entrant's start command: its program found once, its files where they were staged. */
export async function argvOf(entry: Entry, staged: Staged): Promise<string[]> {
  const [first = '', ...rest] = unwrapped(entry.spec.command ?? [])
  const words = rest.map((word) => staged.rewrite(word))
  const named = first.includes('/') && !(isAbsolute(first) && isInstalled(first))
  const program = named ? undefined : await findProgram(first)
  if (program !== undefined) return [program, ...words]
  // An installation the host may not start is the sandbox's to start.
  if (!named && isAbsolute(first) && isExecutable(first)) return [first, ...words]
  const file = staged.find(first)
  if (file === undefined)
    throw new NotAdmitted(
      entry.spec.build !== undefined && named
        ? `its build made no ${first}`
        : `this machine has no ${quoteWords(first)}${meant(first)}`,
    )
  if (!isExecutable(file)) {
    const why = `the file ${quote(first)} of ${quote(entry.spec.name)} cannot be started: make it executable (chmod +x) or name its interpreter`
    throw entry.spec.build === undefined ? entry.error('command', why) : new NotAdmitted(why)
  }
  const script = envShebang(file)
  if (script === undefined) return [file, ...words]
  const [word = '', ...options] = script
  // A path in a stranger's script is followed only in its sandbox.
  if (word.includes('/') && !isPublic(word)) return [file, ...words]
  const interpreter = await findProgram(word)
  if (interpreter === undefined)
    throw new NotAdmitted(`this machine has no ${word}, which the first line of ${first} names${meant(word)}`)
  return [interpreter, ...options, file, ...words]
}

/** A program that is not there; a whole command in one word of a list is none. */
const quoteWords = (word: string): string =>
  /\s/.test(word.trim())
    ? `program ${quote(word)}: each word of a list stands by itself (command = [${word.trim().split(/\s+/).map(quote).join(', ')}])`
    : word

const meant = (word: string): string =>
  didYouMean(
    word,
    COMMON.filter((program) => trustedProgram(program) !== undefined),
  )

/** Without an env that only looks up the program at each start. */
function unwrapped(command: readonly string[]): readonly string[] {
  const [first, second] = command
  return first !== undefined && /^(?:\/usr)?\/bin\/env$/.test(first) && second !== undefined && !/^-|=/.test(second)
    ? command.slice(1)
    : command
}

export interface Runner {
  readonly argv: readonly string[]
  /** Of the host, what it reads: agon's code and packages, nothing else beside them. */
  readonly reads: readonly string[]
}

/** The package's root: its sources or what was compiled of them lie in a folder of it. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '')
const fromSource = import.meta.url.endsWith('.ts')

/** `given`: the parameters of the module, where it is given any. */
export function runnerOf(file: string, given?: BotParameters): Runner {
  const tsx = fileURLToPath(import.meta.resolve('tsx'))
  const packages = tsx.slice(0, tsx.lastIndexOf('/node_modules/') + '/node_modules'.length)
  const program = join(dirname(fileURLToPath(import.meta.url)), fromSource ? 'runner.ts' : '../bundle/runner.js')
  return {
    argv: [
      process.execPath,
      ...(fromSource ? ['--import', import.meta.resolve('tsx')] : []),
      program,
      file,
      ...(given === undefined ? [] : [JSON.stringify(given)]),
    ],
    reads: [join(ROOT, fromSource ? 'src' : 'dist'), join(ROOT, 'package.json'), packages],
  }
}
