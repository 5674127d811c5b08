import { describe, expect, it, vi } from 'vitest'
import { type MatchRecord, type Result, luckName, matchLuck } from '../../core/index.js'
import type { RunSummary } from '../../store/index.js'
import type { HostedContest } from '../../store/site/data.js'
import { createTournament } from '../../tournament/index.js'
import { specOfRun } from '../stored.js'
import { contestFile } from './site-files.js'
import { DealSchedules } from './deal-schedules.js'
import { OpenDeals } from './open-deals.js'
import { RunsInProgress } from './progress.js'

const plan = {
  options: {},
  format: { kind: 'round-robin', repetitions: 4, swap: true, playoff: 0 },
  scoring: { win: 1, draw: 0.5, loss: 0, ties: [] },
  limits: {},
  names: ['Ant', 'Bee', 'Cat'],
  seats: { min: 2, max: 2 },
  shuffled: false,
} satisfies RunSummary['plan']
const summary = (change: Partial<RunSummary> = {}): RunSummary => ({
  id: 'run',
  agon: '0',
  contest: '/nowhere/c.toml',
  title: 'C',
  game: 'samurai',
  version: 1,
  seed: 'a seed',
  out: '/nowhere',
  began: '2024-01-01T00:00:00.000Z',
  state: 'open',
  tournament: '',
  identity: {},
  plan,
  matches: 0,
  ...change,
})
const resultOf = (key: string, seats: readonly number[]): Result => ({
  key,
  seats,
  outcome: { place: [1, 2], reason: 'test' },
})

/** All matches of a run's first round, with their luck, and a site that has played those of the keys. */
function played(run: RunSummary, keys: readonly string[], contests: readonly HostedContest[] = []) {
  const spec = specOfRun(run)
  const pairings =
    createTournament(spec)
      .next(new Map())
      ?.series.flatMap((one) => one.pairings) ?? []
  const there = new Map(
    pairings.flatMap(({ key, seats }) => (keys.includes(key) ? [[key, resultOf(key, seats)] as const] : [])),
  )
  const where = {
    workspace: '/nowhere',
    store: { results: async () => there, exclusions: async () => [], run: async () => run },
    site: { contests: async () => contests },
    progress: new RunsInProgress(),
  } as unknown as Parameters<OpenDeals['isOpen']>[0]
  const record = (key: string): MatchRecord => {
    const pairing = pairings.find((one) => one.key === key)
    const names = (pairing?.seats ?? []).map((entrant) => spec.names[entrant] ?? '')
    const dealt = names.map((name) =>
      luckName({ name, version: new Map(Object.entries(run.plan.versions ?? {})).get(name) ?? 1 }),
    )
    return {
      key,
      luck: matchLuck(run.seed, run.game, dealt, pairing?.deal ?? -1),
      seats: names.map((entrant, id) => ({ entrant, wire: 'turn', id })),
    } as unknown as MatchRecord
  }
  return { where, record, all: pairings.map(({ key }) => key) }
}

describe('the luck of a match', () => {
  it('is free once both matches of its deal are over, and not before', async () => {
    const keys = ['1/Ant-Bee/1', '1/Ant-Bee/2', '1/Ant-Bee/3', '1/Bee-Cat/4']
    const run = summary({ matches: keys.length })
    const { where, record } = played(run, keys)
    const open = await Promise.all(keys.map((key) => new OpenDeals().isOpen(where, 1, [run], record(key))))
    expect(open).toEqual([false, false, true, true])
  })

  it('is free with all the rest once the contest is over', async () => {
    const run = summary({ state: 'finished', matches: 1 })
    const { where, record } = played(run, ['1/Ant-Bee/3'])
    expect(await new OpenDeals().isOpen(where, 1, [run], record('1/Ant-Bee/3'))).toBe(false)
  })

  it('is told by what is played here, and by the schedule where an entrant is out', async () => {
    const run = summary({ matches: 3 })
    const { where, record } = played(run, ['1/Ant-Bee/1', '1/Ant-Bee/2', '1/Ant-Bee/3'])
    const asked: string[] = []
    const isOpen = (key: string, due: boolean | undefined, out: readonly string[] = []) => {
      const progress = Object.assign(new RunsInProgress(), {
        isDealDue: (contest: string, of: string) => (asked.push(`${contest} ${of}`), due),
      })
      const exclusions = async () =>
        out.map((name) => ({ name, status: 'withdrawn' as const, treatment: 'lost' as const, why: '' }))
      const store = { ...where.store, exclusions }
      return new OpenDeals().isOpen({ ...where, store, progress }, 1, [run], record(key))
    }
    expect(await isOpen('1/Ant-Bee/1', true)).toBe(true)
    expect(await isOpen('1/Ant-Bee/3', false)).toBe(false)
    expect(await isOpen('1/Ant-Bee/3', undefined)).toBe(true)
    expect(await isOpen('1/Ant-Bee/3', true, ['Cat'])).toBe(true)
    // What is left of the deal counts as lost.
    expect(await isOpen('1/Ant-Bee/3', true, ['Bee'])).toBe(false)
    expect(asked[0]).toBe('run 1/Ant-Bee/1')
  })

  it('stays hidden where a look that is some seconds old does not know the match', async () => {
    const deals = new OpenDeals()
    const before = played(summary(), [])
    expect(await deals.isOpen(before.where, 1, [summary()], before.record('1/Ant-Bee/1'))).toBe(true)
    const after = played(summary({ matches: 1 }), ['1/Ant-Bee/1'])
    expect(await deals.isOpen(after.where, 1, [summary({ matches: 1 })], after.record('1/Ant-Bee/1'))).toBe(true)
  })

  it('of a run that another one has followed is free where the other one has played its deal, or another version plays', async () => {
    const old = summary({ id: 'old', contest: contestFile({ workspace: '/nowhere' }, 'c'), matches: 1 })
    const contest = { id: 'c', run: 'run' } as HostedContest
    const now = (keys: readonly string[], versions?: Record<string, number>) => {
      const run = summary({
        contest: old.contest,
        matches: keys.length,
        plan: { ...plan, versions },
      })
      return played(run, keys, [contest])
    }
    const { record } = played(old, ['1/Ant-Bee/1'])
    const isOpen = ({ where }: ReturnType<typeof played>) =>
      new OpenDeals().isOpen(where, 1, [old], record('1/Ant-Bee/1'))
    expect(await isOpen(now([]))).toBe(true)
    expect(await isOpen(now(['1/Ant-Bee/1']))).toBe(true)
    expect(await isOpen(now(['1/Ant-Bee/1', '1/Ant-Bee/2']))).toBe(false)
    expect(await isOpen(now([], { Ant: 2 }))).toBe(false)
  })
})

describe('a contest of very many matches', () => {
  const repetitions = 3000
  const large = { ...plan, format: { ...plan.format, repetitions } }
  const all = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `1/Ant-Bee/${from + n + 1}`)

  it('is looked at elsewhere, again where it is not known that luck is free, and not once it is', async () => {
    const run = summary({ plan: large, matches: 3 })
    const { where, record } = played(run, all(0, 3))
    const asked: string[] = []
    const schedules = new DealSchedules()
    // The first look takes long on a busy machine, and whoever waits longer than a second is told that luck is in use.
    const { luck } = record('1/Ant-Bee/1')
    await schedules.isDue(where.store, run, { key: '1/Ant-Bee/1', names: ['Ant', 'Bee'], seed: luck.seed })
    const deals = new OpenDeals({
      isDue: async (of, match) => {
        asked.push(match.key)
        return schedules.isDue(where.store, of, match)
      },
    })
    const ask = (match: number, of = run) =>
      deals.isOpen(
        { ...where, store: { ...where.store, run: async () => of } },
        match,
        [of],
        record(`1/Ant-Bee/${match}`),
      )
    const later = { ...run, matches: 4 }
    expect([await ask(1), await ask(2), await ask(3), await ask(3, later), await ask(1)]).toEqual([
      false,
      false,
      true,
      true,
      false,
    ])
    expect(asked).toEqual([1, 2, 3, 3].map((n) => `1/Ant-Bee/${n}`))
  })

  it('keeps its luck hidden for as long as the thread does not answer', async () => {
    const run = summary({ plan: large, matches: 3 })
    const { where, record } = played(run, all(0, 3))
    const deals = new OpenDeals({ isDue: () => new Promise(() => undefined) })
    expect(await deals.isOpen(where, 1, [run], record('1/Ant-Bee/1'))).toBe(true)
  })

  it('leaves no timer behind where the thread answers', async () => {
    const run = summary({ plan: large, matches: 3 })
    const { where, record } = played(run, all(0, 3))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const deals = new OpenDeals({ isDue: async () => true })
      expect(await deals.isOpen(where, 1, [run], record('1/Ant-Bee/1'))).toBe(true)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is looked up once for all who ask before anything more is played', async () => {
    const run = summary({ plan: large, matches: 3 })
    const { where, record } = played(run, all(0, 3))
    let asked = 0
    const deals = new OpenDeals({ isDue: async () => (asked++, true) })
    const isOpen = (of: RunSummary) =>
      deals.isOpen({ ...where, store: { ...where.store, run: async () => of } }, 1, [of], record('1/Ant-Bee/1'))
    expect(await Promise.all(Array.from({ length: 20 }, () => isOpen(run)))).toEqual(Array(20).fill(true))
    expect(asked).toBe(1)
    await isOpen({ ...run, matches: 4 })
    expect(asked).toBe(2)
  })

  it('has its luck computed once, however many ask', async () => {
    const run = summary({ plan: large, matches: 1001 })
    const { where, record } = played(run, all(0, 1001))
    const schedules = new DealSchedules()
    const { luck, seats } = record('1/Ant-Bee/1')
    const match = { key: '1/Ant-Bee/1', names: seats.map(({ entrant }) => entrant), seed: luck.seed }
    let hashed = 0
    const counted = {
      ...run,
      get seed() {
        hashed++
        return run.seed
      },
    }
    for (let n = 0; n < 50; n++) expect(await schedules.isDue(where.store, counted, match)).toBe(false)
    // Of 3000 matches 1001 are over: 1000 deals are open.
    expect(hashed).toBeLessThan(1100)
  })
})

describe('a version that is entered later', () => {
  it('is dealt luck that was not shown before', () => {
    const seeds = [1, 2, 3].map(
      (version) => matchLuck('s', 'samurai', ['Bee', luckName({ name: 'Ant', version })], 0).seed,
    )
    expect(new Set(seeds).size).toBe(3)
    expect(matchLuck('s', 'samurai', ['Bee', luckName({ name: 'Ant' })], 0)).toEqual(
      matchLuck('s', 'samurai', ['Ant', 'Bee'], 0),
    )
  })
})
