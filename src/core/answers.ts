import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { MatchRecord, Step } from './record.js'
import type { BotOutput } from './wire.js'

/** Below 2⁵², from all answers of a match: equal for equal entrants in equal seats means the same game. */
export function answersDigest({ ready, steps }: Pick<MatchRecord, 'ready' | 'steps'>): number {
  // By hand: JSON takes twice as long, and every match needs it.
  let text = textOf(ready)
  for (const step of steps) text += textOf(step)
  return Number.parseInt(bytesToHex(sha256(utf8ToBytes(text))).slice(0, 13), 16)
}

/** A text of this step alone: each answer with seat and length. */
function textOf(step: Step): string {
  let text = `${step.length};`
  for (const [seat, output] of step) {
    const answer = typeof output === 'string' ? output : partsOf(output)
    text += `${seat}${typeof output === 'string' ? ' ' : ':'}${answer.length} ${answer}`
  }
  return text
}

/** An answer's parts in one order, without words for people. */
function partsOf(output: BotOutput): string {
  const parts = Object.entries(output).filter(([name, value]) => name !== 'why' && value !== undefined)
  return JSON.stringify(parts.sort(([a], [b]) => (a < b ? -1 : 1)))
}
