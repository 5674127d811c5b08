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
import { excludedText, readmittedText } from '../app/run/live-run.js'
import { counted } from '../text/index.js'
import { CONTEST, ENTRANT, GAMED, STORED, contextOf, runOf } from './options.js'
import { resumeCommand } from './run.js'
import { print } from './terminal.js'
import { flag, required, value, verb } from './verb.js'

const excludeCommand = (status: Exclusion['status']) =>
  verb({
    takes: [CONTEST, ENTRANT],
    options: {
      ...STORED,
      matches: {
        ...value('<treatment>', 'how its matches count', (text) => text as Exclusion['treatment'], 'void'),
        choices: ['void', 'lost'],
      },
      why: value('<text>', 'the reason, for the log and the table', String, ''),
    },
    help: `
--matches void: none of its matches counts, as if it had never entered; matches of
all entrants together are played again without it. --matches lost: the matches that
it has played count, and its opponents win the others (games for two).

A run that is being played sees it within a second; agon readmit undoes it. A new
version of a bot is a new entrant: name it in the contest file, and run the contest
again.`,
    async run(given, ref: string, name: string) {
      const { matches: treatment, why, workspace } = given
      const request = { ...runOf(ref, given), name, status, treatment, why }
      const field = await excludeEntrant(request, contextOf(given))
      print(visible(excludedText({ ...request, name: field.name })))
      printRest(ref, workspace, field)
    },
  })

export const withdrawCommand = excludeCommand('withdrawn')
export const disqualifyCommand = excludeCommand('disqualified')

export const readmitCommand = verb({
  takes: [CONTEST, ENTRANT],
  options: { ...STORED, why: value('<text>', 'the reason, for the log', String, '') },
  async run(given, ref: string, name: string) {
    const { why, workspace } = given
    const field = await readmitEntrant({ ...runOf(ref, given), name, why }, contextOf(given))
    print(visible(readmittedText(field.name)))
    printRest(ref, workspace, field)
  },
})

/** How to go on with a run whose entrants changed. */
function printRest(ref: string, workspace: string | undefined, { finished, options, out }: ChangedField): void {
  if (finished) return print(`agon standings ${visible(ref)} shows the table`)
  // An imported run, or a stranger's workspace, may say that bots need no sandbox: only this user may.
  const { noIsolation, trust, ...wished } = options
  const again = visible(resumeCommand(ref, { ...wished, workspace }, out))
  const unsafe = [...(noIsolation ? ['--unsafe-no-isolation'] : []), ...(trust ? ['--trust'] : [])].join(' and ')
  print(`what is left is played by the agon that plays it now; if none does: ${again}`)
  if (unsafe) print(`it began with ${unsafe}: add that only if you trust all of its bots`)
}

export const ruleCommand = verb({
  takes: [CONTEST, ['<match>', 'the key of the match, such as 1/Ant-Bee/3'], ['<result>', 'the result that counts']],
  options: { ...STORED, why: required('<text>', 'the reason, for the log') },
  help: `
RESULT is the name of the winner, draw, or the places by seat, such as 2,1; in a
contest that counts scores it is the scores by seat, such as 3,0.5. The record of
the match does not change, and agon log lists the ruling.

Example:
  agon rule friday.toml 1/Ant-Bee/3 draw --why "the power failed"`,
  async run(given, ref: string, match: string, result: string) {
    const request = { ...runOf(ref, given), match, result, why: given.why }
    const { before, after } = await ruleMatch(request, contextOf(given))
    print(visible(`${match}: ${outcomePlaces(before)} becomes ${outcomePlaces(after)}`))
  },
})

export const rejudgeCommand = verb({
  takes: [CONTEST],
  options: {
    ...GAMED,
    apply: flag('make the new results count'),
    why: value('<text>', 'the ruling, for the log', String, 'judged again'),
  },
  help: `
agon judges the stored answers by the current rules. A match whose answers no
longer lead to an end is listed as open, and keeps its result. Exit code 1: a result
differs from the one that counts, and --apply was not given.

With --apply the new results count in this run, and agon log lists each of them.
The records do not change.`,
  async run(given, ref: string) {
    const request = { ...runOf(ref, given), ruling: given.apply && given.why }
    const { game, matches, same, changed, open, applied } = await rejudgeRun(request, contextOf(given), (news) =>
      print(visible(newsLine(news))),
    )
    print(
      `by ${game.id} version ${game.version}: ${same} of ${counted(matches, 'result')} the same, ${changed} changed, ${open} open`,
    )
    if (applied) print(`${counted(changed, 'ruling')} now count: agon standings ${visible(ref)}`)
    else if (changed + open > 0) process.exitCode = 1
  },
})

const newsLine = (news: RejudgeEvent): string =>
  news.type === 'open'
    ? `${news.match}: open: ${news.why}`
    : `${news.match}: ${outcomePlaces(news.before)} becomes ${outcomePlaces(news.after)}`

const outcomePlaces = ({ place, reason, tally }: Outcome): string => {
  const sums = Object.entries(tally ?? {}).map(([name, values]) => `, ${name} ${values.join(' ')}`)
  return `places ${place.join(' ')} (${reason}${sums.join('')})`
}
