import { isAbsolute } from 'node:path'
import { realPath } from '../files/index.js'
import { PLACES } from './bubblewrap.js'
import { type Sandbox, startSandbox } from './sandbox.js'
import { makeCgroup } from './cgroups.js'
import { installationOf } from './installation.js'
import type { SandboxLimits } from './limits.js'
import type { ProcessEnd } from './process.js'
import { nextUser } from './users.js'

/** What sandboxes are made with on this machine. */
export interface SandboxMaker {
  readonly launcher: string
  readonly bubblewrap: string
  /** Words before the launcher's, which start it as another user: agon then gives the sandbox neither a user nor cgroups. */
  readonly prefix?: readonly string[]
}

/** A bot that needs a sandbox. */
export interface SandboxRequest {
  /** Its command; words that lie in its source are the sandbox's, all others the host's. */
  readonly argv: readonly string[]
  /** Its staged source. */
  readonly source: string
  readonly limits: SandboxLimits
  /** A folder below its source that it may write, up to that many bytes. */
  readonly state?: { readonly folder: string; readonly bytes: number }
  /** New files may be made in its working folder. */
  readonly writable?: boolean
  /** A process stays in it. */
  readonly pipes?: boolean
  /** Files of agon's own that it finds in /sandbox, by name. */
  readonly tools?: Readonly<Record<string, string>>
  /** Folders of the host that it may read at their own paths. */
  readonly reads?: readonly string[]
  /** The only core it runs on. */
  readonly core?: number
  /** Its source is built here. */
  readonly building?: boolean
  /** Further programs that are started here. */
  readonly programs?: readonly string[]
}

/** A sandbox, with what belongs to it on the host. */
export interface OpenSandbox {
  readonly sandbox: Sandbox
  /** How often its memory was used up. */
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
    const { state } = request
    const sandbox = await startSandbox({
      ...maker,
      source: request.source,
      also: [...interpreterFolders(request), ...(request.reads ?? [])],
      tools: request.tools ?? {},
      limits: request.limits,
      state: state?.folder,
      stateBytes: state?.bytes,
      writable: request.writable,
      pipes: request.pipes,
      core: request.core,
      building: request.building,
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

/** A bot's words as its sandbox knows them. */
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
