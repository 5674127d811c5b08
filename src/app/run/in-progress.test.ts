import { expect, it } from 'vitest'
import type { UnderWay } from '../../engine/index.js'
import { RunsInProgress } from './in-progress.js'

const pairing = (n: number) => ({ key: `1/Ant-Bee/${n}`, seats: [0, 1], deal: n })
const underWay = (...sizes: readonly number[]): UnderWay => ({
  jobs: () =>
    sizes.map((size, n) => ({
      job: {
        key: size > 1 ? `${n}/Ant-Bee` : `${n}/Ant-Bee/0`,
        pairings: Array.from({ length: size }, (_, at) => pairing(at)),
      },
      began: 0,
    })),
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
  progress.begin('c', underWay(), pace)
  expect(progress.beside('c')).toEqual({ budget: { hourly: 60, until: '1970-01-01T00:16:40.000Z' } })
  pace.until = undefined
  expect(progress.beside('c')).toEqual({})
})
