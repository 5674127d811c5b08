import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { homeFolder, isInside, kindOf, namesIn, realPath } from '../files/index.js'
import { PLACES } from './bubblewrap.js'
import { type Sandbox, startSandbox } from './sandbox.js'
import { makeCgroup } from './cgroups.js'
import type { SandboxSpec } from './sandbox-spec.js'
import { nextUser } from './users.js'

/** What sandboxes are made with here. With a `prefix` agon gives a sandbox neither a user nor cgroups. */
export type SandboxMaker = Pick<SandboxSpec, 'launcher' | 'bubblewrap' | 'prefix'>

export interface SandboxRequest
  extends
    Pick<SandboxSpec, 'limits' | 'state' | 'writable' | 'pipes' | 'core' | 'building'>,
    Partial<Pick<SandboxSpec, 'tools'>> {
  /** Its command; words that lie in its source are the sandbox's, all others the host's. */
  readonly argv: readonly string[]
  readonly source: string
  /** Folders of the host that it may read at their own paths. */
  readonly reads?: readonly string[]
  /** Further programs that are started here. */
  readonly programs?: readonly string[]
}

/** Opens a sandbox for a bot. Rejects with a HostError where that fails. */
export async function openSandbox(maker: SandboxMaker, request: SandboxRequest): Promise<Sandbox> {
  const ours = maker.prefix === undefined
  const cgroup = ours ? makeCgroup(request.limits) : undefined
  try {
    return await startSandbox({
      ...maker,
      ...request,
      also: [...interpreterFolders(request), ...(request.reads ?? [])],
      tools: request.tools ?? {},
      user: ours ? nextUser() : undefined,
      cgroup,
    })
  } catch (error) {
    await cgroup?.remove()
    throw error
  }
}

/** A command's words, with its source's place for the program: in a sandbox, unless another is named. */
export function placedWords(argv: readonly string[], source: string, place: string = PLACES.source): string[] {
  return argv.map((word) => (word === source ? place : word.split(`${source}/`).join(`${place}/`)))
}

const SYSTEM = /^\/(usr|bin|sbin|lib|lib32|lib64)\//

/** What is shown of its programs' installations outside /usr. */
export function interpreterFolders(request: Pick<SandboxRequest, 'argv' | 'source' | 'programs'>): string[] {
  const { argv, source, programs = [] } = request
  return [...new Set([...argv.slice(0, 1), ...programs].flatMap((program) => foldersOf(program, source)))]
}

function foldersOf(program: string, source: string): string[] {
  if (!isAbsolute(program) || SYSTEM.test(program) || program.startsWith(`${source}/`)) return []
  const real = realPath(program)
  if (real === undefined) return []
  return [program, real].filter((file) => !SYSTEM.test(file)).flatMap((file) => installationOf(file))
}

/** What an installation's programs need of its folder; nothing else is shown. */
const NEEDED = /^(?:bin|lib\w*|include|share|pyvenv\.cfg)$/

/**
 * Paths of a program's installation outside /usr that a sandbox shows: libraries beside its `bin`, and what goes with
 * them; of a user's home, `.local`, or a folder of homes, the program alone.
 */
export function installationOf(program: string): string[] {
  const prefix = dirname(dirname(program))
  const isPrefix = basename(dirname(program)) === 'bin' && kindOf(join(prefix, 'lib')) === 'folder'
  if (!isPrefix || isHome(prefix)) return [program]
  const names = namesIn(prefix)
  // Java reads its settings there at each start.
  const isJava = names.includes('release') && kindOf(join(prefix, 'lib', 'modules')) === 'file'
  return names
    .filter((name) => NEEDED.test(name) || (isJava && name === 'conf'))
    .map((name) => join(prefix, name))
    .filter((path) => kindOf(path) !== undefined)
}

/** Whether a folder holds more than an installation: a person's own files. */
function isHome(prefix: string): boolean {
  const real = realPath(prefix) ?? prefix
  const homes = [homedir(), homeFolder(), '/root'].flatMap((home) => [home, realPath(home) ?? home])
  return [prefix, real].some(
    (folder) =>
      basename(folder) === '.local' ||
      dirname(folder) === '/home' ||
      homes.some((home) => isInside(folder, home) || folder === join(home, '.local')),
  )
}
