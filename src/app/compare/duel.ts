import { type GameDefinition, answersDigest, visible } from '../../core/index.js'
import {
  type DuelGame,
  type Sprt,
  type SprtOptions,
  duelElo,
  expectedMatches,
  isFixed,
  normalizedElo,
  sprt,
} from '../../stats/index.js'
import type { Context } from '../context.js'
import {
  type DuelFacts,
  type DuelMatch,
  type DuelProgress,
  type PairsOptions,
  REPEATED,
  playDuelPairs,
} from './duel-pairs.js'
import type { ScoreDuel } from './score-duel.js'
import { counted, minus, number, percent, signed } from '../../text/index.js'

/** What a duel came to. */
export interface Duel extends DuelFacts {
  readonly options: Required<SprtOptions>
  readonly test: Sprt
  /** Of the first: won, drawn, lost. */
  readonly score: readonly [number, number, number]
  /** Each order of seats was played more than once and was one game each time: more matches would show nothing. */
  readonly fixed: boolean
  /** How much stronger the first is, in Elo, with its 95 % interval. */
  readonly elo: { readonly rating: number; readonly low: number; readonly high: number }
  /** The difference in standard deviations of a game (`normalizedElo`). */
  readonly normalized: number | undefined
  /** About how many matches it was to take. */
  readonly expected: number
}

/** What is tested where nothing else is asked for: is it any better, or 50 Elo better? */
export const USUAL = { elo0: 0, elo1: 50 } as const

/** What two bots are to be distinguished by. */
export interface DuelOptions extends PairsOptions {
  readonly test: Required<SprtOptions>
}

export type DuelState = DuelProgress<Sprt>

/**
 * Plays pairs of matches of two bots until the sequential test decides, or the budget ends; what it comes to does not depend on how
 * many are played at the same time (`playDuelPairs`, with all that this throws). `on` receives the state before the first match and after
 * each pair that counts.
 */
export async function hostDuel(
  definition: GameDefinition,
  bots: readonly [string, string],
  options: DuelOptions,
  context: Context,
  on: (state: DuelState) => void = () => undefined,
): Promise<Duel> {
  const games: DuelGame[] = []
  let test = sprt(games, 0, options.test)
  const { elo0, elo1 } = options.test
  const expected = expectedMatches(options.test)
  const facts = await playDuelPairs(definition, bots, options, context, (pair, names) => {
    if (pair.length === 0)
      context.notice(`${elo0} or ${elo1} Elo? About ${expected} matches if either is true, fewer beyond, more between.`)
    games.push(...pair.map(gameOf))
    test = sprt(games, 0, options.test)
    on({ names, done: games.length, test })
    return test.decision !== 'undecided' || (test.distinct <= 2 && test.matches >= REPEATED)
  })
  return {
    ...facts,
    options: options.test,
    test,
    score: scoreOf(games),
    fixed: isFixed(games),
    elo: duelElo(games, 0),
    normalized: normalizedElo(test.pentanomial),
    expected,
  }
}

const gameOf = ({ record, seats }: DuelMatch): DuelGame => ({
  entrants: seats,
  place: record.outcome.place,
  block: record.luck.seed,
  course: String(answersDigest(record)),
})

function scoreOf(games: readonly DuelGame[]): Duel['score'] {
  const leads = games.map(({ entrants, place }) => {
    const me = entrants.indexOf(0)
    return Math.sign((place[1 - me] ?? 0) - (place[me] ?? 0))
  })
  const of = (sign: number) => leads.filter((lead) => lead === sign).length
  return [of(1), of(0), of(-1)]
}

/** A duel as one JSON document. */
export function duelDocument(duel: Duel): unknown {
  const { game, seed, names, options, test, score, elo, normalized, expected, faults } = duel
  const [wins, draws, losses] = score
  return {
    game,
    seed,
    first: names[0],
    second: names[1],
    ...options,
    expected,
    ...test,
    score: { wins, draws, losses },
    elo,
    normalized,
    faults,
  }
}

/** What a duel came to, for people. */
export function duelText({ names, options, test, score, elo, normalized, faults, seed }: Duel): string {
  const [a = '', b = ''] = names.map(visible)
  const [wins, draws, losses] = score
  const { elo0, elo1 } = options
  const what = {
    H1: `H1: ${a} is more than ${elo0} Elo stronger than ${b}`,
    H0: `H0: ${a} is less than ${elo1} Elo stronger than ${b}`,
    undecided: `undecided between ${elo0} Elo (H0) and ${elo1} Elo (H1)`,
  }[test.decision]
  const repeated =
    test.distinct < test.matches
      ? `Only ${test.distinct} of them ${test.distinct === 1 ? 'is' : 'are'} no repetition of one before.`
      : ''
  return [
    `${a} – ${b}: ${what}`,
    '',
    `${counted(test.matches, 'match', 'matches')}: ${wins} won, ${draws} drawn, ${losses} lost; seed ${visible(seed)}`,
    ...(repeated ? [repeated] : []),
    `Pairs by what ${a} scored of 2: ${test.pentanomial.map((n, i) => `${i / 2}: ${n}`).join(', ')}`,
    `Strength: ${signed(elo.rating)} Elo, 95 % interval ${signed(elo.low)} … ${signed(elo.high)}`,
    ...(normalized === undefined
      ? []
      : [`Normalized Elo ${signed(normalized)}: what decides how many matches it takes`]),
    `Evidence ${evidenceText({ ...test, lower: -test.lower })}`,
    ...faults.flatMap((n, bot) => (n === 0 ? [] : [`${visible(names[bot] ?? '')}: ${counted(n, 'fault')}`])),
  ].join('\n')
}

/** The same where scores count. */
export function scoreDuelText({ names, options, test, matches, distinct, faults, seed }: ScoreDuel): string {
  const [a = '', b = ''] = names.map(visible)
  const more = options.margin > 0 ? `${number(options.margin)} more a match than` : 'more a match than'
  const what = {
    H1: `H1: ${a} scores more a match than ${b}`,
    H0: `H0: ${a} does not score ${more} ${b}`,
    undecided: `undecided whether ${a} scores ${more} ${b}`,
  }[test.decision]
  const { mean, interval, exact } = test
  const rates = `H1 ${percent(options.alpha)}, H0 ${percent(options.beta)}`
  const range = interval
    ? `; 95 % interval of the difference: ${difference(interval[0])} … ${difference(interval[1])}`
    : ''
  return [
    `${a} – ${b}: ${what}`,
    '',
    `${counted(matches, 'match', 'matches')}, ${distinct} of them no repetition of one before; seed ${visible(seed)}`,
    `${a} scores ${number(Math.abs(mean))} ${mean < 0 ? 'less' : 'more'} a match${range}`,
    `Evidence ${evidenceText(test)}`,
    exact
      ? `The game says between which numbers scores lie: the error rates (${rates}) hold whatever their law.`
      : `The game does not say between which numbers scores lie: the error rates (${rates}) hold as matches are many.`,
    ...faults.flatMap((n, bot) => (n === 0 ? [] : [`${visible(names[bot] ?? '')}: ${counted(n, 'fault')}`])),
  ].join('\n')
}

/** 'for H1 2.10 (decides at 3.00), for H0 −0.40 (3.00)'. */
export const evidenceText = ({
  above,
  below,
  upper,
  lower,
}: Pick<ScoreDuel['test'], 'above' | 'below' | 'upper' | 'lower'>): string =>
  `for H1 ${figure(above)} (decides at ${upper.toFixed(2)}), for H0 ${figure(below)} (${lower.toFixed(2)})`

const difference = (value: number): string => minus(number(value))

const figure = (value: number): string => (Number.isFinite(value) ? minus(value.toFixed(2)) : value > 0 ? '∞' : 'none')
