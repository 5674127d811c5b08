import { visible } from '../core/index.js'
import { faultLines } from '../archive/faults.js'
import { aligned, counted, faultText, number, shorten } from '../text/index.js'
import { type EntrantMatch, type EntrantPage, FAULTS_SHOWN } from './show.js'

/** A match with the command that replays it. */
type ShownMatch = EntrantMatch & { readonly replay: string }

/** How an entrant fared, for people. `matches`: those of the page. */
export function entrantText(shown: EntrantPage, matches: readonly ShownMatch[]): string {
  const { rank, points, excluded } = shown
  const place = rank === undefined ? (excluded ?? 'not in the table') : `rank ${rank}, ${points} points`
  const played = counted(shown.matches, 'match', 'matches')
  const sums =
    'wins' in shown
      ? `${played}: ${shown.wins} won, ${shown.draws} drawn, ${shown.losses} lost`
      : `${played}${shown.mean === undefined ? '' : `, mean score ${number(shown.mean)}`}`
  const [faults = 'No faults'] = faultLines(
    new Map(Object.keys(shown.faults).length > 0 ? [[shown.name, shown.faults]] : []),
  )
  return [
    `${visible(shown.name)}${shown.author === undefined ? '' : ` by ${visible(shown.author)}`} in ${visible(shown.contest)} (run ${shown.run}): ${visible(place)}; ${sums}. ${visible(faults)}.`,
    '',
    opponentsTable(shown),
    ...matches.map((match) => matchText(shown.name, match)),
    ...(shown.stderr === '' ? [] : ['The end of its standard error:', ...lastLines(shown.stderr)]),
  ].join('\n')
}

function opponentsTable(shown: EntrantPage): string {
  const against = { head: 'Against', cells: shown.opponents.map(({ name }) => visible(name)), right: false }
  const column = (head: string, figures: readonly number[]) => ({ head, cells: figures.map(number), right: true })
  if (!('wins' in shown))
    return aligned([
      against,
      column(
        'Matches',
        shown.opponents.map(({ matches }) => matches),
      ),
      column(
        'Mean score',
        shown.opponents.map(({ mean }) => mean),
      ),
    ])
  return aligned([
    against,
    column(
      'Ahead',
      shown.opponents.map(({ ahead }) => ahead),
    ),
    column(
      'Level',
      shown.opponents.map(({ level }) => level),
    ),
    column(
      'Behind',
      shown.opponents.map(({ behind }) => behind),
    ),
  ])
}

function matchText(
  name: string,
  { match, place, score, reason, against, faults, printed, exchanges, replay }: ShownMatch,
): string {
  const answers = exchanges.flatMap(({ turn, lines }) => [
    `    turn ${turn + 1}:`,
    ...lines.map((line) => `      ${line}`),
  ])
  const more = faults.length > FAULTS_SHOWN ? [`    and ${counted(faults.length - FAULTS_SHOWN, 'fault')} more`] : []
  return [
    visible(
      `${match} against ${against.join(', ')}: place ${place}${score === undefined ? '' : `, score ${number(score)}`} (${reason})`,
    ),
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
  why,
  said,
})

const lastLines = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .slice(-20)
    .map((line) => `  ${visible(shorten(line, 200))}`)

/** Figures that a bot printed in a match, in a line: 'printed, mean of the match: eval 0.31'. */
const printedText = (printed: readonly { readonly figure: string; readonly mean: number }[]): string =>
  `printed, mean of the match: ${printed.map(({ figure, mean }) => `${visible(figure)} ${number(mean)}`).join(', ')}`
