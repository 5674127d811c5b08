import { describe, expect, it } from 'vitest'
import { type MatchRecord, type Result, luckName, matchLuck } from '../../core/index.js'
import type { RunSummary } from '../../store/index.js'
import type { HostedContest } from '../../store/site/data.js'
import { createTournament } from '../../tournament/index.js'
import { specOfRun } from '../stored.js'
import { contestFile } from './contest-file.js'
import { OpenDeals } from './open-deals.js'

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
    const open = await Promise.all(keys.map((key) => new OpenDeals().isOpen(where, [run], record(key))))
    expect(open).toEqual([false, false, true, true])
  })

  it('is free with all the rest once the contest is over', async () => {
    const run = summary({ state: 'finished', matches: 1 })
    const { where, record } = played(run, ['1/Ant-Bee/3'])
    expect(await new OpenDeals().isOpen(where, [run], record('1/Ant-Bee/3'))).toBe(false)
  })

  it('stays hidden where a look that is some seconds old does not know the match', async () => {
    const deals = new OpenDeals()
    const before = played(summary(), [])
    expect(await deals.isOpen(before.where, [summary()], before.record('1/Ant-Bee/1'))).toBe(true)
    const after = played(summary({ matches: 1 }), ['1/Ant-Bee/1'])
    expect(await deals.isOpen(after.where, [summary({ matches: 1 })], after.record('1/Ant-Bee/1'))).toBe(true)
  })

  it('of a run that another one has followed is free where the other one has played its deal, or another version plays', async () => {
    const old = summary({ id: 'old', contest: contestFile({ workspace: '/nowhere' }, 'c'), matches: 1 })
    const contest = { id: 'c', run: 'run' } as HostedContest
    const now = (keys: readonly string[], versions?: Record<string, number>) => {
      const run = summary({
        contest: old.contest,
        matches: keys.length,
        plan: { ...plan, ...(versions && { versions }) },
      })
      return played(run, keys, [contest])
    }
    const { record } = played(old, ['1/Ant-Bee/1'])
    const isOpen = ({ where }: ReturnType<typeof played>) => new OpenDeals().isOpen(where, [old], record('1/Ant-Bee/1'))
    expect(await isOpen(now([]))).toBe(true)
    expect(await isOpen(now(['1/Ant-Bee/1']))).toBe(true)
    expect(await isOpen(now(['1/Ant-Bee/1', '1/Ant-Bee/2']))).toBe(false)
    expect(await isOpen(now([], { Ant: 2 }))).toBe(false)
  })
})

describe('a version that is entered later', () => {
  it('is dealt luck that nobody has seen', () => {
    const seeds = [1, 2, 3].map(
      (version) => matchLuck('s', 'samurai', ['Bee', luckName({ name: 'Ant', version })], 0).seed,
    )
    expect(new Set(seeds).size).toBe(3)
    expect(matchLuck('s', 'samurai', ['Bee', luckName({ name: 'Ant' })], 0)).toEqual(
      matchLuck('s', 'samurai', ['Ant', 'Bee'], 0),
    )
  })
})
