import { describe, expect, it } from 'vitest'
import type { FormatSpec, Pairing, Result, TournamentSpec } from '../core/index.js'
import { stream } from '../stats/stream.js'
import { createTournament } from './index.js'

const specOf = (format: Partial<FormatSpec>, names: readonly string[], seats = { min: 2, max: 2 }): TournamentSpec => ({
  format: { kind: 'round-robin', repetitions: 4, swap: true, playoff: 0, ...format },
  scoring: { win: 1, draw: 0.5, loss: 0, ties: [] },
  names,
  seats,
  seed: 'seed',
  shuffled: false,
})
const NAMES = ['Ant', 'Bee', 'Cat', 'Dog', 'Elk']

/** Plays a tournament to its end, each match by this; `shuffle`: results arrive in another order. */
function playOut(spec: TournamentSpec, play: (pairing: Pairing) => Omit<Result, 'key' | 'seats'>, turned = false) {
  const tournament = createTournament(spec)
  const results = new Map<string, Result>()
  const pairings: Pairing[] = []
  for (let round = tournament.next(results); round; round = tournament.next(results)) {
    const due = round.series.flatMap((series) => series.pairings)
    pairings.push(...due)
    for (const pairing of turned ? [...due].reverse() : due) {
      expect(results.has(pairing.key)).toBe(false)
      results.set(pairing.key, { key: pairing.key, seats: pairing.seats, ...play(pairing) })
    }
  }
  return { tournament, results, pairings, stopped: tournament.stopped?.(results) }
}

/** The lower index wins with this probability, in either seat; every match by luck of its own. */
const byChance =
  (wins: number) =>
  ({ key, seats }: Pairing) => {
    const best = seats.indexOf(Math.min(...seats))
    const won = stream(key).uniform() < wins
    return { outcome: { place: seats.map((_, seat) => ((seat === best) === won ? 1 : 2)), reason: '' } }
  }

describe('a tournament until settled', () => {
  it('ends when the places asked for are decided, and says how sure they are', () => {
    const { tournament, results, stopped } = playOut(
      specOf({ settle: { top: 1 }, repetitions: 60 }, NAMES),
      byChance(0.9),
    )
    expect(stopped).toMatchObject({ reason: 'settled', places: 1, decided: 1, budget: 2400, plain: 600 })
    expect(stopped?.confidence).toBeGreaterThanOrEqual(0.95)
    expect(results.size).toBeLessThan(600)
    expect(tournament.total(results)).toBe(results.size)
    const { rows, columns, notes } = tournament.standings(results)
    expect([rows[0]?.name, columns]).toEqual(['Ant', ['Matches']])
    expect(rows.reduce((sum, { cells }) => sum + (cells[0] ?? 0), 0)).toBe(2 * results.size)
    expect(notes).toEqual([
      `points are a game's; the first place decided at 95 % after ${results.size} matches (the plain format has 600)`,
    ])
  })

  it('plays where it matters: not entrants that are out of contention', () => {
    // Ant and Bee are close and far above the others.
    const play = ({ key, seats }: Pairing) => {
      const close = Math.max(...seats) <= 1
      return byChance(close ? 0.6 : 0.95)({ key, seats, deal: 0 })
    }
    const { pairings } = playOut(specOf({ settle: { top: 1, budget: 400 } }, NAMES), play)
    const matches = NAMES.map((_, i) => pairings.filter(({ seats }) => seats.includes(i)).length)
    expect(Math.min(matches[0] ?? 0, matches[1] ?? 0)).toBeGreaterThan(1.5 * Math.max(...matches.slice(2)))
  })

  it('plays each deal in both orders, under the keys of the format', () => {
    const plain = createTournament(specOf({ repetitions: 200 }, NAMES)).next(new Map())
    const known = new Map(plain?.series.flatMap(({ pairings }) => pairings.map((pairing) => [pairing.key, pairing])))
    const { pairings } = playOut(specOf({ settle: { top: 2, budget: 300 } }, NAMES), byChance(0.55))
    expect(pairings.length).toBe(300)
    for (const pairing of pairings) expect(known.get(pairing.key)).toEqual(pairing)
    for (let i = 0; i < pairings.length; i += 2) {
      const [one, other] = pairings.slice(i, i + 2)
      expect([other?.deal, other?.seats]).toEqual([one?.deal, [...(one?.seats ?? [])].reverse()])
    }
  })

  it('is the same whichever match ended first', () => {
    const spec = specOf({ kind: 'ordered-pairs', settle: { top: 1, budget: 260 } }, NAMES)
    const there = playOut(spec, byChance(0.6))
    const back = playOut(spec, byChance(0.6), true)
    expect(back.pairings).toEqual(there.pairings)
    expect(back.stopped).toEqual(there.stopped)
    expect(back.tournament.standings(back.results)).toEqual(there.tournament.standings(there.results))
  })

  it('is not settled by the same games again', () => {
    const play = (pairing: Pairing) => ({ ...byChance(1)(pairing), course: 'always so' })
    const { stopped, results } = playOut(specOf({ settle: { budget: 301 } }, ['Ant', 'Bee', 'Cat']), play)
    expect([stopped?.reason, results.size]).toEqual(['budget', 300])
    expect(playOut(specOf({ settle: { budget: 301 } }, ['Ant', 'Bee', 'Cat']), byChance(1)).stopped?.reason).toBe(
      'settled',
    )
  })

  it('plays groups in whole Latin squares, each once first, within its budget', () => {
    const spec = specOf({ kind: 'groups', size: 4, settle: { top: 1, budget: 50 } }, NAMES, { min: 4, max: 4 })
    const { pairings, stopped } = playOut(spec, byChance(0.3))
    expect([stopped?.reason, stopped?.plain, pairings.length]).toEqual(['budget', 80, 48])
    for (let i = 0; i < pairings.length; i += 4) {
      const square = pairings.slice(i, i + 4)
      for (const seat of [0, 1, 2, 3]) expect(new Set(square.map(({ seats }) => seats[seat])).size).toBe(4)
    }
    expect(new Set(pairings.slice(0, 20).map(({ seats }) => [...seats].sort((a, b) => a - b).join())).size).toBe(5)
  })

  it('is for formats that play all companies, and for bots that remember nothing', () => {
    const settle = { top: 1 }
    expect(() => createTournament(specOf({ kind: 'last-standing', settle }, NAMES))).toThrow(
      'only round-robin, ordered-pairs and groups can be played until settled, not last-standing',
    )
    expect(() => createTournament({ ...specOf({ settle }, NAMES), shuffled: true })).toThrow(/no bot may remember/)
  })
})

describe('a tournament by score until settled', () => {
  const scored = (scores?: TournamentSpec['scores'], budget = 600): TournamentSpec => ({
    ...specOf({ settle: { top: 1, budget } }, ['Ant', 'Bee']),
    scoring: { by: 'score', win: 1, draw: 0.5, loss: 0, ties: [] },
    scores,
  })
  /** What the lower index scores, the other its negative. */
  const byLead =
    (lead: (uniform: number) => number) =>
    ({ key, seats }: Pairing) => {
      const own = lead(stream(key).uniform())
      return { outcome: { place: [1, 1], score: seats.map((entrant) => (entrant === 0 ? own : -own)), reason: '' } }
    }

  it('goes by a test that holds whatever the law where scores have bounds, and says where they have none', () => {
    const play = byLead((u) => 0.2 + 0.8 * u)
    const bounded = playOut(scored({ min: -1, max: 1 }), play)
    expect(bounded.stopped).toMatchObject({ reason: 'settled', decided: 1, exact: true })
    // Never less than a fifth: a gambler who bets all has e-folded often enough after some ten deals.
    expect(bounded.results.size).toBeLessThan(30)
    expect(bounded.tournament.standings(bounded.results).notes[0]).not.toContain('about')
    const unbounded = playOut(scored(), play)
    expect(unbounded.stopped).toMatchObject({ reason: 'settled', exact: false })
    expect(unbounded.results.size).toBeGreaterThanOrEqual(60)
    expect(unbounded.tournament.standings(unbounded.results).notes[0]).toMatch(
      /decided at about 9\d.* for an exact level the game would say between which numbers its scores lie$/,
    )
  })

  it('is not misled by a score that is rare and outweighs all others', () => {
    // Ant gains a little nearly always, and once in three hundred deals loses more: 0 on average.
    const play = byLead((u) => (u < 1 / 300 ? -1 : 1 / 299))
    const { stopped } = playOut(scored({ min: -1, max: 1 }, 160), play)
    expect(stopped).toMatchObject({ reason: 'budget', decided: 0, exact: true })
  })

  it('goes on without one who is out, of whose matches that are lost there is no score', () => {
    const spec: TournamentSpec = { ...scored({ min: -1, max: 1 }), names: ['Ant', 'Bee', 'Cat'], out: [2] }
    const { pairings, stopped } = playOut(
      spec,
      byLead((u) => 0.2 + 0.8 * u),
    )
    expect(stopped?.reason).toBe('settled')
    expect(pairings.every(({ seats }) => !seats.includes(2))).toBe(true)
  })

  it('a turn may count less than the least score of a match, and no more than the greatest', () => {
    const spec = scored({ min: 2, max: 6 })
    const perTurn: TournamentSpec = { ...spec, scoring: { ...spec.scoring, per: 'turn' } }
    const play = ({ seats }: Pairing) => ({
      turns: 8,
      outcome: { place: [1, 1], score: seats.map((entrant) => (entrant === 0 ? 6 : 2)), reason: '' },
    })
    expect(playOut(perTurn, play).stopped).toMatchObject({ reason: 'settled', exact: true })
  })
})
