import type { ReportMeeting } from '../document.js'
import { counted, figure, percent } from '../format.js'
import { formatPlace } from '../hash.js'
import { nameOf, useShared } from '../shared.js'

/** Who did how well against whom: an HTML table whose cells lead to their matches. */
export function Crosstable() {
  const { report, place } = useShared()
  const { crosstable, entrants } = report.document
  const { order, meetings } = crosstable
  return (
    <>
      <p>
        {crosstable.ahead
          ? 'How often a row finished ahead of each opponent, in per cent with draws for a half,'
          : 'A row’s share of the points against each opponent,'}{' '}
        and over how many matches; the fewer, the paler. Choose a cell to see its matches.
      </p>
      <div className="scrollable" role="region" aria-label="the table of meetings" tabIndex={0}>
        <table className="cross">
          <thead>
            <tr>
              <th scope="col">against</th>
              {order.map((entrant) => (
                <th key={entrant} scope="col" title={nameOf(report, entrant)}>
                  <span className="slant">{nameOf(report, entrant)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {order.map((entrant, i) => (
              <tr key={entrant} className={place.bot === entrants[entrant]?.name ? 'chosen' : undefined}>
                <th scope="row">{nameOf(report, entrant)}</th>
                {order.map((rival, j) => (
                  <Meeting key={rival} meeting={meetings[i]?.[j] ?? null} entrant={entrant} rival={rival} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="legend" aria-hidden="true">
        <span className="ramp" /> loses all <span className="gap" /> even <span className="gap" /> wins all; large: per
        cent of the matches, small: how many
      </p>
    </>
  )
}

interface MeetingProps {
  /** null: they have not met. */
  readonly meeting: ReportMeeting | null
  readonly entrant: number
  readonly rival: number
}

/** A cell: how an entrant did against another. It leads to their matches. */
function Meeting({ meeting, entrant, rival }: MeetingProps) {
  const { report } = useShared()
  if (!meeting) return <td className={entrant === rival ? 'self' : 'unmet'} />
  const { entrants } = report.document
  const [name, other] = [nameOf(report, entrant), nameOf(report, rival)]
  return (
    <td style={heat(meeting)}>
      <a
        href={formatPlace({ at: 'matches', bot: entrants[entrant]?.name ?? '', rival: entrants[rival]?.name ?? '' })}
        title={`${name} against ${other}: ${told(meeting)}`}
      >
        <span className="unseen">
          {name} against {other}:{' '}
        </span>
        <b>{figure(share(meeting) * 100, 0)}</b>
        <span className="unseen"> per cent of </span>
        <small>{meeting.n}</small>
        <span className="unseen"> {meeting.n === 1 ? 'match' : 'matches'}</span>
      </a>
    </td>
  )
}

/** A win 1, a draw half: what colours compare, whatever the contest pays. */
const share = ({ n, wins, draws }: ReportMeeting): number => (wins + draws / 2) / n

const told = (meeting: ReportMeeting): string =>
  `${counted(meeting.wins, 'win')}, ${counted(meeting.draws, 'draw')}, ${counted(meeting.losses, 'loss', 'losses')}; ${percent(share(meeting))} of ${counted(meeting.n, 'match', 'matches')}`

/**
 * Blue for more than half, orange for less. The share is drawn towards the middle as if two more matches had been even, so a
 * cell of few matches is pale.
 */
function heat(meeting: ReportMeeting): { backgroundColor: string } {
  const lean = ((meeting.wins + meeting.draws / 2 + 1) / (meeting.n + 2) - 0.5) * 2
  const side = lean >= 0 ? 'var(--high)' : 'var(--low)'
  return { backgroundColor: `color-mix(in oklab, ${side} ${Math.round(Math.abs(lean) * 100)}%, var(--even))` }
}
