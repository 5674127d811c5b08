import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { TestContest } from '../../../test/kit/stored-run.js'
import { rankDocument, rankFile, rankRun, rankText, RULES } from './rank.js'

describe('ranking', () => {
  const place = new TestContest()
  const last = new TestContest()
  const ref = { contest: place.contest }
  beforeAll(() => place.play())

  it('ranks a stored run by each rule that is asked for, with the points of its own table', async () => {
    const ranked = await rankRun(ref, { rules: ['elo', 'points'] }, place.context)
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

  it("begins with a last-standing contest's own order, whose first places are of the contest held again", async () => {
    last.write('small.toml', readFileSync(last.contest, 'utf8').replace('round-robin', 'last-standing'))
    await last.play()
    const all = await rankRun({ contest: last.contest }, { rules: [] }, last.context)
    expect(all.rankings[0]).toMatchObject({
      by: 'last-standing',
      again: true,
      lines: [{ rank: 1, entrant: 0 }, {}, {}],
    })
    const text = rankText(await rankRun({ contest: last.contest }, { rules: ['last-standing'] }, last.context), 80)
    expect(text).toMatch(/#  Name +Last standing +First +Ranks\n/)
    expect(text).toContain('how often the contest would come out so if the same entrants held it again')
    expect(text).not.toContain('interval')
    expect(rankDocument(all)).toMatchObject({ rules: [{ by: 'last-standing', again: true }, {}, {}, {}, {}, {}, {}] })
  })

  it('ranks a file of games by all rules where none is named, and finds its cycle', async () => {
    const beats = (a: string, b: string) => Array.from({ length: 9 }, () => `${a},${b},1\n`).join('')
    const file = place.write('rps.csv', `first,second,score\n${beats('R', 'S')}${beats('S', 'P')}${beats('P', 'R')}`)
    const { rankings, cycles, points } = await rankFile(file, { rules: [] })
    expect(rankings.map(({ by }) => by)).toEqual([...RULES])
    expect(cycles.map(({ members }) => members)).toEqual([['P', 'R', 'S']])
    expect(points).toBeUndefined()
  })

  it('ranks a large field by points, and says what is left out; other rules are refused by name', async () => {
    const games = Array.from({ length: 2400 }, (_, n) => {
      const [a, b] = [n % 1200, (n * 7 + 1 + (n >= 1200 ? 3 : 0)) % 1200]
      return a === b ? '' : `E${a},E${b},${a < b ? 1 : 0}\n`
    })
    const file = place.write('large.csv', `first,second,score\n${games.join('')}`)
    const ranked = await rankFile(file, { rules: [] })
    expect(ranked.rankings.map(({ by, lines }) => [by, lines.length])).toEqual([['points', 1200]])
    expect(rankText(ranked, 80)).toContain('Left out, as a field of 1200 is too large for them: elo, plackett-luce')
    expect(rankText(ranked, 80)).not.toContain('No cycle')
    await expect(rankFile(file, { rules: ['nash'] })).rejects.toThrow(
      /nash.*at most 1000 entrants, and here are 1200; use one of points/,
    )
  })

  it('finds a cycle in a field that strengths do not explain and none in one that they do, and intervals that hold all at once from others', async () => {
    const field = (wins: (i: number, j: number) => number) =>
      ['A', 'B', 'C', 'D'].flatMap((a, i, all) =>
        all.slice(i + 1).flatMap((b, k) => {
          const won = wins(i, i + 1 + k)
          return Array.from({ length: 20 }, (_, n) => `${a},${b},${n < won ? 1 : 0}`)
        }),
      )
    const write = (name: string, lines: readonly string[]) =>
      place.write(name, `first,second,score\n${lines.join('\n')}\n`)
    const ordered = write(
      'ordered.csv',
      field((i, j) => 10 + 2 * (j - i)),
    )
    const bent = write(
      'bent.csv',
      field((i, j) => (i === 0 && j === 3 ? 1 : 18)),
    )
    const good = await rankFile(ordered, { rules: ['elo'] })
    expect(good.cycles).toEqual([])
    const bad = await rankFile(bent, { rules: ['elo'] })
    expect(bad.cycles.length).toBeGreaterThan(0)
    const all = await rankFile(ordered, { rules: ['elo', 'points'], simultaneous: true })
    good.rankings[0]?.lines.forEach(({ low, high }, i) => {
      const wide = all.rankings[0]?.lines[i]
      // Šidák for four: 2.49 standard errors instead of 1.96.
      const wider = ((wide?.high ?? 0) - (wide?.low ?? 0)) / ((high ?? 0) - (low ?? 0))
      expect(Math.abs(wider - 2.49 / 1.96)).toBeLessThan(0.1)
    })
    const before = all.rankings.map((ranking) => ranking.before)
    for (const matrix of before) {
      expect(matrix?.[0]?.[3]).toBeGreaterThan(0.99)
      expect((matrix?.[0]?.[3] ?? 0) + (matrix?.[3]?.[0] ?? 0)).toBeCloseTo(1, 9)
    }
    expect(rankText(good, 30)).toMatch(/\d more columns are in the JSON/)
  })

  it('names the ends of which the games tell no bound, which follow from how widely the field is spread', async () => {
    const lines = [...Array<string>(9).fill('A,B,1'), ...Array<string>(9).fill('B,C,1')]
    const chain = await rankFile(place.write('chain.csv', `first,second,score\n${lines.join('\n')}\n`), {
      rules: ['elo'],
    })
    const { standings } = JSON.parse(JSON.stringify(rankDocument(chain))) as {
      standings: { rating: number; low: number; high: number; unbounded?: string[] }[]
    }
    expect(standings.map(({ unbounded }) => unbounded)).toEqual([['high'], undefined, ['low']])
    for (const { rating, low, high } of standings) {
      expect(low).toBeLessThan(rating - 100)
      expect(high).toBeGreaterThan(rating + 100)
    }
    expect(rankText(chain, 80)).toContain('games tell no bound on one side')
  })

  it('refuses a file that is not there, and ends between two rules', async () => {
    await expect(rankFile(place.path('none.csv'), { rules: [] })).rejects.toThrow('no such file')
    await expect(rankRun(ref, { rules: ['points'] }, place.aborted)).rejects.toThrow('not wanted')
    const stop = new AbortController()
    const ended = rankRun(ref, { rules: [...RULES] }, { ...place.context, signal: stop.signal })
    setImmediate(() => stop.abort(new Error('enough')))
    await expect(ended).rejects.toThrow('enough')
  })
})
