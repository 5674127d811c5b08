import { describe, expect, it } from 'vitest'
import {
  type GameDefinition,
  type Pairing,
  type Result,
  countedScores,
  matchLuck,
  outcomeOf,
  allActions,
} from '../src/core/index.js'
import { stream } from '../src/stats/stream.js'
import kuhn from '../src/games/kuhn/index.js'
import type { View as KuhnView } from '../src/games/kuhn/rules.js'
import { policy } from '../src/games/kuhn/bots/keel.js'
import leduc from '../src/games/leduc/index.js'
import type { View as LeducView } from '../src/games/leduc/rules.js'
import { equalLuckOfScores, meansOf, scoredCompanies, scoredGamesOf } from '../src/stats/index.js'
import { createTournament } from '../src/tournament/index.js'
import dilemma, { type View as DilemmaView } from './games/dilemma.js'
import { pairingsOf, specOf } from './kit/tournament.js'

type Strategy<View> = (view: View, chance: () => number) => string

/** A match by the rules alone; its luck is its deal's. */
function match<View>(
  { game, scoring }: GameDefinition,
  bots: readonly Strategy<View>[],
  names: readonly string[],
  { key, seats, deal }: Pairing,
): Result {
  let state = game.setup(
    2,
    game.options,
    matchLuck(
      'scores',
      game.id,
      seats.map((entrant) => names[entrant] ?? ''),
      deal,
    ),
  )
  const luck = stream('bots', key)
  for (let turns = 0; ; turns++) {
    const outcome = outcomeOf({ game, scoring }, state, 2)
    if (outcome) return { key, seats, outcome, turns }
    const due = game.toMove(state)
    const moves = seats.map((entrant, seat) =>
      due.includes(seat) ? bots[entrant]?.(game.view(state, seat) as View, () => luck.uniform()) : undefined,
    )
    state = game.play(state, moves)
  }
}

describe("the iterated prisoner's dilemma", () => {
  const strategies: Readonly<Record<string, Strategy<DilemmaView>>> = {
    Cooperator: () => 'trust',
    Defector: () => 'betray',
    'Tit for tat': ({ theirs }) => (theirs.at(-1) ? 'betray' : 'trust'),
    Grudger: ({ theirs }) => (theirs.includes(true) ? 'betray' : 'trust'),
    Pavlov: ({ mine, theirs }) => (mine.at(-1) === theirs.at(-1) ? 'trust' : 'betray'),
  }
  const names = Object.keys(strategies)
  // By hand: 200 turns of 3; 200 of 5 or 0; once 5 or 0 and then 1; Pavlov and the defector 5 and 1 in turn, against 0 and 1.
  const table: Readonly<Record<string, readonly number[]>> = {
    Cooperator: [600, 0, 600, 600, 600],
    Defector: [1000, 200, 204, 204, 600],
    'Tit for tat': [600, 199, 600, 600, 600],
    Grudger: [600, 199, 600, 600, 600],
    Pavlov: [600, 100, 600, 600, 600],
  }
  const spec = specOf(names, { format: { self: true, repetitions: 2, swap: true }, scoring: { by: 'score' } })
  const tournament = createTournament(spec)
  const results = new Map(
    pairingsOf(tournament).map((pairing) => [pairing.key, match(dilemma, Object.values(strategies), names, pairing)]),
  )

  it('has the table that Axelrod would have reckoned: kindness pays, and the defector is last', () => {
    const points = Object.fromEntries(tournament.standings(results).rows.map((row) => [row.name, row.points]))
    for (const name of names)
      expect(points[name], name).toBeCloseTo((table[name] ?? []).reduce((a, b) => a + b, 0) / 5, 9)
    expect(tournament.standings(results).rows.at(-1)?.name).toBe('Defector')
  })

  it('by wins the defector is first, who never loses a match; a turn is worth a two-hundredth', () => {
    const wins = createTournament(specOf(names, { format: { repetitions: 2, swap: true } }))
    expect(wins.standings(results).rows[0]?.name).toBe('Defector')
    const [one] = [...results.values()]
    const scores = one?.outcome.score ?? []
    expect(one && countedScores({ by: 'score', per: 'turn' }, one)).toEqual(scores.map((score) => score / 200))
  })
})

describe('Kuhn poker with duplicate deals', () => {
  /** The house's equilibrium, and one that bets whatever it holds. */
  const equilibrium: Strategy<KuhnView> = (view, chance) => (chance() < policy(view).bet ? 'bet' : 'pass')
  const names = ['Kuhn', 'Maniac']
  const bots = [equilibrium, (): string => 'bet']
  const spec = specOf(names, { format: { repetitions: 3000, swap: true }, scoring: { by: 'score' } })
  const pairings = pairingsOf(createTournament(spec))
  const results = pairings.map((pairing) => match(kuhn, bots, names, pairing))
  const games = (mirrored: boolean) =>
    scoredGamesOf(results, spec.scoring, {
      deal: ({ key }) => (mirrored ? (pairings.find((one) => one.key === key)?.deal ?? 0) : key),
    })

  it('is zero-sum: what one wins the other loses, and so do their means', () => {
    expect(results.every(({ outcome: { score = [] } }) => score[0] === -(score[1] ?? 0))).toBe(true)
    const { mean } = meansOf(scoredCompanies(games(true)), 2)
    expect((mean[0] ?? 0) + (mean[1] ?? 0)).toBeCloseTo(0, 9)
    expect(Math.abs((mean[0] ?? 0) - exact())).toBeLessThan(
      4 * Math.sqrt(meansOf(scoredCompanies(games(true)), 2).of(0).variance),
    )
  })

  it('varies less than with deals of their own', () => {
    const mirrored = meansOf(scoredCompanies(games(true)), 2).difference(0, 1)
    const alone = meansOf(scoredCompanies(games(false)), 2).difference(0, 1)
    expect(mirrored.value).toBeCloseTo(alone.value, 9)
    expect(mirrored.variance).toBeLessThan(0.9 * alone.variance)
    expect(equalLuckOfScores(games(true)).effect).toBeCloseTo(mirrored.variance / alone.variance, 1)
  })

  /**
   * What Kuhn wins a match of the maniac, by hand. As the second it pays with the king, and with the queen in a third: +2 or −2, else it
   * loses 1. As the first it bets the king in a half and the jack in a sixth, is called, and pays else with the king, and with the queen in
   * a half.
   */
  function exact(): number {
    const pays = [
      { K: 1, Q: 1 / 3, J: 0 },
      { K: 1, Q: 1 / 2, J: 1 / 6 },
    ]
    let sum = 0
    for (const { K, Q, J } of pays) {
      // Of six deals the king meets two lower cards, the jack two higher ones, the queen one of each.
      sum += 2 * K * 2 - 2 * (1 - K) + Q * (2 - 2) - 2 * (1 - Q) - 2 * J * 2 - 2 * (1 - J)
    }
    return sum / 12
  }
})

describe('Leduc with duplicate deals', () => {
  const raisesOr = (view: LeducView, raises: boolean, other: string): string =>
    raises && allActions(leduc.game.legal(view)).includes('raise') ? 'raise' : other
  const tight: Strategy<LeducView> = (view) => {
    const { card, table, chips } = view
    const isGood = card === table || (card === 'K' && table === '')
    return raisesOr(view, isGood, card === 'J' && chips[0] !== chips[1] && !isGood ? 'fold' : 'call')
  }
  const loose: Strategy<LeducView> = (view, chance) => raisesOr(view, chance() < 0.3, 'call')
  const names = ['Tight', 'Loose']
  const spec = specOf(names, { format: { repetitions: 2000, swap: true }, scoring: { by: 'score' } })
  const pairings = pairingsOf(createTournament(spec))
  const results = pairings.map((pairing) => match(leduc, [tight, loose], names, pairing))
  const deals = new Map(pairings.map(({ key, deal }) => [key, deal]))

  it('is zero-sum within its bounds, and the tight one wins', () => {
    for (const { outcome } of results) {
      const [a = 0, b = 0] = outcome.score ?? []
      expect(a + b).toBe(0)
      expect(Math.abs(a)).toBeLessThanOrEqual(13)
    }
    const { mean } = meansOf(scoredCompanies(scoredGamesOf(results, spec.scoring, { deal: ({ key }) => key })), 2)
    expect(mean[0]).toBeGreaterThan(0)
    expect(mean[0]).toBeCloseTo(-(mean[1] ?? 0), 9)
  })

  it('varies less where both have the same cards', () => {
    const variance = (deal: (result: Result) => string | number): number =>
      meansOf(scoredCompanies(scoredGamesOf(results, spec.scoring, { deal })), 2).difference(0, 1).variance
    expect(variance(({ key }) => deals.get(key) ?? 0)).toBeLessThan(0.8 * variance(({ key }) => key))
  })
})

it('a race of four counts its times: the mean of each over all groups, places left out', () => {
  const names = ['Ant', 'Bee', 'Cat', 'Dog', 'Eel']
  const race = {
    id: 'race',
    outcome: (times: unknown) => ({ score: (times as number[]).map((time) => -time), reason: 'end' }),
  }
  const spec = specOf(names, {
    format: { kind: 'groups', size: 4 },
    seats: { min: 4, max: 4 },
    scoring: { by: 'score' },
  })
  const tournament = createTournament(spec)
  // Seconds: each its own, and a tenth for each seat from the inside.
  const results = new Map(
    pairingsOf(tournament).map((pairing): [string, Result] => {
      const times = pairing.seats.map((entrant, seat) => 10 + entrant + seat / 10)
      const outcome = outcomeOf({ game: race as unknown as GameDefinition['game'] }, times, 4)
      return [pairing.key, { key: pairing.key, seats: pairing.seats, outcome: outcome ?? { place: [], reason: '' } }]
    }),
  )
  expect([...results.values()].every(({ outcome: { place } }) => new Set(place).size === 4)).toBe(true)
  expect(tournament.standings(results).rows.map(({ name, points }) => [name, points])).toEqual(
    names.map((name, entrant) => [name, -(10.15 + entrant)]),
  )
})
