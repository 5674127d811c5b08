import { specOf } from './spec.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { TestContest } from '../../../test/kit/stored-run.js'
import { type Result, spelled, type Wording } from '../../core/index.js'
import type { TournamentEvent } from '../../engine/index.js'
import { type Exclusion, type StoredRun, type Store, openStore } from '../../store/index.js'
import { LiveRun, excludedText, withExclusions } from './live-run.js'
import { standingsOfRun } from '../stored.js'
import { VERSION } from '../version.js'

const VOID = { name: 'Strike', status: 'disqualified', treatment: 'void', why: '3 faults' } as const
const LOST = { name: 'Wait', status: 'withdrawn', treatment: 'lost', why: '' } as const
const place = new TestContest()
let store: Store
let run: StoredRun
let results: ReadonlyMap<string, Result>
beforeAll(async () => {
  await place.play()
  store = openStore(place.context.workspace, VERSION)
  run = (await store.runs())[0]!
  results = await store.results(run.id)
})
afterAll(() => store.close())

describe('a schedule while it is played', () => {
  /** Of this test alone: who is out, as another process would write it, and whether the run is paused. */
  let out: Exclusion[]
  let state: StoredRun['state']
  const notes: string[] = []
  const told = (text: Wording): void => void notes.push(spelled(text, undefined))
  const written: Exclusion[] = []
  const own = (): Store =>
    Object.assign(Object.create(store) as Store, {
      run: async () => ({ ...run, state }),
      exclusions: async () => out,
      exclude: async (_: string, one: Exclusion) => {
        written.push(one)
        out = [...out, one]
      },
    })
  let live: LiveRun
  beforeEach(() => {
    out = []
    state = 'open'
    notes.length = written.length = 0
    live = new LiveRun(own(), run.id, specOf(run), told)
  })
  afterEach(() => {
    live.close()
    vi.useRealTimers()
  })
  const names = (): string[] => live.standings(results).rows.map(({ name }) => name)
  const active = (): boolean[] => run.entrants.map((_, entrant) => live.isActive(entrant))

  it('is as the contest says where no entrant is out', async () => {
    await live.look()
    expect([live.total(results), live.next(results), names().length]).toEqual([3, undefined, 3])
    expect(live.total(new Map())).toBe(3)
    expect(live.next(new Map())?.series).toHaveLength(3)
    expect([active(), notes]).toEqual([[true, true, true], []])
  })

  it('leaves out whom it disqualifies, writes that once, and tells it once', async () => {
    await live.exclude(VOID)
    await live.exclude({ ...VOID, why: 'another reason' })
    await live.look()
    expect(written).toEqual([VOID])
    expect(notes).toEqual(['Strike is disqualified (3 faults): none of its matches counts'])
    expect(active()).toEqual([false, true, true])
    expect(names()).toEqual(['Wait', 'Lost'])
    expect(live.standings(results).notes).toContain(notes[0])
    // The two who are left have one match.
    expect(live.next(new Map())?.series).toHaveLength(1)
    out = [...out, LOST]
    await live.look()
    expect(notes.slice(1)).toEqual(['Wait is withdrawn: what it had not played counts as lost'])
    out = [LOST]
    await live.look()
    expect([active(), notes.slice(2)]).toEqual([[true, false, true], ['Strike plays again: its matches count']])
  })

  it('sees what another process has written, and lets matches that were not played be lost', async () => {
    out = [LOST]
    await live.look()
    expect(notes).toEqual(['Wait is withdrawn: what it had not played counts as lost'])
    expect(live.isActive(1)).toBe(false)
    // What it had played stands, also what this process has not come to yet.
    expect(live.next(new Map())?.series).toHaveLength(3)
    const whole = await standingsOfRun(store, run)
    const marked = whole.standings.rows.map((row) => ({ ...row, out: row.name === 'Wait' ? 'withdrawn' : undefined }))
    expect(live.standings(results).rows).toEqual(marked)
  })

  it('waits while the run is paused, and no longer', async () => {
    await live.waitWhilePaused()
    state = 'paused'
    await live.look()
    let isOver = false
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const waiting = live.waitWhilePaused().then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(60_000)
    expect([isOver, notes]).toEqual([false, ['paused: agon continue resumes it']])
    state = 'open'
    await vi.advanceTimersByTimeAsync(2000)
    await waiting
    expect(notes.at(-1)).toBe('resumed')
  })

  it('tells each time that the run is paused, and not that it is still', async () => {
    let pauses = 0
    live.onPause = () => pauses++
    const seen: number[] = []
    for (state of ['open', 'paused', 'paused', 'open', 'paused'] as const) {
      await live.look()
      seen.push(pauses)
    }
    expect(seen).toEqual([0, 1, 1, 1, 2])
  })

  it('looks by itself, and again after the store could not be read', async () => {
    live.close()
    let looks = 0
    const broken = Object.assign(own(), {
      exclusions: async () => {
        if (++looks === 1) throw new Error('locked')
        return [VOID]
      },
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    live = new LiveRun(broken, run.id, specOf(run), told)
    await vi.advanceTimersByTimeAsync(5000)
    expect([live.isActive(0), notes.length]).toEqual([false, 1])
    live.close()
    const after = looks
    await vi.advanceTimersByTimeAsync(5000)
    expect(looks).toBe(after)
  })
})

describe('how far a run is', () => {
  const round = { label: 'round 1', series: [] }
  const held = new Map<string, Result>()
  let live: LiveRun
  beforeEach(() => {
    held.clear()
    live = new LiveRun(store, run.id, specOf(run), () => undefined)
    live.next(held)
  })
  afterEach(() => live.close())
  const see = (key: string, reused: boolean): void => {
    const record = { seats: [], steps: [], ready: [] }
    const result = { key, seats: [0, 1], outcome: { place: [1, 2], reason: '' } }
    held.set(key, result)
    live.see({ type: 'match', match: { record, faults: [] }, result, reused } as unknown as TournamentEvent)
  }

  it('counts matches of series that are not over, until they are stored', async () => {
    live.see({ type: 'round', round, total: 20 })
    see('1', true)
    expect(await live.progress()).toEqual({ done: 1, total: 20, reused: 1, label: 'round 1' })
    let ahead = 7
    const jobs = () => []
    live.underWay = { played: async () => ahead, jobs }
    const done = async (): Promise<number> => (await live.progress()).done
    expect(await done()).toBe(8)
    // The series is stored.
    ahead = 0
    for (const key of ['2', '3', '4', '5', '6', '7', '8', '9']) see(key, false)
    expect(await done()).toBe(9)
    live.underWay = { played: () => Promise.reject(new Error('the worker is gone')), jobs }
    expect(await done()).toBe(9)
    live.underWay = { played: () => new Promise(() => undefined), jobs }
    expect(await done(), 'a worker that does not answer').toBe(9)
  })

  it('tells series that are under way from the matches of a deal', () => {
    expect(live.series).toBe(0)
    const job = (key: string, ...keys: readonly string[]) => ({
      job: { key, pairings: keys.map((one) => ({ key: one, seats: [0, 1], deal: 1 })) },
      began: 0,
    })
    const jobs = () => [job('1/A-B', '1/A-B/1', '1/A-B/2'), job('1/A-C/1', '1/A-C/1', '1/A-C/2'), job('1/B-C', '1/B-C')]
    live.underWay = { played: async () => 0, jobs }
    expect(live.series).toBe(1)
  })
})

it('notes behind a table tell who is out, and why where that is known', () => {
  const standings = { rows: [], notes: ['a note'] } as unknown as Parameters<typeof withExclusions>[0]
  expect(withExclusions(standings, [])).toBe(standings)
  expect(withExclusions(standings, [VOID, LOST]).notes).toEqual(['a note', excludedText(VOID), excludedText(LOST)])
  expect(standings.notes).toEqual(['a note'])
})
