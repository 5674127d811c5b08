import { visible } from '../core/index.js'
import type { Duel } from '../app/duel.js'
import { counted, minus, signed } from '../text/index.js'

/** What a duel came to, for people. */
export function duelText({ names, options, test, score, elo, faults, seed }: Duel): string {
  const [a = '', b = ''] = names.map(visible)
  const [wins, draws, losses] = score
  const { elo0, elo1 } = options
  const what = {
    H1: `H1: ${a} is ${elo1} Elo stronger than ${b} rather than ${elo0}`,
    H0: `H0: ${a} is ${elo0} Elo stronger than ${b} rather than ${elo1}`,
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
    `Log-likelihood ratio ${progressText(test)}`,
    ...faults.flatMap((n, bot) => (n === 0 ? [] : [`${visible(names[bot] ?? '')}: ${counted(n, 'fault')}`])),
  ].join('\n')
}

/** '1.23, H0 below −2.94, H1 above 2.94'. */
export const progressText = ({ llr, lower, upper }: Duel['test']): string =>
  `${minus(llr.toFixed(2))}, H0 below ${minus(lower.toFixed(2))}, H1 above ${upper.toFixed(2)}`
