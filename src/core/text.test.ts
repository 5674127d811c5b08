import { describe, expect, test } from 'vitest'
import { tellingLine, visible, visibleJson, visibleLines } from './text.js'

describe('the line that tells most of a standard error', () => {
  test.each([
    ['Python', 'Traceback (most recent call last):\n  File "a.py"\nKeyError: 3\n', 'KeyError: 3'],
    [
      'Node.js',
      'a.js:1\n\nTypeError: x is not a function\n    at a\n\nNode.js v20.1.0\n',
      'TypeError: x is not a function',
    ],
    [
      'Java',
      'Exception in thread "main" java.lang.StackOverflowError\n\tat Bot.f(Bot.java:2)\n\tat Bot.f(Bot.java:2)\n',
      'Exception in thread "main" java.lang.StackOverflowError',
    ],
    [
      'Rust',
      "thread 'main' panicked at bot.rs:1:55:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1`\n",
      'index out of bounds',
    ],
    [
      'Perl',
      "Can't locate JSON/X.pm in @INC\nBEGIN failed--compilation aborted at a.pl line 1.\n",
      "Can't locate JSON/X.pm in @INC",
    ],
    ['Perl, which confesses', 'wombat at a.pl line 1.\n\tmain::f(0) called at a.pl line 2\n', 'wombat at a.pl line 1.'],
    ['a shell', 'a.sh: 1: jqq: not found\n', 'a.sh: 1: jqq: not found'],
    ['nothing else', 'Node.js v20.1.0\n', 'Node.js v20.1.0'],
    ['blanks', ' \n\n', undefined],
  ])('%s', (_, stderr, line) => {
    expect(tellingLine(stderr)).toBe(line)
  })
})

test('tabs of a text of several lines are blanks, and what could change a screen is written out', () => {
  expect(visibleLines('a\n\tat b\u001b[2J')).toBe('a\n    at b\\u{1b}[2J')
})

/** Escapes of both kinds, a lone C1 byte, and all characters that turn writing's direction. */
const ACTING = '\x1b[2J\x7f\x9b31m\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069'
const ACTS = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

test('what a stranger wrote changes no screen, neither as text nor as JSON', () => {
  expect(visible(ACTING)).not.toMatch(ACTS)
  expect(visible('\u061c')).toBe('\\u{61c}')
  const json = visibleJson({ [ACTING]: [ACTING] })
  expect(json).not.toMatch(ACTS)
  expect(JSON.parse(json)).toEqual({ [ACTING]: [ACTING] })
  expect(visibleJson({ a: 'é\u{1f600}' }, 2)).toBe('{\n  "a": "é\u{1f600}"\n}')
})
