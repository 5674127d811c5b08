/** Portions of so many items, in order; the last may be less. */
export function* portions<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

/** Portions of items, in order, up to that weight together; a heavier item stands alone. */
export function* weighed<Item>(
  items: readonly Item[],
  weightOf: (item: Item) => number,
  most: number,
): Generator<readonly Item[]> {
  let [some, held]: [Item[], number] = [[], 0]
  for (const item of items) {
    const weight = weightOf(item)
    if (some.length > 0 && held + weight > most) {
      yield some
      ;[some, held] = [[], 0]
    }
    some.push(item)
    held += weight
  }
  if (some.length > 0) yield some
}
