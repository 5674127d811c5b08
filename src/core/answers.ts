import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { MatchRecord, Step } from './record.js'
import type { BotOutput } from './wire.js'

/** Below 2⁵², from all answers of a match: the same entrants in the same seats with the same digest played the same game. */
export function answersDigest({ ready, steps }: Pick<MatchRecord, 'ready' | 'steps'>): number {
  // By hand: as JSON it would take twice as long, and it is done for every match.
  let text = textOf(ready)
  for (const step of steps) text += textOf(step)
  return Number.parseInt(bytesToHex(sha256(utf8ToBytes(text))).slice(0, 13), 16)
}

/** A text that no other step has: each answer with its seat and its length. */
function textOf(step: Step): string {
  let text = `${step.length};`
  for (const [seat, output] of step) {
    const answer = typeof output === 'string' ? output : partsOf(output)
    text += `${seat}${typeof output === 'string' ? ' ' : ':'}${answer.length} ${answer}`
  }
  return text
}

/** The parts of an answer in one order, without the words for people. */
function partsOf(output: BotOutput): string {
  const parts = Object.entries(output).filter(([name, value]) => name !== 'why' && value !== undefined)
  return JSON.stringify(parts.sort(([a], [b]) => (a < b ? -1 : 1)))
}
