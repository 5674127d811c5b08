import { expect, it } from 'vitest'
import type { UnderWay } from '../../engine/index.js'
import { RunsInProgress } from './progress.js'

const pairing = (n: number) => ({ key: `1/Ant-Bee/${n}`, seats: [0, 1], deal: n })
const underWay = (...sizes: readonly number[]): UnderWay => ({
  jobs: () =>
    sizes.map((size, n) => ({
      job: { key: `1/Ant-Bee/${n}`, pairings: Array.from({ length: size }, (_, at) => pairing(at)) },
      began: 0,
    })),
  counts: () => false,
  played: async () => 0,
  look: async () => undefined,
})

it('says which series are being played, and nothing of matches that stand alone or of a contest that is not played', () => {
  const progress = new RunsInProgress()
  expect(progress.beside('c')).toEqual({})
  progress.begin('c', underWay(1, 1))
  expect(progress.beside('c')).toEqual({})
  progress.begin('c', underWay(20, 1, 10))
  expect(progress.beside('c')).toEqual({ series: { playing: 2, matches: 30 } })
  progress.end('c')
  expect(progress.beside('c')).toEqual({})
})

it('says until when a ladder waits, to the second', () => {
  const progress = new RunsInProgress()
  const pace: { hourly: number; until: number | undefined } = { hourly: 60, until: 1_000_400 }
  progress.pace('c', pace)
  expect(progress.beside('c')).toEqual({ budget: { hourly: 60, until: '1970-01-01T00:16:40.000Z' } })
  pace.until = undefined
  expect(progress.beside('c')).toEqual({})
})

it('says of what is played here whether others are still to be dealt the luck of a match, and of nothing else', () => {
  const [first, second, third] = [1, 2, 3].map((n) => ({ key: `1/Ant-Bee/${n}`, seats: [0, 1], deal: n >> 1 }))
  if (first === undefined || second === undefined || third === undefined) throw new Error('three')
  const counting = new Set([first.key])
  const progress = new RunsInProgress()
  const round = { label: 'round 1', series: [{ key: '1/Ant-Bee', pairings: [first, second, third] }] }
  expect(progress.isDealDue('c', first.key)).toBeUndefined()
  progress.begin('c', { ...underWay(), counts: (key) => counting.has(key) })
  expect(progress.isDealDue('c', first.key)).toBeUndefined()
  progress.plan('c', 3, round)
  const count = (one: typeof first): void => {
    counting.add(one.key)
    progress.counted('c', one, one.deal, false)
  }
  const due = () => [first, second, third].map(({ key }) => progress.isDealDue('c', key))
  expect(due()).toEqual([false, undefined, undefined])
  count(third)
  expect(due()).toEqual([false, undefined, true])
  count(second)
  expect(due()).toEqual([false, false, false])
  progress.end('c')
  expect(due()).toEqual([undefined, undefined, undefined])
})
