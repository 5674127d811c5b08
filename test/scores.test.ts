import { describe, expect, it } from 'vitest'
import {
  type GameDefinition,
  type Pairing,
  type Result,
  countedScores,
  matchLuck,
  outcomeOf,
} from '../src/core/index.js'
import { stream } from '../src/core/stream.js'
import { equalLuckOfScores, meansOf, scoredCompanies, scoredGamesOf } from '../src/rating/index.js'
import { createTournament } from '../src/tournament/index.js'
import dilemma, { type View as DilemmaView } from './games/dilemma.js'
import kuhn, { type View as KuhnView } from './games/kuhn.js'
import leduc, { type View as LeducView } from './games/leduc.js'
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
    const outcome = outcomeOf({ game, ...(scoring && { scoring }) }, state, 2)
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
  /** The equilibrium with α = 0 (Kuhn 1950), and one that bets whatever it holds. */
  const equilibrium: Strategy<KuhnView> = ({ card, said }, chance) => {
    if (said.length === 0) return 'pass'
    const third = chance() < 1 / 3
    if (said.at(-1) === 'bet') return card === 2 || (card === 1 && third) ? 'bet' : 'pass'
    return card === 2 || (card === 0 && third) ? 'bet' : 'pass'
  }
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

  /** What Kuhn wins a match of the maniac, over all deals and both seats: king calls and wins 2, queen calls in a third, a jack folds. */
  function exact(): number {
    let sum = 0
    for (const [own, other] of [
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 2],
      [2, 0],
      [2, 1],
    ] as const) {
      const showdown = own > other ? 2 : -2
      const calls = own === 2 ? 1 : own === 1 ? 1 / 3 : 0
      sum += calls * showdown + (1 - calls) * -1
    }
    return sum / 6
  }
})

describe('Leduc with duplicate deals', () => {
  const tight: Strategy<LeducView> = ({ card, table, chips: [a, b] }) => {
    if (card === table || (card === 2 && table === undefined)) return 'raise'
    return card === 0 && a !== b ? 'fold' : 'call'
  }
  const loose: Strategy<LeducView> = (_view, chance) => (chance() < 0.3 ? 'raise' : 'call')
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
