/** What takes long to make: it is made once for all who ask, and again when what it is made of has changed. */
export class MadeOnce<T> {
  private readonly kept = new Map<string, { readonly of: string; readonly value: Promise<T> }>()

  constructor(
    /** Things that are kept: those that were asked for last. */
    private readonly most: number,
  ) {}

  /** `of`: a text that changes with the sources. What could not be made is not kept. */
  get(key: string, of: string, make: () => Promise<T>): Promise<T> {
    const known = this.kept.get(key)
    const made = known?.of === of ? known : { of, value: make() }
    if (made !== known) made.value.catch(() => this.kept.get(key) === made && this.kept.delete(key))
    this.kept.delete(key)
    this.kept.set(key, made)
    if (this.kept.size > this.most) for (const [oldest] of this.kept) return (this.kept.delete(oldest), made.value)
    return made.value
  }
}
