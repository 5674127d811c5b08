import { scaleLog } from 'd3-scale'
import { FAULT_KINDS, faultOf } from '../../core/faults.js'
import { visible } from '../../core/index.js'
import type { ReportDocument, ReportPrinted, ReportTiming } from '../document.js'
import { duration, figure, percent } from '../format.js'
import { faultCount } from '../match-list.js'
import { type Column, Table, numbers } from '../parts.js'
import { useReport } from '../shared.js'

type Row = ReportDocument['standings']['rows'][number]

export function Troubles() {
  const { document, nameOf, isChosen } = useReport()
  const { standings, faults, leftOut = [], printed } = document
  const kinds = FAULT_KINDS.filter((kind) => faults.some((own) => own[kind] !== undefined))
  const columns: Column<Row>[] = [
    { head: 'Name', names: true, cell: ({ entrant }) => nameOf(entrant) },
    ...kinds.map((kind) =>
      numbers<Row>(kind, ({ entrant }) => faultCount(faults[entrant]?.[kind] ?? 0, '–'), {
        means: faultOf(kind).words,
      }),
    ),
    ...timeColumns(document),
  ]
  return (
    <>
      <p>
        {kinds.length === 0 ? 'No entrant was faulted. ' : ''}Wall time of every answer; the dot is the median, the bar
        ends at the 99th percentile, the mark beyond it is the slowest answer, and the line is the limit. The scale is
        logarithmic.
      </p>
      <Table
        label="the table of faults and times"
        columns={columns}
        rows={standings.rows}
        keyOf={({ entrant }) => entrant}
        isChosen={isChosen}
      />
      {printed && <Printed printed={printed} />}
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

const WIDTH = 300

function timeColumns({ entrants, timing }: ReportDocument): readonly Column<Row>[] {
  const limitUs = (entrant: number): number => (entrants[entrant]?.limit ?? 1000) * 1000
  const known = timing.filter((own) => own !== null)
  const limits = [...entrants.keys()].map(limitUs)
  const least = Math.min(...known.map(({ median }) => median), ...limits)
  const most = Math.max(...known.map(({ max }) => max), ...limits)
  const scale = scaleLog([Math.max(1, least) / 1.5, most * 1.3], [4, WIDTH - 4])
  const timed = (head: string, text: (times: ReportTiming) => string, means?: string): Column<Row> =>
    numbers(head, ({ entrant }) => (timing[entrant] ? text(timing[entrant]) : '–'), { means })
  const shareOfLimit = ({ entrant }: Row) => {
    const share = (timing[entrant]?.max ?? 0) / limitUs(entrant)
    return timing[entrant] && <span className={share >= 1 ? 'fault' : undefined}>{percent(share)}</span>
  }
  const strip = ({ entrant }: Row) => {
    const own = timing[entrant]
    if (!own) return null
    const [median, p99, max, limit] = [own.median, own.p99, own.max, limitUs(entrant)].map((us) =>
      scale(Math.max(1, us)),
    )
    return (
      <svg className="strip" width={WIDTH} height="18" viewBox={`0 0 ${WIDTH} 18`} aria-hidden="true">
        <line className="limit" x1={limit} x2={limit} y1="0" y2="18" />
        <line className="range" x1={median} x2={p99} y1="9" y2="9" />
        <line x1={max} x2={max} y1="4" y2="14" />
        <circle cx={median} cy="9" r="4" />
      </svg>
    )
  }
  return [
    timed('Answers', ({ n }) => figure(n)),
    timed('Median', ({ median }) => duration(median)),
    timed('99 %', ({ p99 }) => duration(p99), 'that share of its answers took no longer'),
    timed('Slowest', ({ max }) => duration(max)),
    numbers('Of the limit', shareOfLimit, { means: 'how much of the time that it may take the slowest answer took' }),
    { head: '', cell: strip },
  ]
}

function Printed({ printed }: { readonly printed: readonly (readonly ReportPrinted[])[] }) {
  const { document, nameOf } = useReport()
  const names = [...new Set(printed.flatMap((own) => own.map(({ name }) => name)))].sort()
  const meanOf = (entrant: number, name: string) => {
    const own = printed[entrant]?.find((one) => one.name === name)
    return own === undefined ? '–' : <span title={`over ${own.matches} matches`}>{figure(own.mean)}</span>
  }
  return (
    <>
      <h3>What bots printed</h3>
      <p>The mean of a match of each figure that a bot printed of itself. Its replays show it turn by turn.</p>
      <Table
        label="what bots printed"
        columns={[
          { head: 'Name', names: true, cell: ({ entrant }) => nameOf(entrant) },
          ...names.map((name) => numbers<Row>(name, ({ entrant }) => meanOf(entrant, name))),
        ]}
        rows={document.standings.rows.filter(({ entrant }) => (printed[entrant] ?? []).length > 0)}
        keyOf={({ entrant }) => entrant}
      />
    </>
  )
}
