import type { FormatSpec, Outcome, Result, ScoringSpec, Tournament, TournamentSpec } from '../core/index.js'
import {
  type Chances,
  type PairChances,
  type PairLaw,
  type Probability,
  type RankInterval,
  type RatedGame,
  type Stream,
  drawnOf,
  intervalsOf,
  pairLaws,
  rangeOf,
  stream,
} from '../stats/index.js'
import { createTournament, formatOf } from '../tournament/index.js'

/** A tournament that was played. */
export interface HeldTournament {
  readonly format: FormatSpec
  readonly scoring: ScoringSpec
  /** The games of the field, all of two. */
  readonly games: readonly RatedGame[]
  /** By entrant: the rank that it has. */
  readonly ranks: readonly number[]
}

/** Repetitions at most; and results looked at in all, except in the first hundred. */
const MOST = 1000
const LOOKS = 500_000
const LEAST = 100

/**
 * How a tournament would repeat among the same entrants: in its own format and worths, with results drawn as the known
 * ones leave open (`pairLaws`). By entrant: how often it is first, a shared place divided, or between which shares, by
 * how widely strengths may spread; and the middle 95 % of its ranks, its own included. `most`: repetitions at most.
 */
export function heldAgain(
  { format, scoring, games, ranks }: HeldTournament,
  most = MOST,
): { readonly first: readonly Probability[]; readonly ranks: readonly RankInterval[] } {
  const luck = stream('held again')
  const names = ranks.map((_, i) => String(i).padStart(6, '0'))
  // A drawn result has no tallies of the game.
  const spec = { ...SPEC, format, scoring: { ...scoring, ties: [] }, names, seed: 'again' }
  // Its schedule has no chance.
  const survival = formatOf(format.kind).survival && createTournament(bySums(spec))
  const hold = (chances: PairChances, time: number) => {
    if (survival) return playedOut(survival, (a, b) => sumsOf(spec, chances(a, b), luck), format.repetitions)
    const tournament = createTournament({ ...spec, seed: `again ${time}` })
    return playedOut(tournament, (a, b) => ({ place: PLACES[drawn(chances(a, b), luck.uniform())], reason: '' }))
  }
  const { laws, apart } = pairLaws(games, ranks.length)
  const best = Math.max(...laws.map(({ evidence }) => evidence))
  const { looked } = hold((laws[0] as PairLaw).law(luck), 0)
  const all = Math.min(most, Math.max(LEAST, Math.floor(LOOKS / looked)))
  const first = ranks.map(() => 0)
  const range = ranks.map((): [number, number] => [1, 0])
  const rankedAs = ranks.map((): number[] => [])
  /** How often each is first; ranks are of all spreads together, `counted` times of this. */
  const held = (law: PairLaw['law'], times: number, counted: number): readonly number[] => {
    const own = ranks.map(() => 0)
    for (let time = 1; time <= times; time++) {
      const { rows } = hold(law(luck), time).standings
      const top = rows.filter(({ rank }) => rank === 1).length
      for (const { entrant, rank } of rows) {
        if (time <= counted) rankedAs[entrant]?.push(rank)
        if (rank === 1) own[entrant] = (own[entrant] as number) + 1 / top / times
      }
    }
    return own
  }
  const widen = (own: readonly number[]): void =>
    own.forEach((chance, i) => {
      const [low, high] = range[i] as [number, number]
      range[i] = [Math.min(low, chance), Math.max(high, chance)]
    })
  for (const { share, evidence, law } of laws) {
    const { isPlausible, times } = drawnOf({ share, evidence }, best, all)
    const own = held(law, times, share * all)
    own.forEach((chance, i) => (first[i] = (first[i] as number) + share * chance))
    if (isPlausible && times > 0) widen(own)
  }
  if (apart) widen(held(apart, Math.ceil(all / 3), 0))
  return {
    first: first.map((chance, i) => rangeOf(chance, ...(range[i] as [number, number]))),
    ranks: intervalsOf(rankedAs, ranks),
  }
}

const SPEC = { seats: { min: 2, max: 2 }, shuffled: false } as const

/** Last player standing asks only for a pair's sum of points in a round: it is one match, with sums as scores. */
const bySums = (spec: TournamentSpec): TournamentSpec => ({
  ...spec,
  format: { ...spec.format, repetitions: 1, swap: false },
  scoring: { ...spec.scoring, by: 'score', of: 'total' },
})

/** What the two seats' matches of a round come to. */
function sumsOf({ format, scoring }: TournamentSpec, [won, even]: Chances, luck: Stream): Outcome {
  const n = format.repetitions
  const wins = binomial(n, won, luck)
  const draws = wins < n ? binomial(n - wins, Math.min(1, even / (1 - won)), luck) : 0
  const losses = n - wins - draws
  const { win, draw, loss } = scoring
  return {
    place: [1, 1],
    score: [wins * win + draws * draw + losses * loss, losses * win + draws * draw + wins * loss],
    reason: '',
  }
}

/** Trials drawn by one number: with more, the chance that none succeeds may underflow. */
const TRIALS = 64

/** How many of `n` trials succeed, each with chance `p`: by the distribution function, from none on. */
export function binomial(n: number, p: number, luck: Stream): number {
  if (p > 0.5) return n - binomial(n, 1 - p, luck)
  if (n > TRIALS) return binomial(TRIALS, p, luck) + binomial(n - TRIALS, p, luck)
  let left = luck.uniform()
  let chance = (1 - p) ** n
  let count = 0
  while (left >= chance && count < n) {
    left -= chance
    chance *= ((n - count) / (count + 1)) * (p / (1 - p))
    count++
  }
  return count
}

/** Both places, by the first's result. */
const PLACES = [
  [1, 2],
  [1, 1],
  [2, 1],
] as const

/** The first's result, by a number in [0, 1): 0 a win, 1 a draw, 2 a loss. */
function drawn([win, draw]: Chances, number: number): 0 | 1 | 2 {
  if (number < win) return 0
  return number < win + draw ? 1 : 2
}

/** Plays a tournament to its end; `looked`: at how many results of `each` matches, round by round. */
function playedOut(tournament: Tournament, play: (first: number, second: number) => Outcome, each = 1) {
  const results = new Map<string, Result>()
  let looked = 0
  for (let round = tournament.next(results); round !== undefined; round = tournament.next(results)) {
    const before = results.size
    for (const { pairings } of round.series)
      for (const { key, seats } of pairings)
        if (!results.has(key)) results.set(key, { key, seats, outcome: play(seats[0] ?? 0, seats[1] ?? 0) })
    looked += each * results.size
    if (results.size === before) break
  }
  return { looked, standings: tournament.standings(results) }
}
