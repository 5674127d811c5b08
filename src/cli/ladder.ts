import type { Command } from 'commander'
import { hostLadder, ladderLine } from '../app/compare/ladder.js'
import { jobsOf } from '../app/machine.js'
import { gameNamed } from '../app/look/games.js'
import { runOutcomeText } from '../app/run/table.js'
import {
  type IsolationFlags,
  type StoreFlags,
  addIsolationOptions,
  addWorkspaceOption,
  contextOf,
  count,
  isolationOf,
  parted,
} from './options.js'
import { shown } from './run.js'
import { outputColumns, print, printJson } from './terminal.js'

const HELP = `
It plays against each house bot, and they against each other. Matches are stored, and
not played again: the next time only what is new of your bot is played. agon games
GAME tells what each house bot does.

Examples:
  agon ladder samurai "python3 mybot.py"
  agon ladder gunduel Mirror --matches 50`

interface LadderFlags extends IsolationFlags, StoreFlags {
  readonly wire?: readonly string[]
  readonly matches?: number
  readonly jobs?: number
  readonly json?: boolean
}

export function ladderCommand(command: Command): void {
  addWorkspaceOption(
    addIsolationOptions(
      command
        .argument('<game>', 'a game, or the file of one')
        .argument('<bot>', "a file, a quoted command, or a house bot's name"),
    ),
  )
    .option('--wire <name>', 'the wire of the bot, if it is a command (agon wires GAME lists them)', parted)
    .option(
      '--matches <n>',
      "repetitions of a pairing (default: as many as the game's own contest has at first)",
      count,
    )
    .option('--jobs <n>', 'matches played at the same time (default: one per core)', count)
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(ladder)
}

async function ladder(game: string, bot: string, given: LadderFlags): Promise<void> {
  const definition = await gameNamed(game, bot)
  const { wire, matches, json } = given
  const found = await shown(
    contextOf(given),
    () => 'the same command',
    (context, on) => {
      const options = { ...isolationOf(given), ...jobsOf(given.jobs, undefined, context), wires: wire, matches, on }
      return hostLadder(definition, bot, options, context)
    },
  )
  const { result, document, standings } = found
  if (!result.finished) return
  const own = standings.rows.find(({ name }) => name === found.bot)
  if (json) return printJson({ bot: found.bot, rank: own?.rank ?? null, ...(document as object) })
  print(`${runOutcomeText(found, outputColumns())}\n\n${ladderLine(found)}`)
}
