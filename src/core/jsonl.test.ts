import { expect, test } from 'vitest'
import gunduel from '../games/gunduel/index.js'
import { jsonlWire } from './jsonl.js'

const wire = jsonlWire(gunduel.game, gunduel.game.options)

test('an answer may say which question it is of', () => {
  const numbers = ['{"action":"0","n":12}', '{"action":"0"}', '{"n":"12"}', '{"n":null}', '"n"', '[{"n":1}]', 'n "n"']
  expect(numbers.map((line) => wire.numberOf?.(line))).toEqual([12, ...Array<undefined>(6).fill(undefined)])
})
