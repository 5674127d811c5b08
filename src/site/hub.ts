/** Notifies listeners that a contest has changed: they look up how. */
export class Hub {
  private readonly listeners = new Map<string, Set<() => void>>()
  private readonly versions = new Map<string, number>()

  /** Something happened to this contest. */
  touch(contest: string): void {
    this.versions.set(contest, this.version(contest) + 1)
    for (const listener of this.listeners.get(contest) ?? []) listener()
  }

  /** Raised with each `touch`: results that were computed under the same number are still valid. */
  version(contest: string): number {
    return this.versions.get(contest) ?? 0
  }

  /** Returns a function that stops listening. */
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
