import { beforeAll, describe, expect, it, vi } from 'vitest'
import { UserError } from '../../core/index.js'
import { playScored } from '../../../test/kit/scored-run.js'
import { TestContest } from '../../../test/kit/stored-run.js'
import { gridOf } from '../../tournament/index.js'
import { excludeEntrant } from '../manage/rulings.js'
import { type RunTable, publishedTableOfRun, tableDocument, tableOfRun, watchTable } from './table.js'
import { runContest } from './run.js'
import { listRuns, logOfRun, continueRun, pauseRun } from '../look/runs.js'

describe('a stored run', () => {
  const place = new TestContest()
  const ref = { contest: place.contest }
  let played: Awaited<ReturnType<TestContest['play']>>
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
    expect(table.crosstable()).toEqual(played.crosstable())
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
    const { name: gone, finished, out, options } = await excludeEntrant(asked, place.context)
    expect([gone, finished, out, options]).toEqual(['Lost', true, place.out, { trust: true }])
    const { standings, exclusions, crosstable } = await tableOfRun(ref, place.context)
    expect(standings.rows.map(({ name, points }) => [name, points])).toEqual([
      ['Strike', 1],
      ['Wait', 0],
    ])
    expect(standings.notes).toContain('Lost is disqualified (nonsense): none of its matches counts')
    expect(exclusions).toEqual([{ name: 'Lost', status: 'disqualified', treatment: 'void', why: 'nonsense' }])
    expect(gridOf(crosstable())[0]?.[1]).toMatchObject({ n: 1, wins: 1 })
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

describe('the table as its author published it', () => {
  const place = new TestContest()
  beforeAll(() => place.play())

  it('has a line for each entrant, each with its end', async () => {
    const text = await publishedTableOfRun({ contest: place.contest }, place.context)
    const lines = text.split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.filter((line) => /Strike|Wait|Lost/.test(line))).toHaveLength(3)
    expect(lines.findIndex((line) => line.includes('Strike'))).toBeLessThan(
      lines.findIndex((line) => line.includes('Lost')),
    )
  })

  it('is refused for a game whose author has published none', async () => {
    const { contest, gameFile } = await playScored(place)
    const asked = publishedTableOfRun({ contest, gameFile }, place.context)
    await expect(asked).rejects.toThrow(UserError)
    await expect(asked).rejects.toThrow('dilemma has no published table: leave the option out')
  })
})

describe('a table that is watched', () => {
  const place = new TestContest()
  const seen: RunTable[] = []
  const watch = () => watchTable({ contest: place.contest }, place.context, (table) => seen.push(table))

  it('is given now, when it has changed, and not after the end of the run', { timeout: 60_000 }, async () => {
    await place.play({}, 1)
    const watching = watch()
    const states = () => seen.map(({ run }) => run.state)
    await vi.waitUntil(() => seen.length > 0)
    await pauseRun({ contest: place.contest }, place.context)
    await vi.waitUntil(() => seen.length > 1, { timeout: 20_000 })
    // A look at the least at what stays as it is.
    await new Promise((done) => setTimeout(done, 1200))
    expect(states()).toEqual(['open', 'paused'])
    await continueRun({ contest: place.contest }, place.context)
    const { standings } = await runContest(
      place.contest,
      { out: place.out, trust: true, jobs: 1, timed: 1, resume: true },
      place.context,
      () => undefined,
    )
    await watching
    expect(seen.at(-1)).toMatchObject({ run: { state: 'finished', matches: 3 }, standings })
    const before = seen.length
    await watch()
    expect(seen.slice(before).map(({ run }) => run.state)).toEqual(['finished'])
  })

  it('is an error where there is none', async () => {
    const none = { ...place.context, workspace: place.path('none') }
    await expect(watchTable({ contest: place.contest }, none, () => undefined)).rejects.toThrow('holds no store yet')
  })
})
