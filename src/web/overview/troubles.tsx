import type { ReactNode } from 'react'
import { FAULT_KINDS, faultOf } from '../../core/faults.js'
import { visible } from '../../core/index.js'
import type { ReportDocument, ReportPrinted, ReportTiming } from '../document.js'
import { duration, figure, percent } from '../format.js'
import { faultCount } from '../match-list.js'
import { Bar, type Column, Table, numbers } from '../parts.js'
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
        {kinds.length === 0 ? 'No entrant was faulted. ' : ''}Wall time of every answer, and how much of the limit the
        slowest took.
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

function timeColumns({ entrants, timing }: ReportDocument): readonly Column<Row>[] {
  const timed = (head: string, text: (times: ReportTiming, entrant: number) => ReactNode, means?: string) =>
    numbers<Row>(head, ({ entrant }) => (timing[entrant] ? text(timing[entrant], entrant) : '–'), { means })
  /** How much of the time that an answer may take the slowest one took. */
  const shareOf = ({ max }: ReportTiming, entrant: number): number => max / 1000 / (entrants[entrant]?.limit ?? 1000)
  const shareText = (times: ReportTiming, entrant: number) => {
    const share = shareOf(times, entrant)
    return <span className={share >= 1 ? 'fault' : undefined}>{percent(share)}</span>
  }
  return [
    timed('Answers', ({ n }) => figure(n)),
    timed('Median', ({ median }) => duration(median)),
    timed('99 %', ({ p99 }) => duration(p99), 'that share of its answers took no longer'),
    timed('Slowest', ({ max }) => duration(max)),
    timed('Of the limit', shareText, 'how much of the time that it may take the slowest answer took'),
    {
      head: '',
      kind: 'bars',
      cell: ({ entrant }) => timing[entrant] && <Bar share={Math.min(1, shareOf(timing[entrant], entrant))} />,
    },
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
