import { expect, it } from 'vitest'
import { exchangeLines } from './exchange.js'

const view = { turn: 0 }
const took = (wallUs: number, output: { out?: string } = { out: 'B' }) => ({ output, wallUs })

it('tells all that a program was sent, and what came of it, a line for each part', () => {
  const inputs = [{ lines: ['new match'] }, { argv: ['--turn', '1 2'], file: 'board\n' }]
  const output = { out: 'B', exit: 3, file: 'my notes', trouble: 'timeout', why: 'did not end' } as const
  expect(exchangeLines({ inputs, view, answer: { output, wallUs: 12_345 } })).toEqual([
    'sent line:      new match',
    'sent arguments: "--turn" "1 2"',
    'sent file:      "board\\n"',
    'answered:       "B", exit code 3',
    'left file:      "my notes"',
    'trouble:        timeout: did not end',
    'took:           12.3 ms',
  ])
})

it('tells the view of a module, which is sent nothing else', () => {
  expect(exchangeLines({ inputs: [{}], view, answer: took(40) })).toEqual([
    'sent view:      {"turn":0}',
    'answered:       "B"',
    'took:           0.0 ms',
  ])
})

it('distinguishes no answer from an empty one, and tells trouble of which no more is known', () => {
  const answered = (output: object) => exchangeLines({ inputs: [{}], view, answer: took(0, output) }).slice(1, -1)
  expect(answered({})).toEqual(['answered:       (nothing)'])
  expect(answered({ out: '' })).toEqual(['answered:       ""'])
  expect(answered({ trouble: 'crash' })).toEqual(['answered:       (nothing)', 'trouble:        crash'])
})

it('cuts long parts off, and lets none of them write to a terminal', () => {
  const evil = '\u009b31m\u202e'
  const long = evil + 'x'.repeat(500)
  const output = { out: long, file: long, trouble: 'crash', why: evil } as const
  const sent = [{ lines: [long], argv: [long], file: long }]
  const lines = [
    ...exchangeLines({ inputs: sent, view, answer: { output, wallUs: 0 } }),
    ...exchangeLines({ inputs: [{}], view: { long }, answer: { output, wallUs: 0 } }),
  ]
  expect(lines).toHaveLength(12)
  for (const line of lines) {
    expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
    expect(line.length, line).toBeLessThan(16 + 300 + 40)
  }
  expect(lines.filter((line) => line.includes('…'))).toHaveLength(8)
})
