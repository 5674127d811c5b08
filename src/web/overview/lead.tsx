import { visible } from '../../core/index.js'
import { counted } from '../format.js'
import { nameOf, useShared } from '../shared.js'
import { decisiveMatch, leadText } from './lead-text.js'

/** Who leads and how sure that is, in a sentence, and a match that shows it, to be played at once. */
export function Lead() {
  const { report, href } = useShared()
  const match = decisiveMatch(report.document, report.matches)
  const winner = match === undefined ? undefined : match[1][match[2].indexOf(1)]
  const others = match?.[1].filter((entrant) => entrant !== winner) ?? []
  return (
    <>
      <p className="lead">{leadText(report.document, (entrant) => nameOf(report, entrant))}</p>
      {match && winner !== undefined && (
        <p className="decisive">
          <a className="watch" href={href({ match: match[0], turn: 0, play: true })}>
            <svg width="16" height="16" viewBox="0 0 20 20" aria-hidden="true">
              <path d="M5 3 17 10 5 17z" fill="currentColor" />
            </svg>
            Watch {nameOf(report, winner)} beat{' '}
            {others.length === 1 ? nameOf(report, others[0] ?? 0) : `${others.length} others`}
          </a>{' '}
          <span className="quiet">
            {counted(match[4], 'turn')}, {visible(match[3])}
          </span>
        </p>
      )}
    </>
  )
}
