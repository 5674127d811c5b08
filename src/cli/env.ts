import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { answerLine, openEnvironment, pythonFile } from '../app/check/environment.js'
import { gameNamed } from '../app/look/games.js'
import { contextOf, countFrom } from './options.js'
import { endBotsOnSignals } from './exit.js'
import { print } from './terminal.js'
import { type MatchFlags, addMatchOptions, append, termsOf } from './words.js'

interface EnvFlags extends MatchFlags {
  readonly opponent?: string[]
  readonly seat?: number
  readonly seats?: number
  readonly python?: boolean
}

const HELP = `
Answers each line of JSON with a line of JSON, until the input ends:
  {"type":"reset","seed":"1"}   begins an episode
  {"type":"step","action":"B"}  makes a move
The answer is {"observation","legal","reward","terminated"}; at the end
legal is empty and reward is 1, 0 or -1. docs/learning.md has more, and a file
for Python that makes a Gymnasium or PettingZoo environment of it.

Examples:
  agon env samurai --opponent Hedgehog
  agon env coup --opponent "python3 mybot.py" --seat 1
  agon env samurai              all seats are yours`

export function envCommand(command: Command): void {
  addMatchOptions(command.argument('<game>', 'a game, or the file of one'))
    .option('--opponent <bot>', "a house bot's name, a file, or a quoted command; may be repeated", append)
    .option('--seat <n>', 'the seat that you play, from 0 (default: 0)', countFrom(0))
    .option('--seats <n>', 'how many seats you play, without an opponent', countFrom(1))
    .option('--python', 'print the file for Python')
    .addHelpText('after', HELP)
    .action(async (name: string, { python, ...given }: EnvFlags) => {
      if (python) return print(pythonFile().trimEnd())
      endBotsOnSignals()
      const definition = await gameNamed(name)
      const { opponent: opponents = [], seat, seats, ...flags } = given
      const places = { seat, seats }
      const terms = { ...termsOf(definition, flags), opponents, ...places }
      const environment = await openEnvironment(definition, terms, contextOf())
      try {
        for await (const line of createInterface({ input: process.stdin }))
          if (line.trim() !== '') print(await answerLine(environment, line))
      } finally {
        await environment.close()
      }
    })
}
