import { shortSeed } from './notes.js'
import { secretSeed } from './find.js'
import { expect, it } from 'vitest'

const [ours, strangers] = [{ house: true }, { house: false }]

it("a short seed is reported where a stranger's bot plays, and in no other case", () => {
  expect(shortSeed('7', [ours, strangers])).toContain('the seed "7" is short')
  expect(shortSeed('123456789012345', [strangers])).toContain('16 characters or more')
  expect(shortSeed('1234567890123456', [strangers])).toBeUndefined()
  expect(shortSeed(secretSeed(), [strangers])).toBeUndefined()
  expect(shortSeed('7', [ours, ours])).toBeUndefined()
})
