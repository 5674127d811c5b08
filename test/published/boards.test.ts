import { describe, expect, it } from 'vitest'
import type { Outcome, Pairing, Standings } from '../../src/core/index.js'
import { eliminate } from '../../src/tournament/last-standing.js'
import { createTournament, crosstable } from '../../src/tournament/index.js'
import { playOut, specOf } from '../kit/tournament.js'
import { allot } from './allot.js'
import { coup } from './coup.js'
import { gunduel } from './gunduel.js'
import { samurai } from './samurai.js'
import { stronger } from './stronger.js'

/** A board as a set of lines, as players who share a rank may stand either way. */
const lines = (rows: readonly (readonly [rank: number, name: string, points: number])[]): readonly string[] =>
  rows.map(([rank, name, points]) => `${rank} ${name} ${points}`).sort()
const linesOf = ({ rows }: Standings): readonly string[] =>
  lines(rows.map(({ rank, name, points }) => [rank, name, points]))
const outcome = (...place: readonly number[]): Outcome => ({ place, reason: 'as published' })
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** A judge of duels by the units each has still to take from the other: what is worth `win` goes first, then draws. */
function byUnits(
  jobs: readonly (readonly number[])[],
  win: number,
  entrantOf: (index: number) => number = (i) => i,
): (pairing: Pairing) => Outcome {
  const left = jobs.map((row) => [...row])
  return ({ seats: [a = 0, b = 0] }) => {
    const [mine, other] = [left[entrantOf(a)] ?? [], left[entrantOf(b)] ?? []]
    const take = (row: number[], from: number): void => void (row[from] = (row[from] ?? 0) - win)
    if ((mine[entrantOf(b)] ?? 0) >= win) {
      take(mine, entrantOf(b))
      return outcome(1, 2)
    }
    if ((other[entrantOf(a)] ?? 0) >= win) {
      take(other, entrantOf(a))
      return outcome(2, 1)
    }
    return outcome(1, 1)
  }
}

describe('the gun duel of 2017', () => {
  it('sums each row to its points', () => {
    expect(gunduel.length).toBe(17)
    for (const [, points, rounds] of gunduel) expect(sum(rounds)).toBe(points)
    // One point a duel at most: 100 a pair. From round 8 on no duel was drawn.
    for (let round = 0; round < 16; round++) {
      const alive = gunduel.filter(([, , rounds]) => rounds.length > round)
      const duels = 50 * alive.length * (alive.length - 1)
      const points = sum(alive.map(([, , rounds]) => rounds[round] ?? 0))
      expect(points).toBeLessThanOrEqual(duels)
      expect(points === duels).toBe(round >= 7)
    }
  })

  it('eliminates whom the author eliminated, round by round', () => {
    for (let round = 0; round < 16; round++) {
      const alive = gunduel
        .map(([, , rounds], entrant) => ({ entrant, rounds }))
        .filter(({ rounds }) => rounds.length > round)
      const out = eliminate(
        alive.map(({ entrant, rounds }) => ({
          entrant,
          points: rounds[round] ?? 0,
          total: sum(rounds.slice(0, round + 1)),
        })),
      )
      // The board stands in the order of survival; the winner and the second both played the last round.
      expect(out).toEqual([Math.max(...alive.map(({ entrant }) => entrant))])
    }
  })

  it('comes out of duels with those points: ranks, totals and all 17 rows by round', () => {
    // The contest lists them in another order than the board.
    const listed = [...gunduel].sort(([a], [b]) => (a < b ? -1 : 1))
    const names = listed.map(([name]) => name)
    const spec = specOf(names, {
      shuffled: true,
      scoring: { draw: 0 },
      format: { kind: 'last-standing', repetitions: 100, swap: true },
    })
    const tournament = createTournament(spec)
    const judges = new Map<string, (pairing: Pairing) => Outcome>()
    const results = playOut(tournament, (pairing) => {
      const round = pairing.key.split('/')[0] ?? ''
      const needs = listed.map(([, , rounds]) => rounds[Number(round) - 1] ?? 0)
      const judge = judges.get(round) ?? judgeOf(needs)
      judges.set(round, judge)
      return judge(pairing)
    })
    /** Only players who are in the round meet. */
    function judgeOf(needs: readonly number[]): (pairing: Pairing) => Outcome {
      const alive = needs.map((need, entrant) => ({ need, entrant })).filter(({ need }) => need > 0)
      const jobs = allot(
        alive.map(({ need }) => need),
        100,
      )
      return byUnits(jobs, 1, (entrant) => alive.findIndex((one) => one.entrant === entrant))
    }
    const { columns, rows } = tournament.standings(results)
    expect(columns).toEqual(Array.from({ length: 16 }, (_, i) => String(i + 1)))
    expect(rows.map(({ rank, name, points, cells }) => [rank, name, points, cells])).toEqual(
      gunduel.map(([name, points, rounds], i) => [
        i + 1,
        name,
        points,
        columns.map((_, round) => rounds[round] ?? null),
      ]),
    )
    expect(tournament.total(new Map())).toBe(results.size)
  })
})

describe('the samurai of 2015', () => {
  it('sums to 8 points a pair: C(28, 2) × 8 = 3,024', () => {
    expect(samurai.length).toBe(28)
    expect(sum(samurai.map(([, points]) => points))).toBe(((28 * 27) / 2) * 8)
  })

  it('comes out of a round robin with those points, halves and shared ranks', () => {
    const listed = [...samurai].reverse()
    const spec = specOf(
      listed.map(([name]) => name),
      { format: { repetitions: 8, swap: true, playoff: 3 } },
    )
    const tournament = createTournament(spec)
    const results = playOut(
      tournament,
      byUnits(
        allot(
          listed.map(([, points]) => 2 * points),
          16,
        ),
        2,
      ),
    )
    // 28 × 27 / 2 × 8 matches, and no playoff: none is level with The Observer.
    expect(results.size).toBe(3024)
    const table = tournament.standings(results)
    expect(linesOf(table)).toEqual(
      lines(samurai.map(([name, points]) => [1 + samurai.filter(([, more]) => more > points).length, name, points])),
    )
    expect(table.rows.slice(0, 9).map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 4, 6, 7, 7, 9])
    expect(table.notes).toEqual([])
    const { rows } = crosstable(spec.names, spec.scoring, results.values())
    const gathered = rows.map((row) => sum(row.map(({ points }) => points)))
    expect(gathered).toEqual(listed.map(([, points]) => points))
  })
})

describe('the coup leaderboard', () => {
  it('has at most a point a game: 13 × 12 × 10 = 1,560, of which 12 had no winner', () => {
    expect(coup.length).toBe(13)
    expect(sum(coup.map(([, points]) => points))).toBe(1560 - 12)
    for (const [, points] of coup) expect(points).toBeLessThanOrEqual(12 * 2 * 10)
  })

  it('comes out of ordered pairs with those points', () => {
    const listed = [...coup].reverse()
    const spec = specOf(
      listed.map(([name]) => name),
      { scoring: { draw: 0 }, format: { kind: 'ordered-pairs', repetitions: 10 } },
    )
    const tournament = createTournament(spec)
    const results = playOut(
      tournament,
      byUnits(
        allot(
          listed.map(([, points]) => points),
          20,
        ),
        1,
      ),
    )
    expect(results.size).toBe(1560)
    expect(linesOf(tournament.standings(results))).toEqual(
      lines(coup.map(([name, points]) => [1 + coup.filter(([, more]) => more > points).length, name, points])),
    )
  })
})

describe('the stronger of 2015', () => {
  it('has a point for each game but the two that stalled', () => {
    expect(sum(stronger.map(([, wins]) => wins))).toBe(15 - 2)
  })

  it('comes out of 15 games of everyone, ties broken by the life left in won games', () => {
    const listed = [...stronger].reverse()
    const spec = specOf([...listed.map(([name]) => name), 'Hero', 'Bully'], {
      seats: { min: 2, max: 100 },
      format: { kind: 'free-for-all', repetitions: 15 },
      scoring: { draw: 0, ties: [{ tally: 'life', of: 'won', name: 'Life' }] },
    })
    // A winner's life is spread over its games; in a game lost or stalled, whatever is left must not count.
    const games = listed.flatMap(([, wins, life], winner) =>
      Array.from({ length: wins }, (_, i) => ({ winner, life: i === 0 ? life - (wins - 1) : 1 })),
    )
    const tournament = createTournament(spec)
    const results = playOut(tournament, ({ seats, deal }) => {
      const game = games[deal]
      const place = seats.map((entrant) => (game === undefined ? 1 : entrant === game.winner ? 1 : 2))
      return {
        place,
        reason: 'as published',
        tally: { life: seats.map((entrant) => (entrant === game?.winner ? game.life : 999)) },
      }
    })
    expect(results.size).toBe(15)
    const { columns, rows } = tournament.standings(results)
    expect(columns).toEqual(['Life'])
    expect(rows.slice(0, 8).map(({ rank, name, points, cells }) => [rank, name, points, ...cells])).toEqual(
      stronger.map(([name, wins, life], i) => [i + 1, name, wins, life]),
    )
    // Those without a win share the ninth place.
    expect(rows.slice(8).map(({ rank }) => rank)).toEqual([9, 9])
  })
})
