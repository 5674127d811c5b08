import { isAbsolute } from 'node:path'
import { realPath } from '../files/index.js'
import { PLACES } from './bubblewrap.js'
import { type Sandbox, startSandbox } from './sandbox.js'
import { makeCgroup } from './cgroups.js'
import { installationOf } from './installation.js'
import type { SandboxSpec } from './sandbox-spec.js'
import { nextUser } from './users.js'

/** What sandboxes are made with on this machine. With a `prefix` agon gives a sandbox neither a user nor cgroups. */
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

/** A command's words, with the place where its source lies for the program: in a sandbox, unless another is named. */
export function placedWords(argv: readonly string[], source: string, place: string = PLACES.source): string[] {
  return argv.map((word) => (word === source ? place : word.split(`${source}/`).join(`${place}/`)))
}

const SYSTEM = /^\/(usr|bin|sbin|lib|lib32|lib64)\//

/** What is shown of installations outside /usr that its programs belong to. */
export function interpreterFolders({
  argv,
  source,
  programs = [],
}: Pick<SandboxRequest, 'argv' | 'source' | 'programs'>): string[] {
  return [...new Set([...argv.slice(0, 1), ...programs].flatMap((program) => foldersOf(program, source)))]
}

function foldersOf(program: string, source: string): string[] {
  if (!isAbsolute(program) || SYSTEM.test(program) || program.startsWith(`${source}/`)) return []
  const real = realPath(program)
  if (real === undefined) return []
  return [program, real].filter((file) => !SYSTEM.test(file)).flatMap((file) => installationOf(file))
}
