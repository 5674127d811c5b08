import { readFileSync } from 'node:fs'
import { specOf } from './run/spec.js'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { TestContest } from '../../test/kit/stored-run.js'
import { createTournament, crosstable } from '../tournament/index.js'
import { excludeEntrant } from './manage/rulings.js'
import { pageOfEntrant, scheduleOf, standingsOfRun, withRun } from './stored.js'

const place = new TestContest()
const swiss = new TestContest()
beforeAll(async () => void (await place.play()))

/** The names in the table of the run, and the schedule that is kept for it. */
const look = () =>
  withRun(place.contest, undefined, place.context, async (store, run) => {
    const { standings } = await standingsOfRun(store, run)
    const schedule = scheduleOf(run, specOf(run), await store.exclusions(run.id))
    return { names: standings.rows.map(({ name }) => name), schedule }
  })

it('counts the table of a run as its schedule counts it from the results', async () => {
  await withRun(place.contest, undefined, place.context, async (store, run) => {
    const spec = specOf(run)
    const results = await store.results(run.id)
    const tournament = createTournament(spec)
    const { standings, crosstable: table, faults, ...rest } = await standingsOfRun(store, run)
    expect(standings).toEqual(tournament.standings(results))
    const ranked = standings.rows.map(({ entrant }) => entrant)
    expect(table()).toEqual(crosstable(spec.names, spec.scoring, results.values(), ranked))
    expect(table(2)).toEqual(crosstable(spec.names, spec.scoring, results.values(), ranked.slice(0, 2)))
    expect([faults.get('Lost'), rest]).toEqual([{ illegal: 7 }, { exclusions: [], matches: 3, finished: true }])
    // No result was looked at, nor will be.
    const blind = { ...store, results: () => Promise.reject(new Error('they are not needed')) }
    expect((await standingsOfRun(blind, run)).standings).toEqual(standings)
  })
})

it('tells how an entrant fared against each that it met, whichever of the two comes first', async () => {
  await withRun(place.contest, undefined, place.context, async (store, run) => {
    const pairs = [
      { one: 0, other: 2, ahead: 3, level: 1, behind: 0 },
      { one: 0, other: 1, ahead: 5, level: 0, behind: 0 },
      { one: 1, other: 2, ahead: 2, level: 0, behind: 4 },
    ]
    const { standing, pairs: own } = await pageOfEntrant({ ...store, pairs: () => Promise.resolve(pairs) }, run, 2)
    expect(standing).toEqual((await store.leaderboard(run.id)).find(({ entrant }) => entrant === 2))
    expect(own).toEqual([
      { opponent: 0, name: run.entrants[0]?.name, ahead: 0, level: 1, behind: 3 },
      { opponent: 1, name: run.entrants[1]?.name, ahead: 4, level: 0, behind: 2 },
    ])
  })
})

// Files of quick tests share a process: a clock that was left standing would stop the next one's.
afterEach(() => void vi.useRealTimers())

it('draws the schedule of a run once for its tables, until who plays has changed', async () => {
  const first = await look()
  expect(first.names).toHaveLength(3)
  expect((await look()).schedule).toBe(first.schedule)
  const out = { name: 'Lost', status: 'withdrawn', treatment: 'void', why: '' } as const
  await excludeEntrant({ contest: place.contest, ...out }, place.context)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const without = await look()
  expect(without.names).toEqual(first.names.filter((name) => name !== 'Lost'))
  expect(without.schedule).not.toBe(first.schedule)
  expect((await look()).schedule).toBe(without.schedule)
  // What nothing asks for is not kept.
  vi.advanceTimersByTime(61_000)
  expect((await look()).schedule).not.toBe(without.schedule)
})

it('keeps the table with which a Swiss tournament ended until the others have played what is due without an entrant', async () => {
  const more = ['Strike', 'Wait'].map((of) => `[[entrants]]\nname = "${of}2"\nmodule = "${of.toLowerCase()}.js"\n`)
  const text = readFileSync(swiss.contest, 'utf8').replace('round-robin', 'swiss')
  swiss.write('small.toml', [text, ...more].join(''))
  await swiss.play()
  const table = () =>
    withRun(swiss.contest, undefined, swiss.context, async (store, run) => {
      const { standings, finished } = await standingsOfRun(store, run)
      const { rows, notes } = standings
      return { finished, notes, rows: rows.map(({ name, rank, points }) => [name, rank, points]) }
    })
  const ended = await table()
  const [winner] = ended.rows.map(([name]) => String(name))
  const out = { name: winner ?? '', status: 'disqualified', treatment: 'void', why: '' } as const
  const { finished } = await excludeEntrant({ contest: swiss.contest, ...out }, swiss.context)
  const without = await table()
  expect([ended.finished, finished, without.finished]).toEqual([true, false, false])
  expect(without.rows.map(([name, , points]) => [name, points])).toEqual(
    ended.rows.slice(1).map(([name, , points]) => [name, points]),
  )
  expect(without.notes[0]).toContain(`the run ended, without ${winner}`)
  expect(without.notes.at(-1)).toContain('disqualified')
  await swiss.play({ resume: true })
  const again = await table()
  expect([again.finished, again.rows.length, again.notes.join()]).toEqual([true, 4, without.notes.at(-1)])
})
