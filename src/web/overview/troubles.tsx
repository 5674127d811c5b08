import { scaleLog } from 'd3-scale'
import { FAULT_KINDS, type FaultKind, faultOf } from '../../core/faults.js'
import { visible } from '../../core/index.js'
import type { ReportEntrant, ReportLeftOut, ReportTiming } from '../document.js'
import { duration, figure, percent } from '../format.js'
import { nameOf, useShared } from '../shared.js'
import { Printed } from './printed.js'
import { Meanings } from './standings.js'

const WIDTH = 300

/** Faults by kind and how long each entrant took, against what it may take. */
export function Troubles() {
  const { report } = useShared()
  const { standings, entrants, faults, timing, leftOut = [] } = report.document
  const kinds = FAULT_KINDS.filter((kind) => faults.some((own) => own[kind] !== undefined))
  const scale = scaleOf(timing, entrants.map(limitOf))
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
            <Headings kinds={kinds} />
          </thead>
          <tbody>
            {standings.rows.map(({ entrant }) => (
              <Row key={entrant} entrant={entrant} kinds={kinds} scale={scale} />
            ))}
          </tbody>
        </table>
      </div>
      <Meanings
        of={[
          ...kinds.map((kind) => [kind, faultOf(kind).words] as const),
          ['99 %', 'that share of its answers took no longer'],
          ['Of the limit', 'how much of the time that it may take the slowest answer took'],
        ]}
      />
      <Printed />
      {leftOut.length > 0 && <LeftOut entrants={leftOut} />}
    </>
  )
}

/** Microseconds that an answer may take. */
const limitOf = ({ limit }: ReportEntrant): number => limit * 1000

/** One scale for all times and limits, in microseconds. */
function scaleOf(timing: readonly (ReportTiming | null)[], limits: readonly number[]): (us: number) => number {
  const known = timing.filter((own) => own !== null)
  return scaleLog(
    [
      Math.max(1, Math.min(...known.map(({ median }) => median), ...limits)) / 1.5,
      Math.max(...known.map(({ max }) => max), ...limits) * 1.3,
    ],
    [4, WIDTH - 4],
  )
}

function Headings({ kinds }: { readonly kinds: readonly FaultKind[] }) {
  return (
    <tr>
      <th scope="col">Name</th>
      {kinds.map((kind) => (
        <th key={kind} scope="col" className="number">
          {kind}
        </th>
      ))}
      {['Answers', 'Median', '99 %', 'Slowest', 'Of the limit'].map((heading) => (
        <th key={heading} scope="col" className="number">
          {heading}
        </th>
      ))}
      <td aria-hidden="true" />
    </tr>
  )
}

interface RowProps {
  readonly entrant: number
  readonly kinds: readonly FaultKind[]
  readonly scale: (us: number) => number
}

function Row({ entrant, kinds, scale }: RowProps) {
  const { report, place } = useShared()
  const { entrants, faults, timing } = report.document
  const own = entrants[entrant]
  return (
    <tr className={place.bot === own?.name ? 'chosen' : undefined}>
      <th scope="row">{nameOf(report, entrant)}</th>
      {kinds.map((kind) => {
        const n = faults[entrant]?.[kind] ?? 0
        return (
          <td key={kind} className={n > 0 ? 'number fault' : 'number quiet'}>
            {n > 0 ? figure(n) : '–'}
          </td>
        )
      })}
      <Times times={timing[entrant] ?? null} limit={own ? limitOf(own) : 1_000_000} scale={scale} />
    </tr>
  )
}

interface TimesProps {
  readonly times: ReportTiming | null
  /** In microseconds. */
  readonly limit: number
  readonly scale: (us: number) => number
}

/** The cells of a row that tell how long an entrant took. */
function Times({ times, limit, scale }: TimesProps) {
  if (!times) {
    return (
      <td colSpan={6} className="quiet">
        no times in the records
      </td>
    )
  }
  return (
    <>
      <td className="number">{figure(times.n)}</td>
      <td className="number">{duration(times.median)}</td>
      <td className="number">{duration(times.p99)}</td>
      <td className="number">{duration(times.max)}</td>
      <td className={times.max >= limit ? 'number fault' : 'number'}>{percent(times.max / limit)}</td>
      <td>{drawing(times, limit, scale)}</td>
    </>
  )
}

function LeftOut({ entrants }: { readonly entrants: readonly ReportLeftOut[] }) {
  return (
    <>
      <h3 id="left-out">Left out</h3>
      <ul aria-labelledby="left-out">
        {entrants.map(({ name, why }) => (
          <li key={name}>
            <b>{visible(name)}</b>: {visible(why)}
          </li>
        ))}
      </ul>
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
