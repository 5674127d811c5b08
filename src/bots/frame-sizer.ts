/* A frame is expected to take a quarter of one question's time: so much at once makes no honest bot late. */

type Kind = 'open' | 'ask' | 'close'
/** Lines of a frame at most: more make it no quicker. */
const MOST = 128
/** Of what is expected each new figure is this part. */
const NEW = 0.25

export class FrameSizer {
  /** Microseconds; undefined: none so far. */
  private readonly expected: Record<Kind, number | undefined> = { open: undefined, ask: undefined, close: 0 }

  /** How many of these, from the first, go into a frame of that limit (milliseconds); at least one. */
  size(items: readonly { readonly kind: Kind }[], limit: number): number {
    const most = (limit * 1000) / 4
    let sum = 0
    let n = 0
    for (const { kind } of items) {
      sum += this.expected[kind] ?? most / 4
      if (n > 0 && (sum > most || n >= MOST)) break
      n++
    }
    return n
  }

  /**
   * Takes what each took by the process's word, which may be a lie. Returns what is believed: no more in all than the
   * frame took.
   */
  see(
    items: readonly { readonly kind: Kind }[],
    entries: readonly (readonly [us: number, ...unknown[]])[],
    frameUs: number,
  ): number[] {
    const all = entries.reduce((sum, [us]) => sum + us, 0)
    const scale = all > frameUs ? frameUs / all : 1
    // Time that no item accounts for is shared equally: it may be any item's.
    const more = Math.max(0, frameUs - all) / Math.max(1, items.length)
    return items.map(({ kind }, i) => {
      const us = (entries[i]?.[0] ?? 0) * scale
      const before = this.expected[kind]
      this.expected[kind] = before === undefined ? us + more : before + NEW * (us + more - before)
      return us
    })
  }
}
