import type { Sandbox } from '../sandbox/index.js'

/** Sandboxes kept at most: each is a few processes, and most contests' first matches seat fewer. */
const KEPT = 16

/**
 * Sandboxes of bots that have left, for the entrant's next life. Of the life before they hold only the running
 * interpreter.
 */
export class SandboxPool {
  private readonly free = new Map<string, Sandbox>()
  private closed = false

  constructor(private readonly kept = KEPT) {}

  /** Takes over a sandbox, or closes it. */
  async leave(entrant: string, sandbox: Sandbox): Promise<void> {
    const usable = !sandbox.gone && sandbox.outOfMemory() === 0
    if (this.closed || !usable || this.free.has(entrant) || this.free.size >= this.kept) return sandbox.close()
    sandbox.fresh()
    this.free.set(entrant, sandbox)
  }

  take(entrant: string): Sandbox | undefined {
    const idle = this.free.get(entrant)
    this.free.delete(entrant)
    return idle?.gone ? undefined : idle
  }

  async close(): Promise<void> {
    this.closed = true
    const left = [...this.free.values()]
    this.free.clear()
    await Promise.all(left.map((sandbox) => sandbox.close()))
  }
}
