import { existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { CellLimits } from './limits.js'

const ROOT = '/sys/fs/cgroup'
/** agon's own folder in each hierarchy; a cell's is called by agon's process number and the cell's. */
const OWN = 'agon'

/** A cell's cgroups. */
export interface Cgroup {
  /** Their folders, which its first process enters. */
  readonly folders: readonly string[]
  /** How often the kernel killed a process of it because its memory was used up. */
  outOfMemory(): number
  /** Removes them, once nothing is left in them. */
  remove(): Promise<void>
}

/** The hierarchies in which this process can limit memory and processes: two of version 1, or the one of version 2; else none. */
export function cgroupRoots(): readonly string[] {
  roots ??= find()
  return roots
}
let roots: readonly string[] | undefined
// Threads of a process count apart from each other.
let made = threadId * 1e6

function find(): string[] {
  const places = ['memory', 'pids'].map((name) => join(ROOT, name)).filter((path) => existsSync(join(path, 'tasks')))
  const usable = (places.length > 0 ? places : existsSync(join(ROOT, 'cgroup.subtree_control')) ? [ROOT] : []).filter(
    enter,
  )
  return usable.map((place) => join(place, OWN))
}

/** Makes agon's folder in a hierarchy, and removes what killed agons left in it. */
function enter(place: string): boolean {
  const own = join(place, OWN)
  try {
    if (place === ROOT) writeFileSync(join(place, 'cgroup.subtree_control'), '+memory +pids')
    mkdirSync(own, { recursive: true })
    if (place === ROOT) writeFileSync(join(own, 'cgroup.subtree_control'), '+memory +pids')
    for (const name of readdirSync(own)) {
      const pid = /^(\d+)-\d+$/.exec(name)?.[1]
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) void removeFolder(join(own, name))
    }
    const trial = join(own, `${process.pid}-trial-${threadId}`)
    mkdirSync(trial)
    rmdirSync(trial)
    return true
  } catch {
    return false
  }
}

/** Makes the cgroups of a cell; undefined where none can be made. */
export function makeCgroup(limits: CellLimits): Cgroup | undefined {
  const folders = cgroupRoots().map((root) => join(root, `${process.pid}-${made}`))
  made++
  if (folders.length === 0) return undefined
  for (const folder of folders) {
    mkdirSync(folder)
    for (const [file, value] of [
      ['memory.limit_in_bytes', limits.memory],
      ['memory.memsw.limit_in_bytes', limits.memory],
      ['memory.max', limits.memory],
      ['memory.swap.max', 0],
      // The launcher, its guard and bubblewrap are processes of the cell too.
      ['pids.max', limits.processes + 5],
    ] as const)
      if (existsSync(join(folder, file))) attempt(() => writeFileSync(join(folder, file), String(value)))
  }
  return {
    folders,
    outOfMemory: () =>
      folders.reduce((sum, folder) => {
        const text = read(join(folder, 'memory.oom_control')) + read(join(folder, 'memory.events'))
        return sum + Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0)
      }, 0),
    remove: async () => {
      await Promise.all(folders.map(removeFolder))
    },
  }
}

/** What has just been killed may still be on its way out; what does not go is left to the next agon. */
async function removeFolder(folder: string): Promise<void> {
  for (let wait = 1; wait < 2000; wait *= 2) {
    try {
      return rmdirSync(folder)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EBUSY')) return
    }
    await new Promise((done) => setTimeout(done, wait))
  }
}

const read = (file: string): string => attempt(() => readFileSync(file, 'utf8')) ?? ''

function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
