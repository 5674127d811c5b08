import { type Command, InvalidArgumentError, Option } from 'commander'
import { UserError } from '../core/index.js'
import {
  USUAL,
  duelDocument,
  duelText,
  type DuelState,
  hostDuel,
  hostScoreDuel,
  scoreDuelDocument,
  scoreDuelText,
} from '../app/compare/duel.js'
import { gameNamed } from '../app/look/games.js'
import { jobsOf } from '../app/machine.js'
import { contextOf, count, countFrom } from './options.js'
import { Progress } from './progress.js'
import { endBotsOnSignals } from './exit.js'
import { print, printJson } from './terminal.js'
import { type MatchFlags, addMatchOptions, termsOf } from './words.js'

const HELP = `
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
  agon duel coup Velvet Magpie --sprt=-10,10 --json | jq .decision`

interface DuelFlags extends MatchFlags {
  readonly sprt?: readonly number[]
  readonly by?: 'wins' | 'score'
  readonly margin?: number
  readonly alpha: number
  readonly beta: number
  readonly budget: number
  readonly jobs?: number
  readonly json?: boolean
}

export function duelCommand(command: Command): void {
  addMatchOptions(
    command
      .argument('<game>', 'a game, or the file of one')
      .argument('<a>', "the bot that may be better: a house bot's name, a file, or a quoted command")
      .argument('<b>', 'the bot to beat'),
  )
    .option('--sprt <elo...>', 'elo0 and elo1 (default: 0 50)', elos)
    .addOption(new Option('--by <what>', 'what counts (default: as the game says)').choices(['wins', 'score']))
    .option('--margin <score>', 'by how much better A must be, if scores count (default: 0)', margin)
    .option('--alpha <p>', 'how often H1 may be accepted if H0 is true', probability, 0.05)
    .option('--beta <p>', 'how often H0 may be accepted if H1 is true', probability, 0.05)
    .option('--budget <n>', 'matches at most', countFrom(2), 20_000)
    .option('--jobs <n>', 'pairs played at the same time (default: one per core)', count)
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(async (game: string, a: string, b: string, given: DuelFlags) => {
      endBotsOnSignals()
      const definition = await gameNamed(game, a)
      const byScore = (given.by ?? definition.scoring?.by) === 'score'
      const [unfit, why] = byScore
        ? ['sprt', 'of Elo, and scores count here']
        : ['margin', 'of scores, and wins count here']
      if (given[unfit as 'sprt' | 'margin'] !== undefined) throw new UserError(`--${unfit} is a matter ${why}`)
      const progress = new Progress()
      const context = { ...contextOf(), notice: (text: string) => progress.note(text) }
      const { budget, alpha, beta } = given
      const on = ({ names, done, evidence }: DuelState): void =>
        progress.see(names.join(' – '), { done, leaders: evidence })
      const options = { ...termsOf(definition, given), ...jobsOf(given.jobs, undefined, context), budget, on }
      const end = () => progress.end()
      if (byScore) {
        const mean = { margin: given.margin ?? 0, alpha, beta }
        const duel = await hostScoreDuel(definition, [a, b], { ...options, mean }, context).finally(end)
        return given.json ? printJson(scoreDuelDocument(duel)) : print(scoreDuelText(duel))
      }
      const test = { ...elosOf(given.sprt), alpha, beta }
      const duel = await hostDuel(definition, [a, b], { ...options, test }, context).finally(end)
      return given.json ? printJson(duelDocument(duel)) : print(duelText(duel))
    })
}

function elosOf(given?: readonly number[]): { readonly elo0: number; readonly elo1: number } {
  if (given === undefined) return USUAL
  const [elo0, elo1, ...more] = given
  if (elo0 === undefined || elo1 === undefined || more.length > 0 || elo0 >= elo1)
    throw new UserError('--sprt takes two numbers, elo0 and elo1, the first below the second: --sprt 0 20')
  return { elo0, elo1 }
}

function elos(value: string, before: readonly number[] = []): number[] {
  const given = value.split(',').map((text) => (text.trim() === '' ? NaN : Number(text)))
  if (!given.every(Number.isFinite)) throw new InvalidArgumentError('It takes two numbers.')
  return [...before, ...given]
}

function probability(value: string): number {
  const p = Number(value)
  if (!(p > 0 && p < 0.5)) throw new InvalidArgumentError('It must be above 0 and below 0.5.')
  return p
}

function margin(value: string): number {
  const n = value.trim() === '' ? NaN : Number(value)
  if (!(n >= 0 && n < Infinity)) throw new InvalidArgumentError('It must be a number from 0.')
  return n
}
