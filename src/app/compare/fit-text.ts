import { visible } from '../../core/index.js'
import type { Fit } from '../../stats/index.js'
import { percent } from '../../text/index.js'

/**
 * Where p is below, strengths do not explain a field. Its distribution is approximated and errs a little: with this bound fields that they
 * do explain are refused in 5 % at most (`npm run bench -- coverage fit`).
 */
export const UNFIT = 0.04
/** Pairs that are named. */
const NAMED = 3

/** How well one number for each explains who scored what against whom, and whom it misjudges. */
export function fitLines(fit: Fit | undefined, names: readonly string[]): readonly string[] {
  if (fit === undefined) return []
  const { explained, chiSquare, df, p, pairs } = fit
  const figures = `χ² ${chiSquare.toFixed(1)} on ${df} degrees of freedom, p ${p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`}`
  const share = `One strength for each explains ${percent(explained)} of how far results are from even games (deviance)`
  if (p >= UNFIT) return [`${share}; chance explains the rest (${figures}).`]
  const name = (entrant: number): string => visible(names[entrant] ?? '')
  const worst = pairs
    .slice(0, NAMED)
    .map(
      ({ pair: [a, b], scored, expected }) =>
        `${name(a)} against ${name(b)} (scored ${percent(scored)}, ${percent(expected)} expected)`,
    )
  return [`${share}; chance does not explain the rest (${figures}). It misjudges most ${worst.join('; ')}.`]
}

/** The same for programs. */
export const fitDocument = ({ explained, chiSquare, df, p, pairs }: Fit, names: readonly string[]): unknown => ({
  explained,
  chiSquare,
  df,
  p,
  misjudged: pairs.slice(0, 2 * NAMED).map(({ pair: [a, b], scored, expected, by }) => ({
    first: names[a] ?? '',
    second: names[b] ?? '',
    scored,
    expected,
    by,
  })),
})
