import { existsSync, mkdirSync, readdirSync, readlinkSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import {
  NAME,
  attempt,
  isInside,
  isRunning,
  namesIn,
  processesSeen,
  removeTree,
  textIn,
  thisProcess,
} from '../files/index.js'
import type { SandboxLimits } from './limits.js'

const ROOT = '/sys/fs/cgroup'
/** agon's folder in each hierarchy; a sandbox's is named by agon's process and its number. */
const OWN = 'agon'
const OWNED = new RegExp(`^(${NAME})-\\d+$`)

/** Of version 1. */
const HIERARCHIES = ['memory', 'pids']
const COUNTING = join(ROOT, 'cpuacct')
/** Of version 1 and of version 2; the launcher reads both. */
const MEMORY_FILES = ['memory.limit_in_bytes', 'memory.max']
const CPU_FILES = ['cpuacct.usage', 'cpu.stat']

export interface Cgroup {
  /** Their folders, which its first process enters. */
  readonly folders: readonly string[]
  readonly memory: boolean
  /** The file with the CPU time of all that ever ran in them, where there is one. */
  readonly cpu?: string
  /** How often the kernel killed a process of it because its own memory, not the machine's, was used up. */
  outOfMemory(): number
  remove(): Promise<void>
}

/** The hierarchies in which this process can limit memory and processes: version 1's, version 2's one, or none. */
export function cgroupRoots(): readonly string[] {
  roots ??= find()
  return roots
}
let roots: readonly string[] | undefined
/** They count the CPU time of all that ever ran in a sandbox: version 2, and an own hierarchy of version 1. */
export const countsCpu = (): boolean =>
  cgroupRoots().some((root) => root === join(ROOT, OWN) || root === join(COUNTING, OWN))
/** Threads of a process count apart from each other. */
const PER_THREAD = 1e6
let made = threadId * PER_THREAD

function find(): string[] {
  const first = HIERARCHIES.map((name) => join(ROOT, name)).filter((path) => existsSync(join(path, 'tasks')))
  const limiting = (first.length > 0 ? first : existsSync(join(ROOT, 'cgroup.subtree_control')) ? [ROOT] : []).filter(
    enter,
  )
  // Where one hierarchy counts and shares out CPU time, a group of its own would change a bot's share.
  const counting = first.length > 0 && !existsSync(join(COUNTING, 'cpu.shares')) && enter(COUNTING) ? [COUNTING] : []
  return (limiting.length > 0 ? [...limiting, ...counting] : []).map((place) => join(place, OWN))
}

/** Makes agon's folder in a hierarchy, and removes what killed agons left in it. */
function enter(place: string): boolean {
  const own = join(place, OWN)
  try {
    if (place === ROOT) writeFileSync(join(place, 'cgroup.subtree_control'), '+memory +pids')
    mkdirSync(own, { recursive: true })
    if (place === ROOT) writeFileSync(join(own, 'cgroup.subtree_control'), '+memory +pids')
    for (const name of readdirSync(own)) {
      const owner = OWNED.exec(name)?.[1]
      const stat = owner === undefined ? undefined : statSync(join(own, name), { throwIfNoEntry: false })
      // The kernel refuses to remove one that still has processes in it.
      if (owner !== undefined && stat && !isRunning(owner, stat.mtimeMs)) void removeFolder(join(own, name))
    }
    const trial = join(own, `${thisProcess()}-${made++}`)
    mkdirSync(trial)
    rmdirSync(trial)
    return true
  } catch {
    return false
  }
}

export function makeCgroup(limits: SandboxLimits): Cgroup | undefined {
  const folders = cgroupRoots().map((root) => join(root, `${thisProcess()}-${made}`))
  made++
  if (folders.length === 0) return undefined
  for (const folder of folders) {
    mkdirSync(folder)
    for (const [file, value] of [
      ['memory.limit_in_bytes', limits.memory],
      ['memory.memsw.limit_in_bytes', limits.memory],
      ['memory.max', limits.memory],
      ['memory.swap.max', 0],
      // The launcher, its guard and bubblewrap are processes of the sandbox too.
      ['pids.max', limits.processes + 5],
    ] as const)
      if (existsSync(join(folder, file))) attempt(() => writeFileSync(join(folder, file), String(value)))
  }
  const cpu = folders.flatMap((folder) => CPU_FILES.map((name) => join(folder, name))).find((file) => existsSync(file))
  return {
    folders,
    memory: folders.some((folder) => MEMORY_FILES.some((name) => existsSync(join(folder, name)))),
    cpu,
    outOfMemory: () =>
      folders.reduce((sum, folder) => {
        const file = (name: string) => textIn(join(folder, name))
        const text = file('memory.oom_control') + file('memory.events')
        // Version 2 counts how often the limit was reached, version 1 keeps the peak.
        const reached = counted(text, 'oom') > 0 || Number(file('memory.max_usage_in_bytes')) > limits.memory - NEAR
        return reached ? sum + counted(text, 'oom_kill') : sum
      }, 0),
    remove: async () => {
      await Promise.all(folders.map(removeFolder))
    },
  }
}

/**
 * Ends what an ended thread has left. Guards, which the kernel notifies, kill their sandboxes' programs; programs
 * without a sandbox are found by their working folder. Then removes the sandboxes' cgroups and the thread's `folder`.
 */
export async function clearThread(thread: number, folder: string): Promise<void> {
  for (const pid of processesSeen())
    if (isInside(folder, attempt(() => readlinkSync(`/proc/${pid}/cwd`)) ?? ''))
      attempt(() => process.kill(pid, 'SIGKILL'))
  const isOwn = (name: string): boolean => {
    const [owner, n] = name.split(/-(?=\d+$)/)
    return owner === thisProcess() && Math.floor(Number(n) / PER_THREAD) === thread
  }
  const left = cgroupRoots().flatMap((root) =>
    namesIn(root)
      .filter(isOwn)
      .map((name) => join(root, name)),
  )
  await Promise.all(left.map(removeFolder))
  await removeTree(folder)
}

/** So many bytes below the limit it counts as reached: a request did not fit. */
const NEAR = 2 * 1024 ** 2

const counted = (text: string, name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)

/** What was just killed may take a moment; what does not go is left to the next agon. */
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
