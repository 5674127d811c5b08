import { describe, expect, it } from 'vitest'
import { FairShares } from './fair-shares.js'

/** Plays batches one after the other, each of the run that had the least time; returns how many of each. */
function play(turns: FairShares, lasts: Readonly<Record<string, number>>, batches: number): Record<string, number> {
  const runs = new Set(Object.keys(lasts))
  const played: Record<string, number> = {}
  for (let n = 0; n < batches; n++) {
    turns.see(runs, runs)
    const [next = ''] = [...runs].sort((a, b) => turns.spent(a) - turns.spent(b))
    turns.add(next, Object.entries(lasts).find(([run]) => run === next)?.[1] ?? 0)
    played[next] = (played[next] ?? 0) + 1
  }
  return played
}

describe('turns of runs on a worker', () => {
  it('are equal in time, not in batches', () => {
    // 10 batches of 30 s are as long as 150 of 2 s.
    expect(play(new FairShares(), { long: 30, short: 2 }, 160)).toEqual({ long: 10, short: 150 })
  })

  it('begin level for a run that comes later', () => {
    const turns = new FairShares()
    play(turns, { old: 1 }, 1000)
    expect(play(turns, { old: 1, late: 1 }, 10)).toEqual({ old: 5, late: 5 })
  })

  it('are not caught up by a run that had nothing to play', () => {
    const turns = new FairShares()
    play(turns, { one: 1, other: 1 }, 10)
    const there = new Set(['one', 'other'])
    for (let n = 0; n < 1000; n++) {
      turns.see(new Set(['one']), there)
      turns.add('one', 1)
    }
    expect(play(turns, { one: 1, other: 1 }, 10)).toEqual({ one: 5, other: 5 })
  })

  it('leave a run that never waits long with what it has used', () => {
    const turns = new FairShares()
    const there = new Set(['one', 'other'])
    turns.see(there, there)
    turns.add('one', 9)
    // It has no batch at this very moment, because it has just been taken.
    turns.see(new Set(['other']), there)
    expect([turns.spent('one'), turns.spent('other')]).toEqual([9, 0])
  })
})
