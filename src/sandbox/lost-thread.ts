import { readdirSync, readlinkSync } from 'node:fs'
import { removeTree } from '../files/index.js'
import { removeCgroupsOf } from './cgroups.js'

/**
 * Ends what a thread of this process has left behind that has ended, perhaps without closing its bots. Its sandboxes' programs are killed by their
 * guards, which the kernel notifies of the thread's end; programs without a sandbox are found by their working folder. Then the
 * sandboxes' cgroups and the thread's `folder` are removed.
 */
export async function clearThread(thread: number, folder: string): Promise<void> {
  for (const pid of programsIn(folder)) kill(pid)
  await removeCgroupsOf(thread)
  await removeTree(folder)
}

/** Programs of this user that run in a folder; none where the system does not list them (Linux does). */
function programsIn(folder: string): number[] {
  return list('/proc').filter((pid) => {
    try {
      const at = readlinkSync(`/proc/${pid}/cwd`)
      return at === folder || at.startsWith(`${folder}/`)
    } catch {
      // It has ended, or is another user's.
      return false
    }
  })
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

function list(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}
