import fc from 'fast-check'
import { expect, it } from 'vitest'
import { playOut, byStrength, specOf } from '../../test/kit/tournament.js'
import type { Pairing, TournamentSpec } from '../core/index.js'
import { createTournament } from './index.js'

const fieldOf = (n: number, parts: Parameters<typeof specOf>[1] = {}, repetitions = 3): TournamentSpec =>
  specOf(
    Array.from({ length: n }, (_, i) => `bot ${i}`),
    { shuffled: true, cycles: true, ...parts, format: { kind: 'last-standing', repetitions, swap: true } },
  )

/** The first round, in its order. */
const drawn = (spec: TournamentSpec): Pairing[] =>
  (createTournament(spec).next(new Map())?.series ?? []).flatMap(({ key, pairings }) => {
    expect(pairings.map((pairing) => pairing.key)).toEqual([key])
    return pairings
  })
const pairOf = ({ seats }: Pairing): string => [...seats].sort((a, b) => a - b).join()
const keys = (pairings: readonly Pairing[]): string[] => pairings.map(({ key }) => key)

it('plays the very matches of the sittings, each pair once in every cycle', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 1, max: 4 }), fc.string(), (n, repetitions, seed) => {
      const spec = fieldOf(n, { seed }, repetitions)
      const cycles = drawn(spec)
      const { cycles: _, ...apart } = spec
      const sittings = createTournament({ ...apart, shuffled: false }).next(new Map())?.series ?? []
      const byKey = (a: Pairing, b: Pairing) => (a.key < b.key ? -1 : 1)
      expect([...cycles].sort(byKey)).toEqual(sittings.flatMap(({ pairings }) => pairings).sort(byKey))
      const size = (n * (n - 1)) / 2
      for (let at = 0; at < cycles.length; at += size)
        expect(new Set(cycles.slice(at, at + size).map(pairOf)).size, 'a match for each pair').toBe(size)
    }),
    { numRuns: 50 },
  )
})

it('keeps everybody equally far: in an even field no bot is ahead of another by more than one match', () => {
  for (const [n, most] of [
    [8, 1],
    [17, 2],
  ] as const) {
    const played = Array<number>(n).fill(0)
    for (const { seats } of drawn(fieldOf(n))) {
      for (const seat of seats) played[seat] = (played[seat] ?? 0) + 1
      expect(Math.max(...played) - Math.min(...played)).toBeLessThanOrEqual(most)
    }
  }
})

it('lets half of the field play at once', () => {
  // Each match as early as both of its bots allow: the time when it ends, all being equally long.
  const lasts = (pairings: readonly Pairing[]): number => {
    const free = new Map<number, number>()
    for (const { seats } of pairings) {
      const end = 1 + Math.max(...seats.map((seat) => free.get(seat) ?? 0))
      for (const seat of seats) free.set(seat, end)
    }
    return Math.max(...free.values())
  }
  const spec = fieldOf(16, {}, 20)
  const { cycles: _, ...anyOrder } = spec
  // 15 rounds of eight matches a cycle, and no fewer are possible.
  expect(lasts(drawn(spec))).toBe(20 * 15)
  expect(lasts(drawn(anyOrder))).toBeGreaterThan(20 * 15 * 1.4)
})

it('draws another order by another seed and for another round, and the same again', () => {
  const spec = fieldOf(8)
  expect(keys(drawn(spec))).toEqual(keys(drawn(spec)))
  expect(keys(drawn({ ...spec, seed: 'other' }))).not.toEqual(keys(drawn(spec)))
  const cycle = (at: number) =>
    drawn(spec)
      .map(pairOf)
      .slice(at * 28, (at + 1) * 28)
  expect(cycle(0)).not.toEqual(cycle(1))
})

it('leaves out pairs that are not wanted, and ends as any other order does', () => {
  const wanted = (entrants: readonly number[]) => entrants.includes(0)
  const pairs = drawn(fieldOf(5, { wanted })).map(pairOf)
  expect(pairs.length).toBe(12)
  expect(new Set(pairs)).toEqual(new Set(['0,1', '0,2', '0,3', '0,4']))
  const { cycles: _, ...anyOrder } = fieldOf(6)
  const table = (spec: TournamentSpec) => {
    const tournament = createTournament(spec)
    return tournament.standings(
      playOut(
        tournament,
        byStrength((entrant) => entrant),
      ),
    )
  }
  expect(table(fieldOf(6))).toEqual(table(anyOrder))
})
