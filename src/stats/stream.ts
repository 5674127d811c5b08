import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import { derive } from '../core/luck.js'

/** Random numbers for statistics: quick, unlike `pick`, and the same for the same texts. Never for a match's luck. */
export interface Stream {
  /** A number in [0, 1), of 32 random bits. */
  uniform(): number
  /** A whole number in [0, n). */
  below(n: number): number
  /** Writes as many numbers as there is room for: those that `uniform` would give one by one, in a third of the time. */
  uniforms(into: Float64Array): void
}

/** The stream that these texts and numbers name; its generator's 128 bits are their hash. */
export function stream(...parts: readonly (string | number)[]): Stream {
  const hash = derive('stream', ...parts)
  const state = [0, 8, 16, 24].map((at) => Number.parseInt(hash.slice(at, at + 8), 16) | 0)
  let generator = xoroshiro128plusFromState(state)
  const uniform = (): number => (generator.next() + 2 ** 31) / 2 ** 32
  const uniforms = (into: Float64Array): void => {
    generator = xoroshiro128plusFromState(advance(generator.getState(), into))
  }
  return { uniform, below: (n) => Math.floor(uniform() * n), uniforms }
}

/**
 * What the generator does, many times, with its words in registers: xoroshiro128+ (Blackman and Vigna 2018) with the shifts 24, 16 and 37, of
 * whose 64 bits the lower 32 are taken. A word is a pair of numbers, the upper one first. Returns the state behind.
 */
function advance(state: readonly number[], into: Float64Array): readonly number[] {
  let [s01 = 0, s00 = 0, s11 = 0, s10 = 0] = state
  for (let i = 0; i < into.length; i++) {
    into[i] = (((s00 + s10) | 0) + 2 ** 31) * 2 ** -32
    const a0 = s10 ^ s00
    const a1 = s11 ^ s01
    const low = s00
    s00 = (low << 24) ^ (s01 >>> 8) ^ a0 ^ (a0 << 16)
    s01 = (s01 << 24) ^ (low >>> 8) ^ a1 ^ ((a1 << 16) | (a0 >>> 16))
    s10 = (a1 << 5) ^ (a0 >>> 27)
    s11 = (a0 << 5) ^ (a1 >>> 27)
  }
  return [s01, s00, s11, s10]
}
