import { hostLadder, ladderLine } from '../app/compare/ladder.js'
import { jobsOf } from '../app/machine.js'
import { gameNamed } from '../app/look/games.js'
import { runOutcomeText } from '../app/run/table.js'
import { BOT, GAME, ISOLATION, JSON_DOCUMENT, STORE, contextOf, isolationOf } from './options.js'
import { shown } from './run.js'
import { outputColumns, printEither } from './terminal.js'
import { count, parted, value, verb } from './verb.js'

export const ladderCommand = verb({
  takes: [GAME, BOT],
  options: {
    ...ISOLATION,
    ...STORE,
    wire: value('<name>', 'the wire of the bot, if it is a command (agon wires GAME lists them)', parted),
    matches: value('<n>', "repetitions of a pairing (default: as many as the game's own contest has at first)", count),
    jobs: value('<n>', 'matches played at the same time (default: one per core)', count),
    ...JSON_DOCUMENT,
  },
  help: `
It plays against each house bot, and they against each other. Matches are stored, and
not played again: the next time only what is new of your bot is played. agon games
GAME tells what each house bot does.

Examples:
  agon ladder samurai "python3 mybot.py"
  agon ladder gunduel Mirror --matches 50`,
  async run(given, game: string, bot: string) {
    const definition = await gameNamed(game, bot)
    const { wire: wires, matches } = given
    const again = () => 'the same command'
    const found = await shown(contextOf(given), again, (context, on) => {
      const options = { ...isolationOf(given), ...jobsOf(given.jobs, undefined, context), wires, matches, on }
      return hostLadder(definition, bot, options, context)
    })
    const { result, document, standings } = found
    if (!result.finished) return
    const own = standings.rows.find(({ name }) => name === found.bot)
    const whole = { bot: found.bot, rank: own?.rank ?? null, ...(document as object) }
    printEither(given, whole, () => `${runOutcomeText(found, outputColumns())}\n\n${ladderLine(found)}`)
  },
})
