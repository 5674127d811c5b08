import { type Command, InvalidArgumentError } from 'commander'
import { UserError, visible } from '../core/index.js'
import { type DuelState, duelDocument, hostDuel } from '../app/duel.js'
import { gameNamed } from '../app/game-named.js'
import { jobsOf } from '../app/jobs.js'
import { count, countFrom } from './counts.js'
import { duelText, progressText } from './duel-text.js'
import { contextOf } from './options.js'
import { Progress, type State } from './progress.js'
import { endBotsOnSignals } from './signals.js'
import { print } from './terminal.js'
import { type MatchFlags, addMatchOptions, termsOf } from './words.js'

const HELP = `
The sequential test of chess engine authors: H0, A is elo0 stronger than B; H1, it
is elo1 stronger. Games come in pairs, seats swapped and luck shared, until one of
the two is accepted, wrongly with a probability of 5 % each (--alpha, --beta), or
the budget ends. Bots begin each game afresh; games that repeat one before bring
nothing.

Examples:
  agon duel coup "python3 new.py" "python3 old.py" --sprt 0 20
  agon duel samurai ./mybot Abacus --sprt 0 50 --budget 4000
  agon duel coup Velvet Magpie --sprt=-10,10 --json | jq .decision`

interface DuelFlags extends MatchFlags {
  readonly sprt?: readonly number[]
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
    .requiredOption('--sprt <elo...>', 'elo0 and elo1, such as 0 20', elos)
    .option('--alpha <p>', 'how often H1 may be accepted where H0 holds', probability, 0.05)
    .option('--beta <p>', 'how often H0 may be accepted where H1 holds', probability, 0.05)
    .option('--budget <n>', 'matches at most', countFrom(2), 20_000)
    .option('--jobs <n>', 'pairs played at the same time (default: one a core)', count)
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(async (game: string, a: string, b: string, given: DuelFlags) => {
      endBotsOnSignals()
      const [elo0, elo1, ...more] = given.sprt ?? []
      if (elo0 === undefined || elo1 === undefined || more.length > 0 || elo0 >= elo1)
        throw new UserError('--sprt takes two numbers, elo0 and elo1, the first below the second: --sprt 0 20')
      const { alpha, beta, budget } = given
      const kit = await gameNamed(game)
      let progress: Progress | undefined
      const told = contextOf()
      const notice = (text: string) => (progress === undefined ? told.notice(text) : progress.note(visible(text)))
      const context = { ...told, notice }
      const jobs = jobsOf(given.jobs, undefined, context)
      const options = { ...termsOf(kit, given), ...jobs, test: { elo0, elo1, alpha, beta }, budget }
      let state: DuelState | undefined
      const duel = await hostDuel(kit, [a, b], options, context, (now) => {
        state = now
        progress ??= new Progress(now.names.join(' – '), () => stateOf(state ?? now, budget))
      }).finally(() => progress?.end())
      print(given.json ? JSON.stringify(duelDocument(duel), undefined, 2) : duelText(duel))
    })
}

const stateOf = ({ done, test }: DuelState, budget: number): State => ({
  done,
  total: budget,
  reused: 0,
  leaders: progressText(test),
})

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
