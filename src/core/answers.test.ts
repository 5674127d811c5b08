import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type MatchRecord, type Step, answersDigest, canonical } from './index.js'

const text = fc.string({ unit: fc.constantFrom('a', '1', ' ', ';', ':', '"'), maxLength: 3 })
const output = fc.oneof(
  text,
  fc.record({ exit: fc.nat(2), out: text, why: fc.constantFrom('late', 'x') }, { requiredKeys: [] }),
)
const step: fc.Arbitrary<Step> = fc.array(fc.tuple(fc.nat(2), output), { maxLength: 2 })
const ready = fc.array(fc.tuple(fc.nat(2), fc.record({ out: text })), { maxLength: 2 })
const answers = fc.record({ ready, steps: fc.array(step, { maxLength: 2 }) })
type Answers = Pick<MatchRecord, 'ready' | 'steps'>

/** What was answered, without the words for people. */
const told = (match: Answers): string =>
  canonical(JSON.parse(JSON.stringify(match, (name, value: unknown) => (name === 'why' ? undefined : value))))

it('matches have the same digest if and only if the same was answered in them, whatever the words for people', () => {
  fc.assert(
    fc.property(answers, answers, fc.constantFrom('late', 'later'), (one, other, why) => {
      expect(answersDigest(one) === answersDigest(other)).toBe(told(one) === told(other))
      const reworded = one.steps.map((each) =>
        each.map(([seat, said]) => [seat, typeof said === 'string' ? said : { ...said, why }] as const),
      )
      expect(answersDigest({ ready: one.ready, steps: reworded })).toBe(answersDigest(one))
    }),
    { numRuns: 2000 },
  )
  const twoTexts = (...texts: string[]): Answers => ({ ready: [], steps: [texts.map((each, seat) => [seat, each])] })
  expect(answersDigest(twoTexts('a', '1 b'))).not.toBe(answersDigest(twoTexts('a1 ', 'b')))
})

it('a digest stays the number that stores hold', () => {
  const match: Answers = {
    ready: [[0, { out: 'READY' }]],
    steps: [
      [
        [0, 'B'],
        [1, { exit: 1, why: 'late' }],
      ],
    ],
  }
  expect(answersDigest(match)).toBe(180855537355688)
})

it('a digest is a whole number below 2^52', () => {
  for (let n = 0; n < 50; n++) {
    const digest = answersDigest({ ready: [], steps: [[[0, String(n)]]] })
    expect(Number.isSafeInteger(digest) && digest >= 0 && digest < 2 ** 52).toBe(true)
  }
})
