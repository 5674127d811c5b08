import type { Command } from 'commander'
import { UserError } from '../core/index.js'
import { type EntrantMatch, showEntrant, entrantText } from '../app/look/show.js'
import { joinCommand } from '../app/contest-words.js'
import { showTiming, timingText } from '../app/look/timing.js'
import { type GamedFlags, addGamedOptions, contextOf, runOf } from './options.js'
import { print, printJson } from './terminal.js'

const HELP = `
Each match is shown with its faults: what the bot was sent and what it answered;
without a fault, the last question. If scores count, --losses shows the lowest ones.
--timing shows how the bot's time was measured.

Examples:
  agon show gunduel Mirror --losses
  agon show friday.toml Ant --timing`

interface ShowFlags extends GamedFlags {
  readonly losses?: boolean
  readonly timing?: boolean
  readonly last: string
  readonly json?: boolean
}

export function showCommand(command: Command): void {
  addGamedOptions(command)
    .argument('[bot]', 'the name of an entrant; without one, with --timing, all of them')
    .option('--losses', 'only matches in which it was not first; if scores count, its worst matches')
    .option('--timing', 'how long its answers took, and which matches were played again because the machine stalled')
    .option('--last <n>', 'how many matches: the newest, or the worst', '20')
    .option('--json', 'as JSON')
    .addHelpText('after', HELP)
    .action(async (contest: string, name: string | undefined, given: ShowFlags) => {
      const ref = { ...runOf(contest, given), name }
      if (given.timing) {
        const timing = await showTiming(ref, contextOf(given))
        if (given.json) printJson(timing)
        else print(timingText(timing))
        return
      }
      const last = Number(given.last)
      if (!Number.isInteger(last) || last < 1) throw new UserError(`--last ${given.last}: a whole number from 1`)
      const page = await showEntrant(ref, { last, lost: given.losses ? true : undefined }, contextOf(given))
      const replayOf = ({ match }: EntrantMatch) =>
        joinCommand(['agon', 'replay', contest, '--match', match, '--run', page.run])
      const shown = page.shown.map((match) => ({ ...match, replay: replayOf(match) }))
      if (given.json) printJson({ ...page, shown })
      else print(entrantText(page, shown))
    })
}
