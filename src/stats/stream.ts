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
