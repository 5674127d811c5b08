import type { Command } from 'commander'
import { UserError, visible } from '../core/index.js'
import { type EntrantMatch, type EntrantPage, FAULTS_SHOWN, showEntrant } from '../app/show.js'
import { faultLines } from '../app/run-table.js'
import { printedText } from '../app/printed-text.js'
import { joinCommand } from '../app/contest-words.js'
import { showTiming } from '../app/timing.js'
import { aligned, counted, faultText, shorten } from '../text/index.js'
import { type GamedFlags, addGamedOptions, contextOf, runOf } from './options.js'
import { print, printJson } from './terminal.js'
import { timingText } from '../app/timing-text.js'

const HELP = `
Each match is shown with its faults: what the bot was sent and answered; where it
lost without a fault, the last of both. --timing is the audit of a bot's clock.

Examples:
  agon show gunduel Mirror --losses
  agon show friday.toml Ant --timing`

interface Given extends GamedFlags {
  readonly losses?: boolean
  readonly timing?: boolean
  readonly last: string
  readonly json?: boolean
}

export function showCommand(command: Command): void {
  addGamedOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .argument('[bot]', 'the name of an entrant; without one, with --timing, all of them')
    .option('--losses', 'only the matches in which it was not first')
    .option('--timing', 'how long its answers took, and what was played again because the machine stalled')
    .option('--last <n>', 'the newest so many matches', '20')
    .option('--json', 'as JSON')
    .addHelpText('after', HELP)
    .action(async (contest: string, name: string | undefined, given: Given) => {
      const ref = { ...runOf(contest, given), name }
      if (given.timing) {
        const timing = await showTiming(ref, contextOf(given))
        if (given.json) printJson(timing)
        else print(timingText(timing))
        return
      }
      const last = Number(given.last)
      if (!Number.isInteger(last) || last < 1) throw new UserError(`--last ${given.last}: a whole number from 1`)
      const page = await showEntrant(ref, { last, ...(given.losses && { lost: true }) }, contextOf(given))
      const replayOf = ({ match }: EntrantMatch) =>
        joinCommand(['agon', 'replay', contest, '--match', match, '--run', page.run])
      const shown = page.shown.map((match) => ({ ...match, replay: replayOf(match) }))
      if (given.json) printJson({ ...page, shown })
      else print(textOf({ ...page, shown }))
    })
}

/** A match with the command that replays it. */
type ShownMatch = EntrantMatch & { readonly replay: string }

function textOf(shown: Omit<EntrantPage, 'shown'> & { readonly shown: readonly ShownMatch[] }): string {
  const { rank, points, excluded } = shown
  const place = rank === undefined ? (excluded ?? 'not in the table') : `rank ${rank}, ${points} points`
  const sums = `${counted(shown.matches, 'match', 'matches')}: ${shown.wins} won, ${shown.draws} drawn, ${shown.losses} lost`
  const [faults = 'No faults'] = faultLines(
    new Map(Object.keys(shown.faults).length > 0 ? [[shown.name, shown.faults]] : []),
  )
  const opponents = aligned([
    { head: 'Against', cells: shown.opponents.map(({ name }) => visible(name)), right: false },
    { head: 'Ahead', cells: shown.opponents.map(({ ahead }) => String(ahead)), right: true },
    { head: 'Level', cells: shown.opponents.map(({ level }) => String(level)), right: true },
    { head: 'Behind', cells: shown.opponents.map(({ behind }) => String(behind)), right: true },
  ])
  return [
    `${visible(shown.name)}${shown.author === undefined ? '' : ` by ${visible(shown.author)}`} in ${visible(shown.contest)} (run ${shown.run}): ${visible(place)}; ${sums}. ${visible(faults)}.`,
    '',
    opponents,
    ...shown.shown.map((match) => matchText(shown.name, match)),
    ...(shown.stderr === '' ? [] : ['The end of its standard error:', ...lastLines(shown.stderr)]),
  ].join('\n')
}

function matchText(
  name: string,
  { match, place, reason, against, faults, printed, exchanges, replay }: ShownMatch,
): string {
  const answers = exchanges.flatMap(({ turn, lines }) => [
    `    turn ${turn + 1}:`,
    ...lines.map((line) => `      ${line}`),
  ])
  const more = faults.length > FAULTS_SHOWN ? [`    and ${counted(faults.length - FAULTS_SHOWN, 'fault')} more`] : []
  return [
    visible(`${match} against ${against.join(', ')}: place ${place} (${reason})`),
    ...faults.slice(0, FAULTS_SHOWN).map((fault) => `    ${faultText(name, strict(fault))}, turn ${fault.turn + 1}`),
    ...more,
    ...(printed.length === 0 ? [] : [`    ${printedText(printed)}`]),
    ...answers,
    `    replay: ${visible(replay)}`,
    '',
  ].join('\n')
}

/** Without the parts that are not there. */
const strict = ({ fault, why, said }: EntrantMatch['faults'][number]) => ({
  fault,
  ...(why !== undefined && { why }),
  ...(said !== undefined && { said }),
})

const lastLines = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .slice(-20)
    .map((line) => `  ${visible(shorten(line, 200))}`)
