import type { Command } from 'commander'
import { UserError } from '../core/index.js'
import { secretSeed } from '../app/run/find.js'
import { optionChanges } from '../app/contest-words.js'
import { gameNamed } from '../app/look/games.js'
import { actOf, testGame, testGameText } from '../app/check/test-game.js'
import { flagOf } from '../app/flag.js'
import { MATCH } from './options.js'
import { printEither } from './terminal.js'
import { count, flag, value, verb } from './verb.js'

const HELP = `
Plays random games with many faults, all data frozen, and checks at each step that
the game ends, is pure, survives JSON, gives legal actions, places all seats, can be
shown as text, speaks its wires, and hides what it should (with resample). Prints a
line for each mistake, with the seed of the smallest game that shows it.
Exit code 1: there is a mistake.

Examples:
  agon test game ./mygame.ts
  agon test game ./mygame.ts --seed 5f3a --games 1   this very game again`

export function testCommand(command: Command): void {
  command.addHelpText('after', HELP)
  const what = 'test a game: check its contract in thousands of random games with many faults'
  testGameCommand(command.command('game').description(what))
}

const testGameCommand = verb({
  takes: [['<game>', 'the file of a game, or the name of one']],
  options: {
    seed: value('<seed>', 'the seed of the first random game, from which all others follow (default: a new one)'),
    games: value('<n>', 'random games', count, 3000),
    steps: value('<n>', 'steps after which a game counts as endless', count, 20_000),
    seconds: value('<n>', 'start no game after this many seconds', count, 30),
    seats: value('<n>', 'seats of each game (default: any number, the largest at least once)', count),
    bot: value('<module>', 'a module that plays the games without faults, in all seats (default: chance does)'),
    option: MATCH.option,
    json: flag('one JSON document'),
  },
  help: HELP,
  async run(given, name: string) {
    const definition = await gameNamed(name)
    const { seed = secretSeed().slice(0, 8), games, steps, seconds, seats, option = [], bot } = given
    const options = optionChanges(definition, option)
    const { min, max } = definition.game.seats
    if (seats !== undefined && (seats < min || seats > max))
      throw new UserError(`--seats ${seats}: ${name} has ${min === max ? min : `${min} to ${max}`}`)
    const act = bot === undefined ? undefined : await actOf(bot)
    const tested = testGame(definition, name, { seed, games, steps, ms: 1000 * seconds, options, seats, act })
    printEither(given, tested, () => testGameText(tested, flagOf))
    process.exitCode = tested.ok ? 0 : 1
  },
})
