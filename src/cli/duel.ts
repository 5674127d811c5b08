import { InvalidArgumentError } from 'commander'
import { UserError } from '../core/index.js'
import {
  type DuelState,
  USUAL,
  duelDocument,
  duelText,
  hostDuel,
  hostScoreDuel,
  scoreDuelDocument,
  scoreDuelText,
} from '../app/compare/duel.js'
import { gameNamed } from '../app/look/games.js'
import { jobsOf } from '../app/machine.js'
import { endBotsOnSignals } from './exit.js'
import { GAME, JSON_DOCUMENT, MATCH, contextOf, termsOf } from './options.js'
import { Progress } from './progress.js'
import { printEither } from './terminal.js'
import { count, countFrom, numberIf, value, verb } from './verb.js'

const probability = numberIf((p) => p > 0 && p < 0.5, 'above 0 and below 0.5')
const margin = numberIf((n) => n >= 0 && n < Infinity, 'a number from 0')

export const duelCommand = verb({
  takes: [
    GAME,
    ['<a>', "the bot that may be better: a house bot's name, a file, or a quoted command"],
    ['<b>', 'the bot to beat'],
  ],
  options: {
    ...MATCH,
    sprt: value('<elo...>', 'elo0 and elo1 (default: 0 50)', elos),
    by: { ...value('<what>', 'what counts (default: as the game says)'), choices: ['wins', 'score'] },
    margin: value('<score>', 'by how much better A must be, if scores count (default: 0)', margin),
    alpha: value('<p>', 'how often H1 may be accepted if H0 is true', probability, 0.05),
    beta: value('<p>', 'how often H0 may be accepted if H1 is true', probability, 0.05),
    budget: value('<n>', 'matches at most', countFrom(2), 20_000),
    jobs: value('<n>', 'pairs played at the same time (default: one per core)', count),
    ...JSON_DOCUMENT,
  },
  help: `
A sequential test: H0, A is not elo0 stronger than B; H1, it is elo1 stronger.
agon plays pairs of games, with seats swapped and luck shared, until it accepts one
of the two, or the budget is used up. It accepts the wrong one with a probability of
5 % at most (--alpha, --beta). Bots start each game afresh; games that repeat
another one do not count.

If scores count (by the game, or --by score), it tests the difference of the mean
scores: H1, A has more; H0, it does not have --margin more.

Examples:
  agon duel samurai ./mybot Abacus
  agon duel coup "python3 new.py" "python3 old.py" --sprt 0 20
  agon duel coup Velvet Magpie --sprt=-10,10 --json | jq .decision`,
  async run(given, game: string, a: string, b: string) {
    endBotsOnSignals()
    const definition = await gameNamed(game, a)
    const byScore = (given.by ?? definition.scoring?.by) === 'score'
    if (byScore && given.sprt) throw new UserError('--sprt is a matter of Elo, and scores count here')
    if (!byScore && given.margin !== undefined)
      throw new UserError('--margin is a matter of scores, and wins count here')
    const progress = new Progress()
    const context = { ...contextOf(), notice: (text: string) => progress.note(text) }
    const { budget, alpha, beta } = given
    const on = ({ names, done, evidence }: DuelState): void =>
      progress.follow(names.join(' – '), () => ({ done, leaders: () => evidence }))
    const options = { ...termsOf(definition, given), ...jobsOf(given.jobs, undefined, context), budget, on }
    const end = () => progress.end()
    if (byScore) {
      const mean = { margin: given.margin ?? 0, alpha, beta }
      const duel = await hostScoreDuel(definition, [a, b], { ...options, mean }, context).finally(end)
      return printEither(given, scoreDuelDocument(duel), () => scoreDuelText(duel))
    }
    const test = { ...elosOf(given.sprt), alpha, beta }
    const duel = await hostDuel(definition, [a, b], { ...options, test }, context).finally(end)
    printEither(given, duelDocument(duel), () => duelText(duel))
  },
})

function elosOf(given?: readonly number[]): { readonly elo0: number; readonly elo1: number } {
  if (given === undefined) return USUAL
  const [elo0, elo1, ...more] = given
  if (elo0 === undefined || elo1 === undefined || more.length > 0 || elo0 >= elo1)
    throw new UserError('--sprt takes two numbers, elo0 and elo1, the first below the second: --sprt 0 20')
  return { elo0, elo1 }
}

function elos(text: string, before: readonly number[] = []): readonly number[] {
  const given = text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)))
  if (!given.every(Number.isFinite)) throw new InvalidArgumentError('It takes two numbers.')
  return [...before, ...given]
}
