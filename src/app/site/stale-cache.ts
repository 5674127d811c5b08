/** The share of time that may go into making the same thing again and again. */
const SHARE = 0.1

interface Made<T> {
  /** What it was made of. */
  of: string
  /** When it was made, on the clock of `now`, and how many milliseconds that took; Infinity: it is being made for the first time. */
  at: number
  took: number
  value: Promise<T>
  /** What will take its place. */
  next?: { readonly of: string; readonly value: Promise<T> }
}

/**
 * Keeps what takes long to make: it is made once for all who ask, and again when what it is made of has changed. Where that changes all
 * the time it may be some moments old, so that most of the machine is left to the bots; and a request that comes while it is
 * made again gets the one before, as long as that is not much older.
 */
export class StaleCache<T> {
  private readonly made = new Map<string, Made<T>>()

  constructor(
    /** Things that are kept: those that were asked for last. */
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** `of`: a text that changes with the sources; `fresh`: an older one will not do. */
  async get(key: string, of: string, fresh: boolean, make: () => Promise<T>): Promise<T> {
    const kept = this.made.get(key)
    if (kept === undefined) return this.first(key, of, make)
    this.keep(key, kept)
    if (kept.of === of) return kept.value
    if (fresh) return kept.next?.of === of ? kept.next.value : this.again(key, kept, of, make)
    const age = this.now() - kept.at
    const pause = kept.took / SHARE
    if (age < pause) return kept.value
    const next = kept.next?.value ?? this.again(key, kept, of, make)
    return age < 2 * pause ? kept.value : next
  }

  private first(key: string, of: string, make: () => Promise<T>): Promise<T> {
    const began = this.now()
    const made: Made<T> = { of, at: began, took: Infinity, value: make() }
    this.keep(key, made)
    made.value.then(
      () => {
        made.at = this.now()
        made.took = made.at - began
      },
      () => this.made.get(key) === made && this.made.delete(key),
    )
    return made.value
  }

  private again(key: string, made: Made<T>, of: string, make: () => Promise<T>): Promise<T> {
    const began = this.now()
    const value = make()
    const next = { of, value }
    made.next = next
    value.then(
      () => {
        if (made.next !== next) return
        delete made.next
        made.of = of
        made.value = value
        made.at = this.now()
        made.took = made.at - began
      },
      () => this.made.get(key) === made && this.made.delete(key),
    )
    return value
  }

  /** What was asked for last is dropped last. */
  private keep(key: string, made: Made<T>): void {
    this.made.delete(key)
    this.made.set(key, made)
    if (this.made.size > this.most) for (const [oldest] of this.made) return void this.made.delete(oldest)
  }
}
