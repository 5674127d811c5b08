import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import type { Sandbox } from './sandbox.js'

/**
 * Tells that nothing was ever made in a sandbox's folders, without its launcher, which costs more than a bot's answer.
 * A folder's change time, links and size say so, and no program can set them back. Only for mounts: no program can
 * replace them.
 */
export class UnchangedFolders {
  private readonly fds: number[] = []
  private readonly before: readonly string[]

  /** `sandbox`: nothing has run in it yet. Where agon may not look into it, nothing is ever known. */
  constructor(sandbox: Pick<Sandbox, 'rootOf' | 'closed'>, folders: readonly string[]) {
    const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
    try {
      for (const folder of folders) this.fds.push(openSync(sandbox.rootOf(folder), O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
    } catch {
      this.close()
    }
    this.before = this.fds.map(stampOf)
    void sandbox.closed.then(() => this.close())
  }

  /** Nothing was made in any of them. False: something was, or it is not known. */
  get sure(): boolean {
    return this.fds.length > 0 && this.fds.every((fd, i) => stampOf(fd) === this.before[i])
  }

  private close(): void {
    for (const fd of this.fds.splice(0)) closeSync(fd)
  }
}

/** A file made within a tick of the clock changes no time, but the size of a folder in memory. */
function stampOf(fd: number): string {
  const { ctimeMs, nlink, size } = fstatSync(fd)
  return `${ctimeMs} ${nlink} ${size}`
}
