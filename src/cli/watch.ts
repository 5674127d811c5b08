import type { Command } from 'commander'
import { gameNamed } from '../app/look/games.js'
import { jobsOf } from '../app/jobs.js'
import { watchBots, watchText } from '../app/check/watch.js'
import { contextOf, count, countFrom } from './options.js'
import { untilSignal } from './signals.js'
import { print } from './terminal.js'
import { type MatchFlags, addMatchOptions, termsOf } from './words.js'

const HELP = `
Each time a bot is saved, agon checks it (as agon check does) and plays it against
the previous version (as agon duel does). It skips versions that do not play.

Examples:
  agon watch samurai Kestrel    a bot's folder
  agon watch samurai mybot.py   a bot's file
  agon watch samurai            the bots of this folder`

export function watchCommand(command: Command): void {
  addMatchOptions(
    command
      .argument('<game>', 'a game, or the file of one')
      .argument('[path]', "a bot's folder or file, or a folder of bots (default: this one)", '.'),
  )
    .option('--budget <n>', 'the most matches of a duel', countFrom(2), 200)
    .option('--jobs <n>', 'pairs played at the same time (default: one per core)', count)
    .addHelpText('after', HELP)
    .action(async (game: string, path: string, given: MatchFlags & { budget: number; jobs?: number }) => {
      const definition = await gameNamed(game, path)
      const stop = new AbortController()
      void untilSignal().then(() => stop.abort())
      const context = { ...contextOf(), signal: stop.signal }
      const options = { ...termsOf(definition, given), ...jobsOf(given.jobs, undefined, context), budget: given.budget }
      await watchBots(definition, path, options, context, (news) => {
        const text = watchText(news)
        if (text !== undefined) print(text)
      })
    })
}
