import { visible } from '../core/index.js'
import type { Duel } from './duel.js'
import type { ScoreDuel } from './score-duel.js'
import { counted, minus, number, percent, signed } from '../text/index.js'

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
