import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type MatchRecord, type Result, answersDigest, canonical, withoutAsides } from '../core/index.js'
import type { Judged } from './judge.js'

/**
 * A judged match's digest, in hexadecimal: all but times, bots' figures and parameters, and a fault's words, which may name a path.
 */
export function digestOf(record: MatchRecord, judged: Judged): string {
  const ready = record.ready.map(([seat, output]) => [seat, withoutWhy(output)])
  const steps = record.steps.map((step) => step.map(([seat, output]) => [seat, withoutWhy(output)]))
  const moves = judged.moves.map((step) => step.map(withoutWhy))
  return hash(canonical({ ...withoutAsides(record), ready, steps, moves, outcome: judged.outcome }))
}

/** What a record shows of its match beside its end: course and length. */
export const factsOf = (record: MatchRecord): Required<Pick<Result, 'course' | 'turns'>> => ({
  course: String(answersDigest(record)),
  turns: record.steps.length,
})

/** `undefined` is left out of canonical text. */
const withoutWhy = (part: object | string | null): unknown =>
  typeof part === 'object' && part !== null ? { ...part, why: undefined } : part

/** The digest of many, in any order. */
export function digestOfAll(digests: readonly string[]): string {
  return hash([...digests].sort().join('\n'))
}

const hash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))
