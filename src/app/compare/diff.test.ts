import { expect, it } from 'vitest'
import { type Compared, diffText } from './diff.js'

const of = (more: Partial<Compared>): Compared => ({
  contest: 'Friday',
  old: 'Ant',
  new: 'sh ant.sh',
  matches: 3,
  moves: 12,
  differing: [],
  ...more,
})
const differing = (n: number): Compared['differing'] =>
  Array.from({ length: n }, (_, i) => ({ match: `1/Ant-Bee/${i + 1}`, turn: i, was: 'B', is: '! crash' }))

it('says that all moves are the same, or the only one', () => {
  expect(diffText(of({}), '--json')).toBe('Friday: sh ant.sh in the place of Ant, 3 matches: all 12 moves the same')
  expect(diffText(of({ matches: 1, moves: 1 }), '--json')).toBe(
    'Friday: sh ant.sh in the place of Ant, 1 match: the only move the same',
  )
})

it('lists the first move of each match that differs', () => {
  expect(diffText(of({ differing: differing(2) }), '--json').split('\n')).toEqual([
    'Friday: sh ant.sh in the place of Ant, 3 matches: another move in 2 of them, the first of each:',
    '  1/Ant-Bee/1, turn 0: was B, is ! crash',
    '  1/Ant-Bee/2, turn 1: was B, is ! crash',
  ])
})

it('lists twenty matches, and says how the others are listed', () => {
  const lines = diffText(of({ differing: differing(23) }), '--json').split('\n')
  expect(lines).toHaveLength(22)
  expect(lines.at(-1)).toBe('  and 3 more: --json lists all')
})

it('shows a stranger’s control characters as text', () => {
  const text = diffText(
    of({ new: 'a\u001b[2Jb', differing: differing(1).map((move) => ({ ...move, is: '\u0007' })) }),
    '--json',
  )
  expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f]/)
})
