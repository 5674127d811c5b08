/** Notifies listeners that something happened to a contest: what it was, they look up themselves. */
export class Hub {
  private readonly listeners = new Map<string, Set<() => void>>()
  private readonly versions = new Map<string, number>()

  /** Something happened to this contest. */
  touch(contest: string): void {
    this.versions.set(contest, this.version(contest) + 1)
    for (const listener of this.listeners.get(contest) ?? []) listener()
  }

  /** Raised with each `touch`: what was computed under the same number is as good now. */
  version(contest: string): number {
    return this.versions.get(contest) ?? 0
  }

  /** Returns what stops listening. */
  listen(contest: string, listener: () => void): () => void {
    const all = this.listeners.get(contest) ?? new Set()
    this.listeners.set(contest, all)
    all.add(listener)
    return () => {
      all.delete(listener)
      if (all.size === 0) this.listeners.delete(contest)
    }
  }
}
