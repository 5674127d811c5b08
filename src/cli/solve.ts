import type { Command } from 'commander'
import { optionChanges } from '../app/contest-words.js'
import { gameNamed } from '../app/look/games.js'
import { solve, solvedText } from '../app/compare/solve.js'
import { print, printJson } from './terminal.js'
import { append } from './words.js'

const HELP = `
For small games of two seats whose gains are the other's losses. If the game says
that nothing is hidden (open), by backward induction; else by linear programming in
sequence form. A win is worth 1, a loss -1; a game with scores counts half their
difference. Exploitability is what a best response gains; an equilibrium has 0.

Examples:
  agon solve gunduel --option turns=4
  agon solve gunduel --option turns=3 --bot Storm --bot Fulcrum
  agon solve ./mygame.ts --json                     the whole strategy`

interface SolveFlags {
  readonly option?: readonly string[]
  readonly bot?: readonly string[]
  readonly trust?: boolean
  readonly json?: boolean
}

export function solveCommand(command: Command): void {
  command
    .argument('<game>', 'a game, or the file of one')
    .option('--option <name=value>', "one of the game's options, such as turns=4; may be repeated", append)
    .option(
      '--bot <bot>',
      'show how much a best response wins against it: a house bot, or the file of a module; may be repeated',
      append,
    )
    .option('--trust', "the files of --bot may run in agon's own process")
    .option('--json', 'one JSON document')
    .addHelpText('after', HELP)
    .action(async (name: string, { option = [], bot = [], trust = false, json }: SolveFlags) => {
      const definition = await gameNamed(name)
      const solved = await solve(definition, optionChanges(definition, option), { bots: bot, trust })
      if (json) printJson(solved)
      else print(solvedText(solved))
    })
}
