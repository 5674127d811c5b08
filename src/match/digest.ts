import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type MatchRecord, type Result, type Step, canonical, withoutAsides } from '../core/index.js'
import type { Judged } from './judge.js'

/**
 * The digest of one judged match, in hexadecimal: everything but its times, what bots printed of themselves and were given as parameters, and the words for people
 * beside a fault, which may name a path.
 */
export function digestOf(record: MatchRecord, judged: Judged): string {
  const ready = record.ready.map(([seat, output]) => [seat, withoutWhy(output)])
  const steps = record.steps.map((step) => step.map(([seat, output]) => [seat, withoutWhy(output)]))
  const moves = judged.moves.map((step) => step.map(withoutWhy))
  return hash(canonical({ ...withoutAsides(record), ready, steps, moves, outcome: judged.outcome }))
}

/**
 * The course of a match: a digest of all that was answered in it, whichever bot had which seat. Matches of the same entrants in the same
 * seats with the same course are the same game again.
 */
export function courseOf({ ready, steps }: MatchRecord): string {
  // As `canonical`, by hand: it takes a third of the time, and is done for every match.
  let text = `[${stepText(ready)}`
  for (const step of steps) text += `,${stepText(step)}`
  return hash(`${text}]`).slice(0, 32)
}

function stepText(step: Step): string {
  let text = '['
  for (const [seat, output] of step) {
    const answer = typeof output === 'string' ? JSON.stringify(output) : canonical(withoutWhy(output))
    text += `${text === '[' ? '' : ','}[${seat},${answer}]`
  }
  return `${text}]`
}

/** What a record shows of its match beside how it ended: its course and its length. */
export const factsOf = (record: MatchRecord): Required<Pick<Result, 'course' | 'turns'>> => ({
  course: courseOf(record),
  turns: record.steps.length,
})

/** `undefined` is left out of canonical text. */
const withoutWhy = (part: object | string | null): unknown =>
  typeof part === 'object' && part !== null ? { ...part, why: undefined } : part

/** The digest of many, whatever their order. */
export function digestOfAll(digests: readonly string[]): string {
  return hash([...digests].sort().join('\n'))
}

const hash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))
