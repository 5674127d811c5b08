/** Tells whoever listens that something happened to a contest: what it was, they look up themselves. */
export class Hub {
  private readonly listeners = new Map<string, Set<() => void>>()
  private readonly versions = new Map<string, number>()

  /** Something happened to this contest. */
  touch(contest: string): void {
    this.versions.set(contest, this.version(contest) + 1)
    for (const hear of this.listeners.get(contest) ?? []) hear()
  }

  /** Raised with each `touch`: what was computed under the same number is as good now. */
  version(contest: string): number {
    return this.versions.get(contest) ?? 0
  }

  /** Returns what stops listening. */
  listen(contest: string, hear: () => void): () => void {
    const all = this.listeners.get(contest) ?? new Set()
    this.listeners.set(contest, all)
    all.add(hear)
    return () => {
      all.delete(hear)
      if (all.size === 0) this.listeners.delete(contest)
    }
  }
}
