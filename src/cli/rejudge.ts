import type { Command } from 'commander'
import { type Outcome, visible } from '../core/index.js'
import { type RejudgeEvent, rejudgeRun } from '../app/manage/rejudge.js'
import { counted } from '../text/index.js'
import { type GamedFlags, addGamedOptions, contextOf, runOf } from './options.js'
import { print } from './terminal.js'

const HELP = `
agon judges the stored answers by the current rules. A match whose answers no
longer lead to an end is listed as open, and keeps its result. Exit code 1: a result
differs from the one that counts, and --apply was not given.

With --apply the new results count in this run, and agon log lists each of them.
The records do not change.`

interface RejudgeFlags extends GamedFlags {
  readonly apply?: boolean
  readonly why: string
}

export function rejudgeCommand(command: Command): void {
  addGamedOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .option('--apply', 'make the new results count')
    .option('--why <text>', 'the ruling, for the log', 'judged again')
    .addHelpText('after', HELP)
    .action(async (ref: string, { apply, why, ...given }: RejudgeFlags) => {
      const request = { ...runOf(ref, given), ruling: apply ? why : undefined }
      const { game, matches, same, changed, open, applied } = await rejudgeRun(request, contextOf(given), (news) =>
        print(visible(lineOf(news))),
      )
      print(
        `by ${game.id} version ${game.version}: ${same} of ${counted(matches, 'result')} the same, ${changed} changed, ${open} open`,
      )
      if (applied) print(`${counted(changed, 'ruling')} now count: agon standings ${visible(ref)}`)
      else if (changed + open > 0) process.exitCode = 1
    })
}

const lineOf = (news: RejudgeEvent): string =>
  news.type === 'open'
    ? `${news.match}: open: ${news.why}`
    : `${news.match}: ${outcomePlaces(news.before)} becomes ${outcomePlaces(news.after)}`

/** 'places 1 2 (shot)'. */
export const outcomePlaces = ({ place, reason, tally }: Outcome): string => {
  const sums = Object.entries(tally ?? {}).map(([name, values]) => `, ${name} ${values.join(' ')}`)
  return `places ${place.join(' ')} (${reason}${sums.join('')})`
}
