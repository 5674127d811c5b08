/** The share of time that may go into making the same thing again and again. */
const SHARE = 0.1

interface Made<T> {
  /** What it was made of. */
  of: string
  /** Milliseconds since the epoch, and how many it took. */
  at: number
  took: number
  readonly value: Promise<T>
}

/**
 * Keeps what takes long to make: it is made once for all who ask, and again when what it is made of has changed. Where that changes all
 * the time it may be some moments old, so that most of the machine is left to the bots.
 */
export class Kept<T> {
  private readonly made = new Map<string, Made<T>>()

  constructor(
    /** Things that are kept: those that were made last. */
    private readonly most: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** `of`: a text that changes with what it is made of; `fresh`: no older one does. */
  async get(key: string, of: string, fresh: boolean, make: () => Promise<T>): Promise<T> {
    const kept = this.made.get(key)
    const began = this.now()
    if (kept?.of === of || (kept !== undefined && !fresh && began - kept.at < kept.took / SHARE)) return kept.value
    const value = make()
    const made: Made<T> = { of, at: began, took: Infinity, value }
    this.made.delete(key)
    this.made.set(key, made)
    for (const oldest of [...this.made.keys()].slice(0, -this.most)) this.made.delete(oldest)
    value.then(
      () => {
        made.at = this.now()
        made.took = made.at - began
      },
      () => this.made.get(key) === made && this.made.delete(key),
    )
    return value
  }
}
