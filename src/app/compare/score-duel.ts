import {
  type GameDefinition,
  UserError,
  answersDigest,
  countedBounds,
  countedScores,
  message,
  option,
} from '../../core/index.js'
import { MeanTest, type MeanTestOptions, type MeanTestState } from '../../stats/index.js'
import type { Context } from '../context.js'
import {
  type DuelFacts,
  type DuelMatch,
  type DuelProgress,
  type PairsOptions,
  REPEATED,
  playDuelPairs,
} from './duel-pairs.js'

/** What a duel by scores came to. */
export interface ScoreDuel extends DuelFacts {
  readonly options: Required<MeanTestOptions>
  readonly test: MeanTestState
  readonly matches: number
  /** How many matches took a course that none before had taken. */
  readonly distinct: number
}

/** What two bots are to be distinguished by. */
export interface ScoreDuelOptions extends PairsOptions {
  readonly mean: Required<MeanTestOptions>
}

export type ScoreDuelState = DuelProgress<MeanTestState>

/**
 * Plays pairs of matches of two bots until the test of the difference of their mean scores decides, or the budget ends; see
 * `playDuelPairs`. Throws UserError also for a margin that no difference can reach.
 */
export async function hostScoreDuel(
  definition: GameDefinition,
  bots: readonly [string, string],
  options: ScoreDuelOptions,
  context: Context,
  on: (state: ScoreDuelState) => void = () => undefined,
): Promise<ScoreDuel> {
  const { mean } = options
  const test = testOf(definition, mean)
  const courses = new Set<string>()
  let done = 0
  const facts = await playDuelPairs(definition, bots, options, context, (pair, names) => {
    for (const { record } of pair) courses.add(String(answersDigest(record)))
    done += pair.length
    if (pair.length > 0) test.add(leadIn(definition, pair))
    const state = test.state()
    on({ names, done, test: state })
    const same = courses.size <= 2 && done >= REPEATED && state.mean === 0
    return state.decision !== 'undecided' || same
  })
  return { ...facts, options: mean, test: test.state(), matches: done, distinct: courses.size }
}

function testOf(definition: GameDefinition, options: Required<MeanTestOptions>): MeanTest {
  const { game, scoring } = definition
  try {
    return new MeanTest(options, countedBounds({ ...scoring }, game.scores))
  } catch (error) {
    throw error instanceof RangeError
      ? new UserError(message`${option('margin', options.margin)}: ${error.message}`)
      : error
  }
}

/** By how much the first scored more, a match of the pair. */
function leadIn({ scoring }: GameDefinition, pair: readonly DuelMatch[]): number {
  const leads = pair.map(({ record, seats }) => {
    const { outcome, steps } = record
    const per = scoring?.per
    const scores = countedScores({ by: 'score', per }, { outcome, turns: steps.length }) ?? []
    const own = seats.indexOf(0)
    return (scores[own] ?? 0) - (scores[1 - own] ?? 0)
  })
  return leads.reduce((sum, lead) => sum + lead, 0) / leads.length
}

/** A duel as one JSON document. */
export function scoreDuelDocument({ game, seed, names, options, test, matches, distinct, faults }: ScoreDuel): unknown {
  const { decision, blocks, mean, interval, above, below, upper, lower, exact } = test
  return {
    game,
    seed,
    first: names[0],
    second: names[1],
    ...options,
    decision,
    matches,
    distinct,
    blocks,
    mean,
    ...(interval && { low: interval[0], high: interval[1] }),
    evidence: { above: finite(above), below: finite(below), upper, lower, exact },
    faults,
  }
}

/** JSON knows no infinite number: there is none of the one or the other kind of evidence yet. */
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)
