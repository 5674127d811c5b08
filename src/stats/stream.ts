import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import { derive } from '../core/luck.js'

/** Random numbers for statistics: quick, unlike `pick`, and the same for the same texts. Never for a match's luck. */
export interface Stream {
  /** A number in [0, 1), of 32 random bits. */
  uniform(): number
  /** A whole number in [0, n). */
  below(n: number): number
}

/** The stream that these texts and numbers name; its generator's 128 bits are their hash. */
export function stream(...parts: readonly (string | number)[]): Stream {
  const hash = derive('stream', ...parts)
  const state = [0, 8, 16, 24].map((at) => Number.parseInt(hash.slice(at, at + 8), 16) | 0)
  const generator = xoroshiro128plusFromState(state)
  const uniform = (): number => (generator.next() + 2 ** 31) / 2 ** 32
  return { uniform, below: (n) => Math.floor(uniform() * n) }
}

/** The items in a random order (Fisher and Yates); `draw`: a number below n. Linear: it keeps no tape as the core's does. */
export function inAnyOrder<T>(items: readonly T[], draw: (n: number) => number): readonly T[] {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const j = draw(i + 1)
    ;[order[i], order[j]] = [order[j] as T, order[i] as T]
  }
  return order
}
