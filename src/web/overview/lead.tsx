import { firstPlaces, visible } from '../../core/index.js'
import { listed } from '../../text/index.js'
import { capital, chance, counted, duration, figure, formatText, optionTexts, pointsText, teamsIn } from '../format.js'
import type { MatchRow, ReportDocument, ReportStandings } from '../document.js'
import { Facts } from '../parts.js'
import { useReport } from '../shared.js'

/** Who leads and how surely, in a sentence, and a match that shows it. */
export function Lead() {
  const { document, matches, href, nameOf } = useReport()
  const match = decisiveMatch(document, matches)
  const winner = match === undefined ? undefined : match[1][match[2].indexOf(1)]
  const others = match?.[1].filter((entrant) => entrant !== winner) ?? []
  return (
    <>
      <p className="lead">{leadText(document, nameOf)}</p>
      {match && winner !== undefined && (
        <p className="flow">
          <a className="watch" href={href({ match: match[0], turn: 0, play: true })}>
            <svg width="16" height="16" viewBox="0 0 20 20" aria-hidden="true">
              <path d="M5 3 17 10 5 17z" fill="currentColor" />
            </svg>
            Watch {nameOf(winner)} beat {others.length === 1 ? nameOf(others[0] ?? 0) : `${others.length} others`}
          </a>{' '}
          <span className="quiet">
            {counted(match[4], 'turn')}, {visible(match[3])}
          </span>
        </p>
      )}
    </>
  )
}

const WORDS = 'none one two three four five six seven eight nine ten eleven twelve'.split(' ')
const inWords = (n: number): string => WORDS[n] ?? figure(n)
const NAMED = 3

/**
 * 'Velvet leads with 12 points, 2 more than Ant: 60 % likely the best; five could be.' How likely: the probability of
 * the first place; who could be: all that might as well have had the first rank.
 */
export function leadText({ standings, ratings, over }: ReportDocument, nameFor: (entrant: number) => string): string {
  const { rows } = standings
  const [first] = rows
  if (first === undefined) return 'Nobody has played yet.'
  const leaders = rows.filter(({ rank }) => rank === first.rank).map(({ entrant }) => entrant)
  const points = counted(first.points, 'point')
  const rated = ratings?.rows ?? []
  const could = rated.filter(({ ranks, flags }) => ranks?.[0] === 1 && !flags.includes('out')).length
  const all = rows.length
  if (leaders.length === all && all > 2) return `All ${inWords(all)} are level, with ${points} each.`
  if (leaders.length > 1) {
    const who =
      leaders.length <= NAMED ? listed(leaders.map(nameFor)) : `${capital(inWords(leaders.length))} of ${inWords(all)}`
    return `${who} ${over ? 'won together' : 'lead'} with ${points}${could > leaders.length ? `; ${inWords(could)} could be the best` : ''}.`
  }
  const told = `${nameFor(first.entrant)} ${over ? 'won' : 'leads'} with ${points}${leadOver(standings, nameFor)}`
  const likely = rated[first.entrant]?.first
  if (likely === undefined) return `${told}.`
  return `${told}: ${chance(likely)} likely the best; ${could > 1 ? `${inWords(could)} could be` : 'no other could be'}.`
}

/** ', 2 more than Ant', ', before Ant by Life'; '' where the table does not tell. */
function leadOver({ columns, rows: [first, next] }: ReportStandings, nameFor: (entrant: number) => string): string {
  if (first === undefined || next === undefined || next.points > first.points) return ''
  const name = nameFor(next.entrant)
  if (next.points < first.points) return `, ${figure(first.points - next.points)} more than ${name}`
  const column = columns.find((_, i) => first.cells[i] !== next.cells[i])
  return column === undefined || /^\d+$/.test(column) ? '' : `, before ${name} by ${visible(column)}`
}

/** Most turns worth watching: a longer match only where there is no other. */
const TURNS = 60

/** The leader's win over the highest it beat alone, best without a fault, the longest not too long; undefined: none. */
export function decisiveMatch(document: ReportDocument, matches: readonly MatchRow[]): MatchRow | undefined {
  const order = document.standings.rows.map(({ entrant }) => entrant)
  const placeOf = new Map(order.map((entrant, place) => [entrant, place]))
  const won = matches.filter(([, , places]) => firstPlaces(places, teamsIn(document)?.[places.length]) === 1)
  const worth = (row: MatchRow): readonly number[] => {
    const [, seats, places, , turns, faults] = row
    const winner = placeOf.get(seats[places.indexOf(1)] ?? -1) ?? Infinity
    const rivals = seats.flatMap((entrant, seat) => (places[seat] === 1 ? [] : [placeOf.get(entrant) ?? Infinity]))
    return [winner, Math.min(...rivals), faults ? 1 : 0, turns > TURNS ? turns : -turns]
  }
  const [best] = won.map((row) => ({ row, worth: worth(row) })).sort((a, b) => compared(a.worth, b.worth))
  return best?.row
}

/** By the first number in which two lists differ. */
function compared(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i])
  return (a[at] ?? 0) - (b[at] ?? 0)
}

/** What was played, and below it, folded away, what few ask for. */
export function Terms() {
  const { game, entrants, leftOut = [], matches, format, scoring, seed, options } = useReport().document
  const playing = entrants.filter(({ name }) => !leftOut.some((out) => out.name === name))
  const limits = [...new Set(entrants.map(({ limit }) => duration(limit * 1000)))]
  const texts = optionTexts(options).map(([name, value]) => `${name} ${value}`)
  return (
    <>
      <Facts
        facts={[
          ['Entrants', `${playing.length}${leftOut.length > 0 ? `, ${leftOut.length} left out` : ''}`],
          ['Matches', figure(matches.total)],
          ['Format', formatText(format)],
          ['Points', pointsText(scoring)],
        ]}
      />
      <details className="more">
        <summary>Game, options and limits</summary>
        <Facts
          facts={[
            ['Game', game.summary],
            ['Options', texts.join(' · ') || 'none'],
            ['Limit of an answer', limits.join(', ')],
            // Hidden while a contest goes on.
            ...(seed === '' ? [] : [['Seed', visible(seed)] as const]),
          ]}
        />
      </details>
    </>
  )
}
