import { specOf } from './spec.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { TestContest } from '../../../test/kit/stored-run.js'
import { type Result, spelled, type Wording } from '../../core/index.js'
import { type Exclusion, type StoredRun, type Store, openStore } from '../../store/index.js'
import { Control, excludedText, withExclusions } from './control.js'
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
  let control: Control
  beforeEach(() => {
    out = []
    state = 'open'
    notes.length = written.length = 0
    control = new Control(own(), run.id, specOf(run), told)
  })
  afterEach(() => {
    control.close()
    vi.useRealTimers()
  })
  const names = (): string[] => control.standings(results).rows.map(({ name }) => name)
  const active = (): boolean[] => run.entrants.map((_, entrant) => control.isActive(entrant))

  it('is as the contest says where no entrant is out', async () => {
    await control.look()
    expect([control.total(results), control.next(results), names().length]).toEqual([3, undefined, 3])
    expect(control.total(new Map())).toBe(3)
    expect(control.next(new Map())?.series).toHaveLength(3)
    expect([active(), notes]).toEqual([[true, true, true], []])
  })

  it('leaves out whom it disqualifies, writes that once, and tells it once', async () => {
    await control.exclude(VOID)
    await control.exclude({ ...VOID, why: 'another reason' })
    await control.look()
    expect(written).toEqual([VOID])
    expect(notes).toEqual(['Strike is disqualified (3 faults): none of its matches counts'])
    expect(active()).toEqual([false, true, true])
    expect(names()).toEqual(['Wait', 'Lost'])
    expect(control.standings(results).notes).toContain(notes[0])
    // The two who are left have one match.
    expect(control.next(new Map())?.series).toHaveLength(1)
    out = [...out, LOST]
    await control.look()
    expect(notes.slice(1)).toEqual(['Wait is withdrawn: what it had not played counts as lost'])
    out = [LOST]
    await control.look()
    expect([active(), notes.slice(2)]).toEqual([[true, false, true], ['Strike plays again: its matches count']])
  })

  it('sees what another process has written, and lets matches that were not played be lost', async () => {
    out = [LOST]
    await control.look()
    expect(notes).toEqual(['Wait is withdrawn: what it had not played counts as lost'])
    expect(control.isActive(1)).toBe(false)
    // What it had played stands, also what this process has not come to yet.
    expect(control.next(new Map())?.series).toHaveLength(3)
    const whole = await standingsOfRun(store, run)
    const marked = whole.standings.rows.map((row) => ({ ...row, out: row.name === 'Wait' ? 'withdrawn' : undefined }))
    expect(control.standings(results).rows).toEqual(marked)
  })

  it('waits while the run is paused, and no longer', async () => {
    await control.waitWhilePaused()
    state = 'paused'
    await control.look()
    let isOver = false
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const waiting = control.waitWhilePaused().then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(60_000)
    expect([isOver, notes]).toEqual([false, ['paused: agon continue resumes it']])
    state = 'open'
    await vi.advanceTimersByTimeAsync(2000)
    await waiting
    expect(notes.at(-1)).toBe('resumed')
  })

  it('tells each time that the run is paused, and not that it is still', async () => {
    let pauses = 0
    control.onPause(() => pauses++)
    const seen: number[] = []
    for (state of ['open', 'paused', 'paused', 'open', 'paused'] as const) {
      await control.look()
      seen.push(pauses)
    }
    expect(seen).toEqual([0, 1, 1, 1, 2])
  })

  it('looks by itself, and again after the store could not be read', async () => {
    control.close()
    let looks = 0
    const broken = Object.assign(own(), {
      exclusions: async () => {
        if (++looks === 1) throw new Error('locked')
        return [VOID]
      },
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    control = new Control(broken, run.id, specOf(run), told)
    await vi.advanceTimersByTimeAsync(5000)
    expect([control.isActive(0), notes.length]).toEqual([false, 1])
    control.close()
    const after = looks
    await vi.advanceTimersByTimeAsync(5000)
    expect(looks).toBe(after)
  })
})

it('notes behind a table tell who is out, and why where that is known', () => {
  const standings = { rows: [], notes: ['a note'] } as unknown as Parameters<typeof withExclusions>[0]
  expect(withExclusions(standings, [])).toBe(standings)
  expect(withExclusions(standings, [VOID, LOST]).notes).toEqual(['a note', excludedText(VOID), excludedText(LOST)])
  expect(standings.notes).toEqual(['a note'])
})
