import { expect, it } from 'vitest'
import { StderrTail } from '../sandbox/index.js'
import { FigureLog } from './figure-log.js'

const log = (...chunks: readonly string[]) => {
  const tail = new StderrTail()
  const figures = new FigureLog(tail)
  for (const chunk of chunks) figures.add(Buffer.from(chunk, 'latin1'))
  return { tail, figures }
}
const printed = (...chunks: readonly string[]) => log(...chunks).figures.figures()

it('reads lines of the form agon:name=value, however they are torn, and passes everything on', () => {
  const text = 'thinking\nagon:eval=-0.25\r\nagon:depth.max=12  \nagon:nodes=1e3\n'
  const expected = [
    [0, 'eval', -0.25],
    [0, 'depth.max', 12],
    [0, 'nodes', 1000],
  ]
  expect(printed(text)).toEqual(expected)
  const torn = log(...text.split(''))
  expect(torn.figures.figures()).toEqual(expected)
  expect(torn.tail.read()).toBe(text)
})

it.each([
  'agon:=1',
  'agon:1st=1',
  'agon:__proto__=1',
  'agon:a b=1',
  'agon:a=',
  'agon:a=1 of 2',
  'agon:a=NaN',
  'agon:a=Infinity',
  'agon:a=1e999',
  'agon:a=0x10',
  ' agon:a=1',
  'so agon:a=1',
  'Agon:a=1',
  `agon:${'a'.repeat(33)}=1`,
  `agon:a=1${' '.repeat(200)}`,
  `${'x'.repeat(200)}agon:a=1`,
])('takes %j for no figure', (line) => {
  expect(printed(`${line}\n`)).toEqual([])
  expect(printed(...line.split(''), '\n')).toEqual([])
})

it('gives them to the question that was asked last, and keeps the last of a name', () => {
  const { figures } = log('agon:a=1\n')
  figures.asked(3)
  figures.add(Buffer.from('agon:a=2\nagon:b=3\nagon:a=4\n'))
  expect(figures.figures()).toEqual([
    [0, 'a', 1],
    [3, 'a', 4],
    [3, 'b', 3],
  ])
  figures.begin()
  expect(figures.figures()).toEqual([])
})

it('takes a last line without its end where the process has ended', () => {
  const { figures } = log('agon:a=1')
  expect(figures.figures()).toEqual([])
  figures.flush()
  figures.flush()
  expect(figures.figures()).toEqual([[0, 'a', 1]])
})

it('keeps 8 names and 8,000 figures a match', () => {
  const { figures } = log()
  for (let question = 0; question < 1100; question++) {
    figures.asked(question)
    figures.add(Buffer.from(Array.from({ length: 12 }, (_, i) => `agon:n${i}=${question}\n`).join('')))
  }
  const kept = figures.figures()
  expect(new Set(kept.map(([, name]) => name))).toEqual(new Set(Array.from({ length: 8 }, (_, i) => `n${i}`)))
  expect(kept).toHaveLength(8000)
  figures.begin()
  figures.add(Buffer.from('agon:other=1\n'))
  expect(figures.figures()).toEqual([[0, 'other', 1]])
})
