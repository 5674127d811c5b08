import type { Command } from 'commander'
import type { StepReport } from '../app/check/trial.js'
import { checkBot } from '../app/check/check.js'
import { gameNamed } from '../app/look/games.js'
import { contextOf } from './options.js'
import { endBotsOnSignals } from './signals.js'
import { print, printJson } from './terminal.js'
import { type MatchFlags, addMatchOptions, termsOf } from './words.js'

const HELP = `
agon starts the bot, asks the first question of its wire, and has it play long and
varied matches against itself, random opponents and house bots, until they show
nothing new. It shows what they covered, and of each fault the turn and likely cause.
Exit code 1: the bot does not speak the wire, or made a fault. If its source breaks
the form that the contest asks for, warnings say so; they do not change the exit
code.

Examples:
  agon check samurai "python3 mybot.py"
  agon check gunduel ./mybot --wire exit
  agon check gunduel MyPlayer.hpp`

export function checkCommand(command: Command): void {
  addMatchOptions(
    command
      .argument('<game>', 'a game, or the file of one')
      .argument('<bot>', "a file, a quoted command, or a house bot's name"),
  )
    .option('--json', 'one JSON document')
    .addHelpText('after', HELP)
    .action(async (game: string, bot: string, given: MatchFlags & { json?: boolean }) => {
      endBotsOnSignals()
      const definition = await gameNamed(game, bot)
      let number = 0
      const checked = await checkBot(definition, bot, termsOf(definition, given), contextOf(), (step) => {
        if (!given.json) print(stepText(++number, step))
      })
      const { ok } = checked
      if (given.json) printJson(checked)
      else print(ok ? '\nIt speaks the wire.' : '\nIt does not speak the wire as it should: see the steps that FAILED.')
      process.exitCode = ok ? 0 : 1
    })
}

const stepText = (number: number, { name, ok, lines }: StepReport): string =>
  [`${number}. ${ok ? 'ok    ' : 'FAILED'} ${name}`, ...lines.map((line) => `     ${line}`)].join('\n')
