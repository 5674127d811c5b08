import { describe, expect, it } from 'vitest'
import { playedByTwo } from '../../test/kit/players.js'
import type { Result, TournamentSpec } from '../core/index.js'
import { type RatedGame, gamesOf } from '../stats/index.js'
import { stream } from '../stats/stream.js'
import { createTournament } from '../tournament/index.js'
import { binomial } from './again.js'
import { heldAgain } from './index.js'

const spec = (kind: string, field: number, more: object = {}): TournamentSpec => ({
  format: { kind, repetitions: 4, swap: true, playoff: 0, ...more },
  scoring: { win: 1, draw: 0.5, loss: 0, ties: [] },
  names: Array.from({ length: field }, (_, i) => `E${i}`),
  seed: 'again',
  seats: { min: 2, max: 2 },
  shuffled: false,
})

/** A tournament whose matches come out so, with its ranks. */
function played(of: TournamentSpec, place: (a: number, b: number) => readonly number[]) {
  const tournament = createTournament(of)
  const results = new Map<string, Result>()
  for (let round = tournament.next(results); round !== undefined; round = tournament.next(results))
    for (const { key, seats } of round.series.flatMap(({ pairings }) => pairings)) {
      const [a = 0, b = 0] = seats
      results.set(key, { key, seats, outcome: { place: place(a, b), reason: '' } })
    }
  const ranks = of.names.map(() => 0)
  for (const { entrant, rank } of tournament.standings(results).rows) ranks[entrant] = rank
  return { format: of.format, scoring: of.scoring, games: gamesOf(results.values()), ranks }
}

describe('a tournament held again', () => {
  it('is won by who is far better, and holds the ranks that there were', () => {
    const luck = stream('again test')
    const elo = [900, 0, 0, 0, 0, 0]
    const held = played(spec('last-standing', 6), (a, b) => playedByTwo(luck, elo, [a, b], 0).place)
    const { first, ranks } = heldAgain(held, 200)
    expect(first[0]).toBeGreaterThan(0.9)
    ranks.forEach(([best, worst], i) => {
      expect(best).toBeLessThanOrEqual(held.ranks[i] ?? 0)
      expect(worst).toBeGreaterThanOrEqual(held.ranks[i] ?? 0)
    })
  })

  it('goes by the worths of the contest: where draws are worth nothing, who draws them all leaves', () => {
    // 0 draws with all; others win half of their games.
    const luck = stream('worths')
    const draws = (a: number, b: number) => (a === 0 || b === 0 ? [1, 1] : luck.uniform() < 0.5 ? [1, 2] : [2, 1])
    const held = played(spec('last-standing', 5, { repetitions: 20 }), draws)
    const chanceOf = (draw: number): number => {
      const { first } = heldAgain({ ...held, scoring: { ...held.scoring, draw } }, 200)
      const [own = 0] = first
      return typeof own === 'number' ? own : own[1]
    }
    expect(chanceOf(0)).toBeLessThan(0.05)
    expect(chanceOf(1)).toBeGreaterThan(0.9)
  })

  it('believes what two did against each other where strengths do not explain it', () => {
    // Rock, paper, scissors: each surely beats the next. Strengths alone make all even.
    const games: RatedGame[] = [0, 1, 2].flatMap((a) =>
      Array.from({ length: 40 }, () => ({ entrants: [a, (a + 1) % 3], place: [1, 2] })),
    )
    const { format, scoring } = spec('elimination', 3)
    // The first round's only pairing: 1 beats 2; then 0 beats it.
    const { first } = heldAgain({ format, scoring, games, ranks: [1, 2, 3] }, 200)
    const [own = 0] = first
    expect(typeof own === 'number' ? own : own[0]).toBeGreaterThan(0.9)
  })

  it('says between which two chances it is where near equals do not tell how widely they are spread', () => {
    const luck = stream('swiss again')
    const elo = Array.from({ length: 8 }, () => 0)
    const held = played(
      spec('swiss', 8, { rounds: 3, repetitions: 2 }),
      (a, b) => playedByTwo(luck, elo, [a, b], 0).place,
    )
    const { first } = heldAgain(held, 300)
    const ranges = first.flatMap((one) => (typeof one === 'number' ? [] : [one]))
    expect(ranges.length).toBeGreaterThan(0)
    for (const [low, high] of ranges) expect([low < 0.2, high > low + 0.1]).toEqual([true, true])
  })
})

it.each([
  [100, 0.3],
  [100, 0.93],
  [5, 0.5],
  [2000, 0.01],
  [7, 0],
  [7, 1],
])('%i trials with the chance %d come to their mean and variance, each within 5 standard errors', (n, p) => {
  const luck = stream('binomial', n, p)
  const counts = Array.from({ length: 20_000 }, () => binomial(n, p, luck))
  const variance = n * p * (1 - p)
  const mean = counts.reduce((a, b) => a + b) / counts.length
  expect(Math.abs(mean - n * p)).toBeLessThanOrEqual(5 * Math.sqrt(variance / counts.length))
  const squares = counts.reduce((sum, count) => sum + (count - n * p) ** 2, 0) / counts.length
  // A binomial law's fourth moment is 3σ⁴ + σ²(1 − 6p(1 − p)).
  const fourth = 3 * variance ** 2 + variance * (1 - 6 * p * (1 - p))
  const error = Math.sqrt(Math.max(0, fourth - variance ** 2) / counts.length)
  expect(Math.abs(squares - variance)).toBeLessThanOrEqual(5 * error + 1e-9)
  expect(counts.every((count) => count >= 0 && count <= n)).toBe(true)
})
