import { UserError } from '../core/index.js'
import { secretSeed } from '../app/run/find.js'
import type { Command } from 'commander'
import { optionChanges } from '../app/contest-words.js'
import { gameNamed } from '../app/look/games.js'
import { actOf, testGame, testGameText } from '../app/check/test-game.js'
import { count } from './options.js'
import { flagOf } from '../app/flag.js'
import { print, printJson } from './terminal.js'
import { append } from './words.js'

const HELP = `
Plays random games with many faults, all data frozen, and checks at each step that
the game ends, is pure, survives JSON, gives legal actions, places all seats, can be
shown as text, speaks its wires, and hides what it should (with resample). Prints a
line for each mistake, with the seed of the smallest game that shows it.
Exit code 1: there is a mistake.

Examples:
  agon test game ./mygame.ts
  agon test game ./mygame.ts --seed 5f3a --games 1   this very game again`

interface TestFlags {
  readonly seed?: string
  readonly games: number
  readonly steps: number
  readonly seconds: number
  readonly seats?: number
  readonly bot?: string
  readonly option?: readonly string[]
  readonly json?: boolean
}

export function testCommand(command: Command): void {
  command.addHelpText('after', HELP)
  command
    .command('game')
    .description('test a game: check its contract in thousands of random games with many faults')
    .argument('<game>', 'the file of a game, or the name of one')
    .option('--seed <seed>', 'the seed of the first random game, from which all others follow (default: a new one)')
    .option('--games <n>', 'random games', count, 3000)
    .option('--steps <n>', 'steps after which a game counts as endless', count, 20_000)
    .option('--seconds <n>', 'start no game after this many seconds', count, 30)
    .option('--seats <n>', 'seats of each game (default: any number, the largest at least once)', count)
    .option('--bot <module>', 'a module that plays the games without faults, in all seats (default: chance does)')
    .option('--option <name=value>', "one of the game's options, such as turns=20; may be repeated", append)
    .option('--json', 'one JSON document')
    .addHelpText('after', HELP)
    .action(async (name: string, given: TestFlags) => {
      const definition = await gameNamed(name)
      const { seed = secretSeed().slice(0, 8), games, steps, seconds, option } = given
      const options = optionChanges(definition, option ?? [])
      const { min, max } = definition.game.seats
      if (given.seats !== undefined && (given.seats < min || given.seats > max))
        throw new UserError(`--seats ${given.seats}: ${name} has ${min === max ? min : `${min} to ${max}`}`)
      const act = given.bot === undefined ? undefined : await actOf(given.bot)
      const wished = { seed, games, steps, ms: 1000 * seconds, options, seats: given.seats, act }
      const tested = testGame(definition, name, wished)
      if (given.json) printJson(tested)
      else print(testGameText(tested, flagOf))
      process.exitCode = tested.ok ? 0 : 1
    })
}
