import { type Command, Option } from 'commander'
import { visible, type Outcome } from '../core/index.js'
import type { Exclusion } from '../app/stored.js'
import {
  type ChangedField,
  excludeEntrant,
  readmitEntrant,
  ruleMatch,
  type RejudgeEvent,
  rejudgeRun,
} from '../app/manage/rulings.js'
import { excludedText, readmittedText } from '../app/run/control.js'
import { counted } from '../text/index.js'
import { type StoredFlags, addStoredOptions, contextOf, runOf, type GamedFlags, addGamedOptions } from './options.js'
import { resumeCommand } from './resume-command.js'
import { print } from './terminal.js'

const EXCLUDE_HELP = `
--matches void: none of its matches counts, as if it had never entered; matches of
all entrants together are played again without it. --matches lost: the matches that
it has played count, and its opponents win the others (games for two).

A run that is being played sees it within a second; agon readmit undoes it. A new
version of a bot is a new entrant: name it in the contest file, and run the contest
again.`

export const withdrawCommand = (command: Command): void => excludeCommand(command, 'withdrawn')
export const disqualifyCommand = (command: Command): void => excludeCommand(command, 'disqualified')

interface ExcludeFlags extends StoredFlags {
  readonly matches: Exclusion['treatment']
  readonly why: string
}

function excludeCommand(command: Command, status: Exclusion['status']): void {
  addStoredOptions(command)
    .argument('<bot>', 'the name of the entrant')
    .addOption(new Option('--matches <treatment>', 'how its matches count').choices(['void', 'lost']).default('void'))
    .option('--why <text>', 'the reason, for the log and the table', '')
    .addHelpText('after', EXCLUDE_HELP)
    .action(async (ref: string, name: string, given: ExcludeFlags) => {
      const { matches: treatment, why, workspace } = given
      const request = { ...runOf(ref, given), name, status, treatment, why }
      const { exclusion, finished, options, out } = await excludeEntrant(request, contextOf(given))
      print(visible(excludedText(exclusion)))
      printRest(ref, workspace, { finished, options, out })
    })
}

export function readmitCommand(command: Command): void {
  addStoredOptions(command)
    .argument('<bot>', 'the name of the entrant')
    .option('--why <text>', 'the reason, for the log', '')
    .action(async (ref: string, name: string, given: StoredFlags & { readonly why: string }) => {
      const { why, workspace } = given
      const { name: back, ...field } = await readmitEntrant({ ...runOf(ref, given), name, why }, contextOf(given))
      print(visible(readmittedText(back)))
      printRest(ref, workspace, field)
    })
}

/** How to go on with a run in which other entrants play than before. */
function printRest(ref: string, workspace: string | undefined, { finished, options, out }: ChangedField): void {
  // A run that was imported, or a stranger's workspace, says that bots need no sandbox: that is for this user to say.
  const { noIsolation, trust, ...wished } = options
  const again = () => resumeCommand(ref, { ...wished, workspace }, out)
  const unsafe = [...(noIsolation ? ['--unsafe-no-isolation'] : []), ...(trust ? ['--trust'] : [])].join(' and ')
  print(
    finished
      ? `agon standings ${visible(ref)} shows the table`
      : `what is left is played by the agon that plays it now; if none does: ${visible(again())}`,
  )
  if (!finished && unsafe) print(`it began with ${unsafe}: add that only if you trust all of its bots`)
}

const RULE_HELP = `
RESULT is the name of the winner, draw, or the places by seat, such as 2,1; in a
contest that counts scores it is the scores by seat, such as 3,0.5. The record of
the match does not change, and agon log lists the ruling.

Example:
  agon rule friday.toml 1/Ant-Bee/3 draw --why "the power failed"`

export function ruleCommand(command: Command): void {
  addStoredOptions(command)
    .argument('<match>', 'the key of the match, such as 1/Ant-Bee/3')
    .argument('<result>', 'the result that counts')
    .requiredOption('--why <text>', 'the reason, for the log')
    .addHelpText('after', RULE_HELP)
    .action(async (ref: string, match: string, result: string, given: StoredFlags & { readonly why: string }) => {
      const { before, after } = await ruleMatch(
        { ...runOf(ref, given), match, result, why: given.why },
        contextOf(given),
      )
      print(visible(`${match}: ${outcomePlaces(before)} becomes ${outcomePlaces(after)}`))
    })
}

const REJUDGE_HELP = `
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
    .option('--apply', 'make the new results count')
    .option('--why <text>', 'the ruling, for the log', 'judged again')
    .addHelpText('after', REJUDGE_HELP)
    .action(async (ref: string, { apply, why, ...given }: RejudgeFlags) => {
      const request = { ...runOf(ref, given), ruling: apply ? why : undefined }
      const { game, matches, same, changed, open, applied } = await rejudgeRun(request, contextOf(given), (news) =>
        print(visible(newsLine(news))),
      )
      print(
        `by ${game.id} version ${game.version}: ${same} of ${counted(matches, 'result')} the same, ${changed} changed, ${open} open`,
      )
      if (applied) print(`${counted(changed, 'ruling')} now count: agon standings ${visible(ref)}`)
      else if (changed + open > 0) process.exitCode = 1
    })
}

const newsLine = (news: RejudgeEvent): string =>
  news.type === 'open'
    ? `${news.match}: open: ${news.why}`
    : `${news.match}: ${outcomePlaces(news.before)} becomes ${outcomePlaces(news.after)}`

/** 'places 1 2 (shot)'. */
export const outcomePlaces = ({ place, reason, tally }: Outcome): string => {
  const sums = Object.entries(tally ?? {}).map(([name, values]) => `, ${name} ${values.join(' ')}`)
  return `places ${place.join(' ')} (${reason}${sums.join('')})`
}
