import { below, derive } from '../core/index.js'

/** A drawing of lots: a text that no other drawing of this tournament shares. All chance of a tournament starts here. */
export function lot(seed: string, ...parts: readonly (string | number)[]): string {
  return derive('tournament', seed, ...parts)
}

/** The items in an order drawn by lot, each equally likely (Fisher and Yates). Linear, unlike the core's, which keeps a tape. */
export function shuffled<T>(drawn: string, items: readonly T[]): readonly T[] {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const j = below(i + 1, `${drawn}/${i}`)
    ;[order[i], order[j]] = [order[j] as T, order[i] as T]
  }
  return order
}
