import { isAbsolute } from 'node:path'
import { realPath } from '../files/index.js'
import { PLACES } from './bubblewrap.js'
import { type Cell, openCell } from './cell.js'
import { makeCgroup } from './cgroups.js'
import { installationOf } from './installation.js'
import type { CellLimits } from './limits.js'
import type { Ending } from './process.js'
import { nextUser } from './users.js'

/** What cells are made with on this machine. */
export interface CellMaker {
  readonly launcher: string
  readonly bubblewrap: string
  /** Words before the launcher's, which start it as somebody else: agon then gives the cell neither a user nor cgroups. */
  readonly prefix?: readonly string[]
}

/** A bot that needs a cell. */
export interface Lodger {
  /** Its command; words that lie in its source are the cell's, all others the host's. */
  readonly argv: readonly string[]
  /** Its staged source. */
  readonly source: string
  readonly limits: CellLimits
  /** A folder below its source that it may write, up to that many bytes. */
  readonly state?: { readonly folder: string; readonly bytes: number }
  /** New files may be made in its working folder. */
  readonly writable?: boolean
  /** A process stays in it. */
  readonly pipes?: boolean
  /** Files of agon's own that it finds in /cell, by name. */
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

/** A cell, with what belongs to it on the host. */
export interface Lodging {
  readonly cell: Cell
  /** How often its memory was used up. */
  outOfMemory(): number
  /** Tells a kill for the cell's own memory from one from outside. */
  judge(ending: Ending): Ending
  close(): Promise<void>
}

/** Opens a cell for a bot. Rejects with a HostError where that fails. */
export async function lodge(maker: CellMaker, lodger: Lodger): Promise<Lodging> {
  const ours = maker.prefix === undefined
  const user = ours ? nextUser() : undefined
  const cgroup = ours ? makeCgroup(lodger.limits) : undefined
  try {
    const { state } = lodger
    const cell = await openCell({
      ...maker,
      source: lodger.source,
      also: [...interpreterFolders(lodger), ...(lodger.reads ?? [])],
      tools: lodger.tools ?? {},
      limits: lodger.limits,
      ...(state !== undefined && { state: state.folder, stateBytes: state.bytes }),
      ...(lodger.writable !== undefined && { writable: lodger.writable }),
      ...(lodger.pipes !== undefined && { pipes: lodger.pipes }),
      ...(lodger.core !== undefined && { core: lodger.core }),
      ...(lodger.building !== undefined && { building: lodger.building }),
      ...(user !== undefined && { user }),
      ...(cgroup !== undefined && { cgroups: cgroup.folders, counted: cgroup.memory }),
      ...(cgroup?.cpu !== undefined && { cpu: cgroup.cpu }),
    })
    const outOfMemory = () => cgroup?.outOfMemory() ?? 0
    let known = 0
    return {
      cell,
      outOfMemory,
      judge: (ending) => {
        if (ending.signal !== 'SIGKILL' && ending.cell === undefined) return ending
        const before = known
        known = outOfMemory()
        return judged(ending, known > before, cgroup !== undefined)
      },
      close: async () => {
        await cell.close()
        await cgroup?.remove()
      },
    }
  } catch (error) {
    await cgroup?.remove()
    throw error
  }
}

/**
 * What a program died of, or its cell: a limit of its memory that was reached is its own doing. Where its cell has no such limit, it
 * may have used up the whole machine's, and whoever was killed for that, it may have meant to.
 */
function judged(ending: Ending, memory: boolean, limited: boolean): Ending {
  const { outside, ...rest } = ending
  if (memory) return { ...rest, memory: true }
  const doubtful = outside === 'certain' && !limited && rest.cell === undefined
  return doubtful ? { ...rest, outside: 'possible' } : ending
}

/** A bot's words as its cell knows them. */
export function cellWords(argv: readonly string[], source: string): string[] {
  return argv.map((word) => (word === source ? PLACES.source : word.split(`${source}/`).join(`${PLACES.source}/`)))
}

const SYSTEM = /^\/(usr|bin|sbin|lib|lib32|lib64)\//

/** What is shown of installations outside /usr that its programs belong to. */
function interpreterFolders({ argv, source, programs = [] }: Lodger): string[] {
  return [...new Set([...argv.slice(0, 1), ...programs].flatMap((program) => foldersOf(program, source)))]
}

function foldersOf(program: string, source: string): string[] {
  if (!isAbsolute(program) || SYSTEM.test(program) || program.startsWith(`${source}/`)) return []
  const real = realPath(program)
  if (real === undefined) return []
  return [program, real].filter((file) => !SYSTEM.test(file)).flatMap((file) => installationOf(file))
}
