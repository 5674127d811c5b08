import { readlinkSync } from 'node:fs'
import { attempt, isInside, processesSeen, removeTree } from '../files/index.js'
import { removeCgroupsOf } from './cgroups.js'

/**
 * Ends what a thread of this process has left behind that has ended, perhaps without closing its bots. Its sandboxes' programs are killed by their
 * guards, which the kernel notifies of the thread's end; programs without a sandbox are found by their working folder. Then the
 * sandboxes' cgroups and the thread's `folder` are removed.
 */
export async function clearThread(thread: number, folder: string): Promise<void> {
  for (const pid of programsIn(folder)) attempt(() => process.kill(pid, 'SIGKILL'))
  await removeCgroupsOf(thread)
  await removeTree(folder)
}

/** Programs of this user that run in a folder. */
const programsIn = (folder: string): readonly number[] =>
  processesSeen().filter((pid) => isInside(folder, attempt(() => readlinkSync(`/proc/${pid}/cwd`)) ?? ''))
