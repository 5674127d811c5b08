import { expect, it } from 'vitest'
import { type Twins, twinsText } from './twins.js'

const pair = (a: number, b: number, adjusted: number): Twins['pairs'][number] => ({
  pair: [a, b],
  views: 40,
  agreement: 0.95,
  expected: 0.5,
  p: adjusted / 10,
  adjusted,
})
const of = (names: string[], pairs: Twins['pairs']): string =>
  twinsText({ title: 'Friday', names, matches: 3, views: 120, pairs })

it('lists pairs with their figures, and says how many are more alike than chance', () => {
  expect(of(['Ant', 'Bee', 'Cat'], [pair(0, 2, 0.0004), pair(0, 1, 0.2), pair(1, 2, 1)]).split('\n')).toEqual([
    'Friday: 120 views of 3 matches, answered by 3 bots',
    '',
    'Pair      Views  Agree  Expected        p',
    '--------  -----  -----  --------  -------',
    'Ant, Cat     40   95 %      50 %  < 0.001',
    'Ant, Bee     40   95 %      50 %    0.200',
    'Bee, Cat     40   95 %      50 %    1.000',
    '',
    'One pair behaves more alike than chance would have it. So do bots that were written apart and share a wrong answer: where the weakest of eight did, half of the fields had such a pair. It is a reason to look, and no proof of anything.',
  ])
})

it('says that none are, from a probability of 0.05 on', () => {
  expect(of(['Ant', 'Bee'], [pair(0, 1, 0.05)])).toContain('No two behave more alike than chance would have it.')
})

it('lists five pairs, and all that are alike where these are more', () => {
  const names = ['A', 'B', 'C', 'D', 'E']
  const all = names.flatMap((_, a) => names.flatMap((__, b) => (a < b ? [[a, b] as const] : [])))
  const rows = (alike: number): number =>
    of(
      names,
      all.map(([a, b], i) => pair(a, b, i < alike ? 0.01 : 0.9)),
    ).match(/^\w, \w/gm)?.length ?? 0
  expect([rows(0), rows(3), rows(7)]).toEqual([5, 5, 7])
})
