import { createInterface } from 'node:readline'
import { answerLine, openEnvironment, pythonFile } from '../app/check/environment.js'
import { gameNamed } from '../app/look/games.js'
import { endBotsOnSignals } from './exit.js'
import { GAME, MATCH, contextOf, termsOf } from './options.js'
import { print } from './terminal.js'
import { append, count, countFrom, flag, value, verb } from './verb.js'

export const envCommand = verb({
  takes: [GAME],
  options: {
    ...MATCH,
    opponent: value('<bot>', "a house bot's name, a file, or a quoted command; may be repeated", append),
    seat: value('<n>', 'the seat that you play, from 0 (default: 0)', countFrom(0)),
    seats: value('<n>', 'how many seats you play, without an opponent', count),
    python: flag('print the file for Python'),
  },
  help: `
Answers each line of JSON with a line of JSON, until the input ends:
  {"type":"reset","seed":"1"}   begins an episode
  {"type":"step","action":"B"}  makes a move
The answer is {"observation","legal","reward","terminated"}; at the end
legal is empty and reward is 1, 0 or -1. docs/learning.md has more, and a file
for Python that makes a Gymnasium or PettingZoo environment of it.

Examples:
  agon env samurai --opponent Hedgehog
  agon env coup --opponent "python3 mybot.py" --seat 1
  agon env samurai              all seats are yours`,
  async run(given, name: string) {
    const { python, opponent: opponents = [], seat, seats } = given
    if (python) return print(pythonFile().trimEnd())
    endBotsOnSignals()
    const definition = await gameNamed(name)
    const terms = { ...termsOf(definition, given), opponents, seat, seats }
    const environment = await openEnvironment(definition, terms, contextOf())
    try {
      for await (const line of createInterface({ input: process.stdin }))
        if (line.trim() !== '') print(await answerLine(environment, line))
    } finally {
      await environment.close()
    }
  },
})
