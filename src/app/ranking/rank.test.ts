import { beforeAll, describe, expect, it } from 'vitest'
import { StoredRun } from '../../../test/kit/stored-run.js'
import { rankDocument } from './rank-document.js'
import { rankFile, rankRun } from './rank.js'
import { RULES } from './rules.js'

describe('ranking', () => {
  const place = new StoredRun()
  const ref = { contest: place.contest }
  beforeAll(() => place.play())

  it('ranks a stored run by each rule that is asked for, with the points of its own table', async () => {
    const ranked = await rankRun(ref, ['elo', 'points'], place.context)
    expect(ranked).toMatchObject({ title: 'Small', matches: 3, distinct: 3, points: [2, 0.5, 0.5], cycles: [] })
    expect(ranked.rankings.map(({ by, lines }) => [by, lines[0]?.entrant])).toEqual([
      ['elo', 0],
      ['points', 0],
    ])
    expect(ranked.crown).toEqual([{ name: 'Strike', by: ['elo', 'points'] }])
    expect(rankDocument(ranked)).toMatchObject({
      confidence: 0.95,
      rules: [{ by: 'elo' }, { by: 'points', standings: [{ rank: 1, name: 'Strike', points: 2 }, {}, {}] }],
      crown: ranked.crown,
    })
  })

  it('ranks a file of games by all rules where none is named, and finds its cycle', async () => {
    const beats = (a: string, b: string) => Array.from({ length: 9 }, () => `${a},${b},1\n`).join('')
    const file = place.write('rps.csv', `first,second,score\n${beats('R', 'S')}${beats('S', 'P')}${beats('P', 'R')}`)
    const { rankings, cycles, points } = await rankFile(file, [])
    expect(rankings.map(({ by }) => by)).toEqual([...RULES])
    expect(cycles.map(({ members }) => members)).toEqual([['R', 'S', 'P']])
    expect(points).toBeUndefined()
  })

  it('refuses a file that is not there, and ends between two rules', async () => {
    await expect(rankFile(place.path('none.csv'), [])).rejects.toThrow('no such file')
    await expect(rankRun(ref, ['points'], place.aborted)).rejects.toThrow('not wanted')
    const stop = new AbortController()
    const ended = rankRun(ref, [...RULES], { ...place.context, signal: stop.signal })
    setImmediate(() => stop.abort(new Error('enough')))
    await expect(ended).rejects.toThrow('enough')
  })
})
