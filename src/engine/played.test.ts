import type { Job } from '../core/index.js'
import { describe, expect, it } from 'vitest'
import gunduel from '../games/gunduel/index.js'
import { played } from '../../test/kit/records.js'
import { playedOf } from './played.js'

describe('what was played', () => {
  const job: Job = { key: 'a', pairings: [{ key: 'a', seats: [3, 1], deal: 0 }] }
  const { record } = played('a', [3, 1], [1, 2])
  const game = { definition: gunduel }
  const faults = [{ seat: 0, turn: 2, fault: 'timeout' as const }]

  it('is judged again once: what was judged on its way is taken as it is, with its seats', () => {
    const judged = [{ record, faults }]
    expect(playedOf(game, job, { records: [record], judged })).toEqual([
      { record, faults, seats: [3, 1], playoff: false },
    ])
  })

  it('is judged again where its worker did not: a record that does not replay is refused', () => {
    expect(() => playedOf(game, job, { records: [record] })).toThrow('a match that was judged again went')
    expect(() => playedOf(game, job, { failure: 'fault', why: 'it broke' })).toThrow('it broke')
  })
})
