import { describe, expect, it } from 'vitest'
import { type Result, type ScoringSpec, type Teams, type TournamentSpec, sidesOf } from '../core/index.js'
import { createTournament } from './index.js'

const TWO_BY_TWO: Teams = { 4: [0, 1, 0, 1] }
const POINTS: ScoringSpec = { win: 1, draw: 0.5, loss: 0, ties: [] }

const spec = (names: string, format: Partial<TournamentSpec['format']>, scoring: Partial<ScoringSpec> = {}) =>
  ({
    format: { kind: 'groups', repetitions: 1, swap: true, playoff: 0, ...format },
    scoring: { ...POINTS, ...scoring },
    names: [...names],
    seed: 'teams',
    seats: { min: 2, max: 8 },
    shuffled: false,
  }) as TournamentSpec

/** Plays a whole tournament: the team with the first of the alphabet in it wins, of equal ones both. */
function played(of: TournamentSpec, teams: Teams) {
  const tournament = createTournament(of)
  const results = new Map<string, Result>()
  const matches: (readonly number[])[] = []
  for (let round = tournament.next(results); round; round = tournament.next(results)) {
    for (const { key, seats } of round.series.flatMap(({ pairings }) => pairings)) {
      const team = teams[seats.length] ?? seats.map((_, seat) => seat)
      const best = team.map((own) => Math.min(...seats.filter((_, seat) => team[seat] === own)))
      const place = best.map((own) => 1 + best.filter((other) => other < own).length)
      matches.push(seats)
      results.set(key, sidesOf({ key, seats, outcome: { place, reason: '' } }))
    }
  }
  return { matches, results, standings: tournament.standings(results), total: tournament.total(results) }
}

const mates = (matches: readonly (readonly number[])[]) => {
  const counts = new Map<string, number>()
  for (const [a = 0, b = 0, c = 0, d = 0] of matches)
    for (const two of [
      [a, c],
      [b, d],
    ]) {
      const key = two.sort((x, y) => x - y).join()
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  return [...counts.values()].sort((a, b) => a - b)
}

describe('entrants that have all seats of a team', () => {
  it('meet like two, whatever the format, and sit first equally often', () => {
    const { matches, standings, total } = played(
      spec('ABC', { kind: 'round-robin', by: 'team', teams: TWO_BY_TWO, repetitions: 4 }),
      TWO_BY_TWO,
    )
    expect([matches.length, total]).toEqual([12, 12])
    expect(matches.every(([a, b, c, d]) => a === c && b === d && a !== b)).toBe(true)
    expect([0, 1, 2].map((one) => matches.filter(([first]) => first === one).length)).toEqual([4, 4, 4])
    expect(standings.rows.map(({ name, points }) => [name, points])).toEqual([
      ['A', 8],
      ['B', 4],
      ['C', 0],
    ])
  })

  it.each(['swiss', 'elimination', 'double-elimination', 'hill', 'ladder', 'ordered-pairs', 'groups'])(
    'play %s to its end',
    (kind) => {
      const { matches, standings } = played(spec('ABCDE', { kind, by: 'team', teams: TWO_BY_TWO }), TWO_BY_TWO)
      expect(matches.every(([a, b, c, d]) => a === c && b === d && a !== b)).toBe(true)
      expect(standings.rows[0]?.name).toBe('A')
    },
  )

  it('are refused where the game has no teams, and where a bot has one life', () => {
    const create = (more: Partial<TournamentSpec>, teams: Teams = TWO_BY_TWO) =>
      createTournament({ ...spec('AB', { kind: 'round-robin', by: 'team', teams }), ...more })
    expect(() => create({}, {})).toThrow('by = "team": the game knows no teams of several seats')
    expect(() => create({}, { 2: [0, 1] })).toThrow('the game knows no teams')
    expect(() => create({ shuffled: true })).toThrow('cannot sit in all seats of a team')
  })
})

describe('entrants that are drawn into teams', () => {
  it.each(['groups', 'free-for-all'])('have every other as a mate equally often: %s', (kind) => {
    for (const seed of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const four = spec(
        'ABCD',
        { kind, size: kind === 'groups' ? 4 : undefined, repetitions: 3 },
        { teams: TWO_BY_TWO },
      )
      // Three deals in four rotations: each of the six twos is together in one deal.
      expect(mates(played({ ...four, seed }, TWO_BY_TWO).matches)).toEqual([4, 4, 4, 4, 4, 4])
    }
  })

  it('have mates as evenly as they have opponents in heats', () => {
    const { matches } = played(
      spec('ABCDEFG', { kind: 'heats', size: 4, repetitions: 3 }, { teams: TWO_BY_TWO }),
      TWO_BY_TWO,
    )
    expect(mates(matches)).toEqual(Array.from({ length: 21 }, () => 8))
  })

  it('win with their team, by wins and by points of places', () => {
    const won = (scoring: Partial<ScoringSpec>) =>
      Object.fromEntries(
        played(
          spec('ABCD', { kind: 'free-for-all', repetitions: 1 }, { teams: TWO_BY_TWO, ...scoring }),
          TWO_BY_TWO,
        ).standings.rows.map(({ name, points }) => [name, points]),
      )
    const wins = won({})
    expect(wins['A']).toBe(4)
    expect(Object.values(wins).sort((a, b) => a - b)).toEqual([0, 0, 4, 4])
    // The second place is that of the second team.
    expect(Object.values(won({ by: 'score', of: 'total', points: [10, 6, 1, 0] })).sort((a, b) => a - b)).toEqual([
      24, 24, 40, 40,
    ])
  })
})
