import { type EntrantMatch, showEntrant, entrantText } from '../app/look/show.js'
import { joinCommand } from '../app/contest-words.js'
import { showTiming, timingText } from '../app/look/timing.js'
import { CONTEST, GAMED, contextOf, runOf } from './options.js'
import { printEither } from './terminal.js'
import { count, flag, value, verb } from './verb.js'

export const showCommand = verb({
  takes: [CONTEST, ['[bot]', 'the name of an entrant; without one, with --timing, all of them']],
  options: {
    ...GAMED,
    losses: flag('only matches in which it was not first; if scores count, its worst matches'),
    timing: flag('how long its answers took, and which matches were played again because the machine stalled'),
    last: value('<n>', 'how many matches: the newest, or the worst', count, 20),
    json: flag('as JSON'),
  },
  help: `
Each match is shown with its faults: what the bot was sent and what it answered;
without a fault, the last question. If scores count, --losses shows the lowest ones.
--timing shows how the bot's time was measured.

Examples:
  agon show gunduel Mirror --losses
  agon show friday.toml Ant --timing`,
  async run(given, contest: string, name?: string) {
    const ref = { ...runOf(contest, given), name }
    const context = contextOf(given)
    if (given.timing) {
      const timing = await showTiming(ref, context)
      return printEither(given, timing, () => timingText(timing))
    }
    const page = await showEntrant(ref, { last: given.last, lost: given.losses }, context)
    const replayOf = ({ match }: EntrantMatch) =>
      joinCommand(['agon', 'replay', contest, '--match', match, '--run', page.run])
    const shown = page.shown.map((match) => ({ ...match, replay: replayOf(match) }))
    printEither(given, { ...page, shown }, () => entrantText(page, shown))
  },
})
