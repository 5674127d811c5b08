import { scaleLog } from 'd3-scale'
import { FAULT_KINDS } from '../../core/game.js'
import { visible } from '../../core/index.js'
import type { ReportTiming } from '../document.js'
import { duration, figure, percent } from '../format.js'
import { nameOf, useShared } from '../shared.js'

const WIDTH = 300

/** Faults by kind and how long each entrant took, against what it may take. */
export function Troubles() {
  const { report, place } = useShared()
  const { standings, entrants, faults, timing, leftOut = [] } = report.document
  const kinds = FAULT_KINDS.filter((kind) => faults.some((own) => own[kind] !== undefined))
  const known = timing.filter((own) => own !== null)
  const limits = entrants.map(({ limit }) => limit * 1000)
  const scale = scaleLog(
    [
      Math.max(1, Math.min(...known.map(({ median }) => median), ...limits)) / 1.5,
      Math.max(...known.map(({ max }) => max), ...limits) * 1.3,
    ],
    [4, WIDTH - 4],
  )
  return (
    <>
      <p>
        {kinds.length === 0 ? 'No entrant was faulted. ' : ''}Wall time of every answer; the dot is the median, the bar
        ends at the 99th percentile, the mark beyond it is the slowest answer, and the line is the limit. The scale is
        logarithmic.
      </p>
      <div className="scrollable" role="region" aria-label="the table of faults and times" tabIndex={0}>
        <table className="troubles">
          <thead>
            <tr>
              <th scope="col">Name</th>
              {kinds.map((kind) => (
                <th key={kind} scope="col" className="number">
                  {kind}
                </th>
              ))}
              <th scope="col" className="number">
                Answers
              </th>
              <th scope="col" className="number">
                Median
              </th>
              <th scope="col" className="number">
                99 %
              </th>
              <th scope="col" className="number">
                Slowest
              </th>
              <th scope="col" className="number">
                Of the limit
              </th>
              <td aria-hidden="true" />
            </tr>
          </thead>
          <tbody>
            {standings.rows.map(({ entrant }) => {
              const own = timing[entrant]
              const limit = limits[entrant] ?? 1_000_000
              return (
                <tr key={entrant} className={place.bot === entrants[entrant]?.name ? 'chosen' : undefined}>
                  <th scope="row">{nameOf(report, entrant)}</th>
                  {kinds.map((kind) => {
                    const n = faults[entrant]?.[kind] ?? 0
                    return (
                      <td key={kind} className={n > 0 ? 'number fault' : 'number quiet'}>
                        {n > 0 ? figure(n) : '–'}
                      </td>
                    )
                  })}
                  {own ? (
                    <>
                      <td className="number">{figure(own.n)}</td>
                      <td className="number">{duration(own.median)}</td>
                      <td className="number">{duration(own.p99)}</td>
                      <td className="number">{duration(own.max)}</td>
                      <td className={own.max >= limit ? 'number fault' : 'number'}>{percent(own.max / limit)}</td>
                      <td>{drawing(own, limit, scale)}</td>
                    </>
                  ) : (
                    <td colSpan={6} className="quiet">
                      no times in the records
                    </td>
                  )}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {leftOut.length > 0 && (
        <>
          <h3 id="left-out">Left out</h3>
          <ul aria-labelledby="left-out">
            {leftOut.map(({ name, why }) => (
              <li key={name}>
                <b>{visible(name)}</b>: {visible(why)}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function drawing({ median, p99, max }: ReportTiming, limit: number, scale: (us: number) => number) {
  const at = (us: number): number => scale(Math.max(1, us))
  return (
    <svg className="strip" width={WIDTH} height="18" viewBox={`0 0 ${WIDTH} 18`} aria-hidden="true">
      <line className="limit" x1={at(limit)} x2={at(limit)} y1="0" y2="18" />
      <line className="range" x1={at(median)} x2={at(p99)} y1="9" y2="9" />
      <line className="slowest" x1={at(max)} x2={at(max)} y1="4" y2="14" />
      <circle cx={at(median)} cy="9" r="4" />
    </svg>
  )
}
