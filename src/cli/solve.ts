import { optionChanges } from '../app/contest-words.js'
import { gameNamed } from '../app/look/games.js'
import { solve, solvedText } from '../app/compare/solve.js'
import { GAME } from './options.js'
import { printEither } from './terminal.js'
import { append, flag, value, verb } from './verb.js'

export const solveCommand = verb({
  takes: [GAME],
  options: {
    option: value('<name=value>', "one of the game's options, such as turns=4; may be repeated", append),
    bot: value(
      '<bot>',
      'show how much a best response wins against it: a house bot, or the file of a module; may be repeated',
      append,
    ),
    trust: flag("the files of --bot may run in agon's own process"),
    json: flag('one JSON document'),
  },
  help: `
For small games of two seats whose gains are the other's losses. If the game says
that nothing is hidden (open), by backward induction; else by linear programming in
sequence form. A win is worth 1, a loss -1; a game with scores counts half their
difference. Exploitability is what a best response gains; an equilibrium has 0.

Examples:
  agon solve gunduel --option turns=4
  agon solve gunduel --option turns=3 --bot Storm --bot Fulcrum
  agon solve ./mygame.ts --json                     the whole strategy`,
  async run(given, name: string) {
    const { option = [], bot: bots = [], trust = false } = given
    const definition = await gameNamed(name)
    const solved = await solve(definition, optionChanges(definition, option), { bots, trust })
    printEither(given, solved, () => solvedText(solved))
  },
})
