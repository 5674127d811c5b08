import { type Command, InvalidArgumentError } from 'commander'
import { UserError } from '../core/index.js'
import { replayMatch } from '../app/look/replay.js'
import { type GamedFlags, addGamedOptions, contextOf, runOf } from './options.js'
import { stepThrough } from './pager.js'
import { ReplayPages } from './replay-pages.js'
import { outputColumns, print } from './terminal.js'

const HELP = `
Keys: → or space next, ← back, ↑ ten back, ↓ ten on, home, end, q quit. If the
output is not a terminal, every turn is printed.

Examples:
  agon replay agon-results/gunduel-7
  agon replay results/records.jsonl --match 12 --turn 5
  agon replay results --match 1/Ant-Bee/3
  agon replay friday.toml --match 1/Ant-Bee/3
  agon replay friday/ --match 3                the third match of a league`

export function replayCommand(command: Command): void {
  addGamedOptions(command)
    .argument('<records>', 'a file of match records, the results folder that holds one, or a contest that was run')
    .option('--match <n>', 'which match: its number in the file, from 1, or its key', '1')
    .option('--turn <n>', 'the turn to begin with (without a terminal: the only one)', turn)
    .addHelpText('after', HELP)
    .action(async (source: string, given: ReplayFlags) => {
      const replay = await replayMatch({ ...runOf(source, given), match: given.match }, contextOf(given))
      const pages = new ReplayPages(replay, outputColumns())
      if (given.turn !== undefined && given.turn > pages.last)
        throw new UserError(`--turn ${given.turn}: this match has ${pages.last} turns`)
      if (process.stdin.isTTY && process.stdout.isTTY) await stepThrough(pages, given.turn ?? 0)
      else print(given.turn === undefined ? pages.whole() : pages.page(given.turn))
    })
}

interface ReplayFlags extends GamedFlags {
  readonly match: string
  readonly turn?: number
}

function turn(value: string): number {
  const n = Number(value)
  if (value === '' || !Number.isInteger(n) || n < 0)
    throw new InvalidArgumentError('It must be a whole number; 0 is the start.')
  return n
}
