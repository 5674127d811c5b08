import type { StepReport } from '../app/check/trial.js'
import { checkBot } from '../app/check/check.js'
import { gameNamed } from '../app/look/games.js'
import { jobsOf } from '../app/machine.js'
import { watchBots } from '../app/check/watch.js'
import { endBotsOnSignals, abortOnSignals } from './exit.js'
import { BOT, GAME, MATCH, contextOf, termsOf } from './options.js'
import { print, printEither } from './terminal.js'
import { count, countFrom, flag, value, verb } from './verb.js'

export const checkCommand = verb({
  takes: [GAME, BOT],
  options: { ...MATCH, json: flag('one JSON document') },
  help: `
agon starts the bot, asks the first question of its wire, and has it play long and
varied matches against itself, random opponents and house bots, until they show
nothing new. It shows what they covered, and of each fault the turn and likely cause.
Exit code 1: the bot does not speak the wire, or made a fault. If its source breaks
the form that the contest asks for, warnings say so; they do not change the exit
code.

Examples:
  agon check samurai "python3 mybot.py"
  agon check gunduel ./mybot --wire exit
  agon check gunduel MyPlayer.hpp`,
  async run(given, game: string, bot: string) {
    endBotsOnSignals()
    const definition = await gameNamed(game, bot)
    let number = 0
    const terms = termsOf(definition, given)
    const checked = await checkBot({ definition, word: bot, terms, context: contextOf() }, (step) => {
      if (!given.json) print(stepText(++number, step))
    })
    const { ok } = checked
    printEither(given, checked, () =>
      ok ? '\nIt speaks the wire.' : '\nIt does not speak the wire as it should: see the steps that FAILED.',
    )
    process.exitCode = ok ? 0 : 1
  },
})

const stepText = (number: number, { name, ok, lines }: StepReport): string =>
  [`${number}. ${ok ? 'ok    ' : 'FAILED'} ${name}`, ...lines.map((line) => `     ${line}`)].join('\n')

export const watchCommand = verb({
  takes: [GAME, ['[path]', "a bot's folder or file, or a folder of bots (default: this one)", '.']],
  options: {
    ...MATCH,
    budget: value('<n>', 'the most matches of a duel', countFrom(2), 200),
    jobs: value('<n>', 'pairs played at the same time (default: one per core)', count),
  },
  help: `
Each time a bot is saved, agon checks it (as agon check does) and plays it against
the previous version (as agon duel does). It skips versions that do not play.

Examples:
  agon watch samurai Kestrel    a bot's folder
  agon watch samurai mybot.py   a bot's file
  agon watch samurai            the bots of this folder`,
  async run(given, game: string, path: string) {
    const definition = await gameNamed(game, path)
    const context = { ...contextOf(), signal: abortOnSignals().signal }
    const options = { ...termsOf(definition, given), ...jobsOf(given.jobs, undefined, context), budget: given.budget }
    await watchBots(definition, path, { ...options, tell: print }, context)
  },
})
