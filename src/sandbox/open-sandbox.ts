import { isAbsolute } from 'node:path'
import { realPath } from '../files/index.js'
import { PLACES } from './bubblewrap.js'
import { type Sandbox, startSandbox } from './sandbox.js'
import { makeCgroup } from './cgroups.js'
import { installationOf } from './installation.js'
import type { ProcessEnd } from './process.js'
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

/** A sandbox, with what belongs to it on the host. */
export interface OpenSandbox {
  readonly sandbox: Sandbox
  outOfMemory(): number
  /** Distinguishes a kill for the sandbox's own memory from one from outside. */
  judge(ending: ProcessEnd): ProcessEnd
  close(): Promise<void>
}

/** Opens a sandbox for a bot. Rejects with a HostError where that fails. */
export async function openSandbox(maker: SandboxMaker, request: SandboxRequest): Promise<OpenSandbox> {
  const ours = maker.prefix === undefined
  const user = ours ? nextUser() : undefined
  const cgroup = ours ? makeCgroup(request.limits) : undefined
  try {
    const sandbox = await startSandbox({
      ...maker,
      ...request,
      also: [...interpreterFolders(request), ...(request.reads ?? [])],
      tools: request.tools ?? {},
      user,
      cgroups: cgroup?.folders,
      counted: cgroup?.memory,
      cpu: cgroup?.cpu,
    })
    const outOfMemory = () => cgroup?.outOfMemory() ?? 0
    let known = 0
    return {
      sandbox,
      outOfMemory,
      judge: (ending) => {
        if (ending.signal !== 'SIGKILL' && ending.sandbox === undefined) return ending
        const before = known
        known = outOfMemory()
        return judged(ending, known > before, cgroup !== undefined)
      },
      close: async () => {
        await sandbox.close()
        await cgroup?.remove()
      },
    }
  } catch (error) {
    await cgroup?.remove()
    throw error
  }
}

/**
 * What a program died of, or its sandbox: a limit of its memory that was reached is its own doing. Where its sandbox has no such limit, it
 * may have used up the whole machine's memory on purpose, whichever process the kernel then killed.
 */
function judged(ending: ProcessEnd, memory: boolean, limited: boolean): ProcessEnd {
  const { outside, ...rest } = ending
  if (memory) return { ...rest, memory: true }
  const doubtful = outside === 'certain' && !limited && rest.sandbox === undefined
  return doubtful ? { ...rest, outside: 'possible' } : ending
}

export function sandboxWords(argv: readonly string[], source: string): string[] {
  return argv.map((word) => (word === source ? PLACES.source : word.split(`${source}/`).join(`${PLACES.source}/`)))
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
