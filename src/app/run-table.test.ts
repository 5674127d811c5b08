import { beforeAll, describe, expect, it } from 'vitest'
import { UserError } from '../core/index.js'
import { StoredRun } from '../../test/kit/stored-run.js'
import { gridOf } from '../tournament/index.js'
import { excludeEntrant } from './exclude.js'
import { logOfRun } from './run-log.js'
import { tableDocument, tableOfRun } from './run-table.js'
import { listRuns } from './runs.js'

describe('a stored run', () => {
  const place = new StoredRun()
  const ref = { contest: place.contest }
  let played: Awaited<ReturnType<StoredRun['play']>>
  beforeAll(async () => {
    played = await place.play()
  })

  it('has the table that it ended with', async () => {
    const table = await tableOfRun(ref, place.context)
    expect(table.standings).toEqual(played.standings)
    expect(table.standings.rows.map(({ name, points }) => [name, points])).toEqual([
      ['Strike', 2],
      ['Wait', 0.5],
      ['Lost', 0.5],
    ])
    expect(table.crosstable).toEqual(played.crosstable)
    expect(table.elo).toEqual(played.elo)
    expect([...table.faults]).toEqual([['Lost', { illegal: 7 }]])
    expect(table.finished).toBe(true)
    expect(tableDocument(table)).toMatchObject({
      contest: 'Small',
      matches: 3,
      state: 'finished',
      standings: [{ rank: 1, name: 'Strike' }, { name: 'Wait', author: 'Ann' }, { name: 'Lost' }],
    })
  })

  it('is listed, and its log tells what was done to it', async () => {
    const [run, ...others] = await listRuns(place.context)
    expect(others).toEqual([])
    expect(run).toMatchObject({ contest: place.contest, title: 'Small', matches: 3, state: 'finished', out: place.out })
    expect(run).not.toHaveProperty('plan')
    const log = await logOfRun({ ...ref, run: run?.id.slice(0, 12) ?? '' }, place.context)
    expect(log.map(({ what }) => what)).toEqual(['began', 'finished'])
  })

  it('stands without an entrant that is put out, once', async () => {
    const asked = { ...ref, name: 'lost', status: 'disqualified', treatment: 'void', why: 'nonsense' } as const
    await expect(excludeEntrant({ ...asked, name: 'Lots' }, place.context)).rejects.toThrow(
      'no entrant "Lots" (did you mean "Lost"?); there are Strike, Wait, Lost',
    )
    const { exclusion, finished, out, options } = await excludeEntrant(asked, place.context)
    expect(exclusion).toEqual({ name: 'Lost', status: 'disqualified', treatment: 'void', why: 'nonsense' })
    expect([finished, out, options]).toEqual([true, place.out, { trust: true }])
    const { standings, exclusions, crosstable } = await tableOfRun(ref, place.context)
    expect(standings.rows.map(({ name, points }) => [name, points])).toEqual([
      ['Strike', 1],
      ['Wait', 0],
    ])
    expect(standings.notes).toContain('Lost is disqualified (nonsense): none of its matches counts')
    expect(exclusions).toEqual([exclusion])
    expect(gridOf(crosstable)[0]?.[1]).toMatchObject({ n: 1, wins: 1 })
    await expect(excludeEntrant(asked, place.context)).rejects.toThrow(new UserError('Lost is disqualified already'))
  })

  it('is reported as missing where it is', async () => {
    await expect(tableOfRun({ contest: 'gunduel' }, place.context)).rejects.toThrow('holds no run of gunduel')
    await expect(tableOfRun({ ...ref, run: 'xyz' }, place.context)).rejects.toThrow(/^no run of .* is "xyz"/)
    const elsewhere = { ...place.context, workspace: place.path('nowhere') }
    await expect(listRuns(elsewhere)).rejects.toThrow('holds no store yet')
    await expect(listRuns({ ...elsewhere, workspace: place.contest })).rejects.toThrow('is a file')
  })
})
