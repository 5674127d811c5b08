import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinCommand, commandWords, splitCommand } from './words.js'

test.each([
  ['python3 bot.py', ['python3', 'bot.py']],
  ["  sh -c 'exit 0'  ", ['sh', '-c', 'exit 0']],
  [`a"b c"d 'e"f' "g'h"`, ['ab cd', 'e"f', "g'h"]],
  ['a\\ b "c\\"d\\\\e\\n" \'f\\\'', ['a b', 'c"d\\e\\n', 'f\\']],
  ['echo $HOME *.py ~ `x`', ['echo', '$HOME', '*.py', '~', '`x`']],
  ["x '' y", ['x', '', 'y']],
  ['', []],
])('%s', (text, words) => {
  expect(splitCommand(text)).toEqual(words)
})

test('an unclosed quote is reported', () => {
  expect(() => splitCommand("sh -c 'exit")).toThrowErrorMatchingInlineSnapshot(
    `[RangeError: the quote ' is never closed in "sh -c 'exit"]`,
  )
  expect(() => splitCommand('sh \\')).toThrowErrorMatchingInlineSnapshot(
    `[RangeError: nothing follows the last backslash of "sh \\\\"]`,
  )
})

test('what is joined splits into the same words', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (words) => {
      expect(splitCommand(joinCommand(words))).toEqual(words)
    }),
  )
})

test.each([
  ['sh a.sh 2>/dev/null', '2>/dev/null'],
  ['sh a.sh > log', '>'],
  ['sh a.sh 2>&1', '2>&1'],
  ['cat x | sh', '|'],
  ['make && ./bot', '&&'],
  ['./bot < input', '<'],
  ["sh -c 'a | b > c'", undefined],
  ['python3 a.py "a > b"', undefined],
  ['./bot a\\>b --more=3 a&b', undefined],
])('%s is not all for a program: %s', (text, sign) => {
  if (sign === undefined) expect(commandWords(text)).not.toEqual([])
  else expect(() => commandWords(text)).toThrow(`${JSON.stringify(sign)} in ${JSON.stringify(text)} is for a shell`)
})
