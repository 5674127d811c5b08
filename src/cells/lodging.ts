import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname } from 'node:path'
import { PLACES } from './bubblewrap.js'
import { type Cell, openCell } from './cell.js'
import { makeCgroup } from './cgroups.js'
import type { CellLimits } from './limits.js'
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
  /** A folder of the host for the pipes of a process that stays. */
  readonly pipes?: string
  /** Files of agon's own that it finds in /cell, by name. */
  readonly tools?: Readonly<Record<string, string>>
  /** Folders of the host that it may read at their own paths. */
  readonly reads?: readonly string[]
  /** The only core it runs on. */
  readonly core?: number
  /** Its source is built here, and may be written. */
  readonly building?: boolean
  /** The user that it is, where agon may choose and has chosen already. */
  readonly user?: number
}

/** A cell, with what belongs to it on the host. */
export interface Lodging {
  readonly cell: Cell
  /** How often its memory was used up. */
  outOfMemory(): number
  close(): Promise<void>
}

/** Opens a cell for a bot. Rejects with a HostError where that fails. */
export async function lodge(maker: CellMaker, lodger: Lodger): Promise<Lodging> {
  const ours = maker.prefix === undefined
  const user = ours ? (lodger.user ?? nextUser()) : undefined
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
      ...(cgroup !== undefined && { cgroups: cgroup.folders }),
    })
    return {
      cell,
      outOfMemory: () => cgroup?.outOfMemory() ?? 0,
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

/** A bot's words as its cell knows them. */
export function cellWords(argv: readonly string[], source: string): string[] {
  return argv.map((word) => (word === source ? PLACES.source : word.split(`${source}/`).join(`${PLACES.source}/`)))
}

const SYSTEM = /^\/(usr|bin|sbin|lib|lib32|lib64)\//

/** The folders of an installation outside /usr that a program belongs to: where its libraries lie beside it, all of it. */
function interpreterFolders({ argv, source }: Lodger): string[] {
  const [program = ''] = argv
  if (SYSTEM.test(program) || program.startsWith(`${source}/`) || !existsSync(program)) return []
  const files = [...new Set([program, realpathSync(program)])].filter((file) => !SYSTEM.test(file))
  return [...new Set(files.map(installationOf))]
}

function installationOf(program: string): string {
  const folder = dirname(program)
  const above = dirname(folder)
  const isPrefix = basename(folder) === 'bin' && existsSync(`${above}/lib`) && above !== '/' && above !== homedir()
  return isPrefix ? above : program
}
