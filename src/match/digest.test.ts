import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type MatchRecord, type Step, canonical } from '../core/index.js'
import { courseOf } from './digest.js'

const output = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.record({ exit: fc.nat(255), out: fc.string(), why: fc.string() }, { requiredKeys: [] }),
)
const step: fc.Arbitrary<Step> = fc.array(fc.tuple(fc.nat(5), output), { maxLength: 4 })
const ready = fc.array(fc.tuple(fc.nat(5), fc.record({ out: fc.string(), why: fc.string() })), { maxLength: 2 })

test('the course of a match is the hash of all that was answered, but for the words for people', () => {
  fc.assert(
    fc.property(ready, fc.array(step, { maxLength: 5 }), (answers, steps) => {
      const bare = (part: unknown): unknown =>
        typeof part === 'object' && part !== null ? { ...part, why: undefined } : part
      const outputs = [answers, ...steps].map((each) => each.map(([seat, said]) => [seat, bare(said)]))
      const hash = createHash('sha256').update(canonical(outputs)).digest('hex').slice(0, 32)
      expect(courseOf({ ready: answers, steps } as unknown as MatchRecord)).toBe(hash)
    }),
  )
})
