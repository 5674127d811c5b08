import { RE2JS } from 're2js'
import { type Below, type Pattern, usePatterns } from '../core/index.js'

/*
 * Patterns of texts by RE2's rules: no text takes longer than in proportion to its length, whatever the pattern. A random text is a walk
 * through the machine that a pattern is compiled to.
 */

/** An instruction of the machine, as re2js compiles it. */
interface Instruction {
  readonly op: number
  readonly out: number
  readonly arg: number
  /** Pairs: from, to; of one that takes a single character, this. */
  readonly runes: ArrayLike<number>
}

const [ALT, ALT_MATCH, MATCH, RUNE, RUNE1, ANY_NOT_NL] = [1, 2, 6, 8, 9, 11]

/** Instructions that a pattern may come to. */
const MOST = 10_000
const TRIES = 20

/** From now on games may have texts with patterns. */
export function readPatterns(): void {
  usePatterns(patternOf)
}

/** Throws for what is no pattern of RE2. */
function patternOf(text: string): Pattern {
  const compiled = RE2JS.compile(text)
  const { inst, start } = (compiled.re2Input as { prog: { inst: readonly Instruction[]; start: number } }).prog
  if (inst.length > MOST) throw new Error('it is too large')
  let far: readonly number[] | undefined
  return {
    matches: (subject) => compiled.matches(subject),
    draw: (max, below) => {
      far ??= distances(inst)
      for (let n = 0; n < TRIES; n++) {
        const drawn = walk(inst, start, far, { max, below })
        if (drawn !== undefined && compiled.matches(drawn)) return drawn
      }
      return undefined
    },
  }
}

/** By instruction the fewest characters from it to a match. */
function distances(inst: readonly Instruction[]): readonly number[] {
  const far = inst.map(({ op }) => (op === MATCH ? 0 : Infinity))
  for (let changed = true; changed;) {
    changed = false
    for (let i = inst.length - 1; i >= 0; i--) {
      const instruction = inst[i] as Instruction
      const own = Number(takesOne(instruction)) + Math.min(...waysFrom(instruction).map((way) => far[way] as number))
      if (own >= (far[i] as number)) continue
      far[i] = own
      changed = true
    }
  }
  return far
}

/** Whether it takes a character. */
const takesOne = ({ op }: Instruction): boolean => op >= RUNE && op <= ANY_NOT_NL
const isChoice = ({ op }: Instruction): boolean => op === ALT || op === ALT_MATCH
/** Where it leads to; of a failure, which leads nowhere, to another one. */
const waysFrom = (instruction: Instruction): readonly number[] =>
  isChoice(instruction) ? [instruction.out, instruction.arg] : [instruction.out]

function walk(
  inst: readonly Instruction[],
  start: number,
  far: readonly number[],
  { max, below }: { readonly max: number; readonly below: Below },
): string | undefined {
  let text = ''
  let left = max
  // An empty loop adds nothing, and is left sooner or later.
  for (let at = start, steps = 0; steps < 100 * (max + inst.length); steps++) {
    const instruction = inst[at] as Instruction
    const { op, out, runes } = instruction
    if ((far[at] as number) > left) return undefined
    if (op === MATCH) return text
    if (isChoice(instruction)) {
      const ways = waysFrom(instruction).filter((way) => (far[way] as number) <= left)
      at = ways[below(ways.length)] as number
      continue
    }
    if (takesOne(instruction)) {
      text += String.fromCodePoint(op === RUNE1 ? (runes[0] as number) : runeOf(op === RUNE ? runes : PRINTED, below))
      left--
    }
    at = out
  }
  return undefined
}

/** What people write. */
const PRINTED = [0x20, 0x7e] as const

/** A character of these ranges; of those that go beyond what people write mostly one that they do. */
function runeOf(runes: ArrayLike<number>, below: Below): number {
  if (runes.length === 1) return runes[0] as number
  const ranges: (readonly [from: number, to: number])[] = []
  for (let i = 0; i < runes.length; i += 2) ranges.push([runes[i] as number, runes[i + 1] as number])
  const [least, most] = PRINTED
  const printed = ranges.filter(([from, to]) => to >= least && from <= most)
  const of = printed.length > 0 ? printed.map(([from, to]) => [Math.max(from, least), Math.min(to, most)]) : ranges
  let n = below(of.reduce((sum, [from = 0, to = 0]) => sum + to - from + 1, 0))
  for (const [from = 0, to = 0] of of) {
    if (n <= to - from) return from + n
    n -= to - from + 1
  }
  return least
}
