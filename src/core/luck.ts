import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Luck } from './game.js'

/** Chance as a value: each draw is a SHA-256 of seed and draw number, replays anywhere, and tells of no other draw. */
export function newLuck(seed: string): Luck {
  return { seed, at: 0 }
}

/** A draw from a tape at its end: what it may give, with probabilities. A solver goes through all. */
export class TapeEnd extends RangeError {
  constructor(
    readonly at: number,
    readonly outcomes: readonly (readonly [item: string | number, p: number])[],
  ) {
    super(`the tape tells undefined at ${at}, but the choice is ${JSON.stringify(outcomes.map(([item]) => item))}`)
    this.name = 'RangeError'
  }
}

/** Tells it from other errors, also if a game's own copy of agon threw it. */
export function isTapeEnd(error: unknown): error is TapeEnd {
  return error instanceof RangeError && 'outcomes' in error && 'at' in error
}

/** An item, equally likely (by rejection), and the luck left. RangeError: no items, or a tape at its end or unfit. */
export function pick<T extends string | number>(luck: Luck, items: readonly T[]): readonly [T, Luck] {
  if (items.length === 0) throw new RangeError('nothing to pick from')
  const taped = tapeOf(luck, items, () => sharesOf(items))
  return [taped ?? (items[below(items.length, `${luck.seed}/${luck.at}`)] as T), { ...luck, at: luck.at + 1 }]
}

/** What the tape tells of these items; undefined: no tape. */
function tapeOf<T extends string | number>(
  { tape, at }: Luck,
  items: readonly T[],
  shares: () => TapeEnd['outcomes'],
): T | undefined {
  if (tape === undefined) return undefined
  if (at >= tape.length) throw new TapeEnd(at, shares())
  const taped = items.find((item) => item === tape[at])
  if (taped !== undefined) return taped
  throw new RangeError(
    `the tape tells ${JSON.stringify(tape[at])} at ${at}, but the choice is ${JSON.stringify(items)}`,
  )
}

/** Each item once, with its share. */
function sharesOf(items: readonly (string | number)[]): (readonly [string | number, number])[] {
  const counts = new Map<string | number, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return [...counts].map(([item, n]) => [item, n / items.length])
}

/** Whether chance `p` comes true (tape: 1 or 0), and the luck left. RangeError: `p` not in [0, 1], or as `pick`. */
export function chance(luck: Luck, p: number): readonly [boolean, Luck] {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a probability lies between 0 and 1: ${p} does not`)
  const shares = [[1, p] as const, [0, 1 - p] as const].filter(([, share]) => share > 0)
  const taped = tapeOf(luck, [1, 0], () => shares)
  const happens = taped === undefined ? below(2 ** 32, `${luck.seed}/${luck.at}`) < p * 2 ** 32 : taped === 1
  return [happens, { ...luck, at: luck.at + 1 }]
}

/** All items in random order (Fisher and Yates: a pick for each but the last). */
export function shuffle<T extends string | number>(luck: Luck, items: readonly T[]): readonly [readonly T[], Luck] {
  const rest = [...items]
  const order: T[] = []
  let left = luck
  while (rest.length > 1) {
    const [item, after] = pick(left, rest)
    rest.splice(rest.indexOf(item), 1)
    order.push(item)
    left = after
  }
  return [[...order, ...rest], left]
}

/** An empty hash and a reused one: a schedule of a thousand entrants draws a million lots. */
const [NOTHING, HASH] = [sha256.create(), sha256.create()]
const DIGEST = new Uint8Array(32)
const WORDS = new DataView(DIGEST.buffer)
const SHORT = new Uint8Array(256)

/** The SHA-256 of a text, until the next one is asked for. */
function digestOf(text: string): Uint8Array {
  // The only way to reset one without a new object.
  // oxlint-disable-next-line no-underscore-dangle
  NOTHING._cloneInto(HASH)
  HASH.update(bytesOf(text))
  HASH.digestInto(DIGEST)
  return DIGEST
}

/** UTF-8 of a text; a short ASCII one's bytes last until the next call. */
function bytesOf(text: string): Uint8Array {
  if (text.length > SHORT.length) return utf8ToBytes(text)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f) return utf8ToBytes(text)
    SHORT[i] = code
  }
  return SHORT.subarray(0, text.length)
}

/** 128 bits in hexadecimal, one way, from any texts: the parts cannot run into each other. */
export function derive(...parts: readonly (string | number)[]): string {
  return bytesToHex(digestOf(JSON.stringify(parts)).subarray(0, 16))
}

/** A uniform integer in [0, n) from a text. */
export function below(n: number, text: string): number {
  const limit = 2 ** 32 - (2 ** 32 % n)
  for (let round = 0; ; round++) {
    digestOf(`${text}/${round}`)
    for (let i = 0; i < 8; i++) {
      const word = WORDS.getUint32(4 * i)
      if (word < limit) return word % n
    }
  }
}

/** A match's luck, from *unordered* entrants and their deal's number: all orders of seats share it. */
export function matchLuck(seed: string, game: string, entrants: readonly string[], deal: number): Luck {
  return newLuck(derive(...luckParts(seed, game, entrants, deal)))
}

/** What the seed of a match's luck is derived from. */
export const luckParts = (
  seed: string,
  game: string,
  entrants: readonly string[],
  deal: number,
): readonly (string | number)[] => ['luck', seed, game, ...[...entrants].sort(), deal]

/** An entrant's name for `matchLuck`: a later version's author may know what the first was dealt, so deals are new. */
export const luckName = ({ name, version = 1 }: { readonly name: string; readonly version?: number }): string =>
  version === 1 ? name : `${name}\n${version}`

/**
 * A bot's AGON_SEED, below 2³¹. `life`: the key of its match, series or tournament; `question`: of a process per turn.
 */
export function botSeed(seed: string, entrant: string, life: string, question?: number): number {
  return below(2 ** 31, derive('bot', seed, entrant, life, question ?? -1))
}
