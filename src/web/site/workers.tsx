import { useEffect, useState } from 'react'
import { visible } from '../../core/index.js'
import { counted, figure } from '../format.js'
import { token, useApi } from './api.js'
import type { SeenWorker, Workers as WorkerList } from './facts.js'
import { Link, pathTo } from './router.js'
import { Empty, Waiting } from './shell.js'

/** Milliseconds between two looks. */
const LOOK_MS = 3000
/** Seconds without a sign of life after which a worker is shown as gone. */
const SILENT_S = 12

/** Who plays for the store, where it is on a server; it is the host's to see. */
export function Workers() {
  const [looks, setLooks] = useState(0)
  const isHost = token('host') !== undefined
  const { data, problem } = useApi<WorkerList>(isHost ? '/workers?limit=200' : undefined, looks, 'host')
  const server = data?.server === true
  useEffect(() => {
    // A person who gives the token on this page sees them, too.
    if (isHost && !server) return undefined
    const timer = setInterval(() => setLooks((n) => n + 1), LOOK_MS)
    return () => clearInterval(timer)
  }, [server, isHost])
  if (!isHost || problem?.status === 401 || problem?.status === 403 || data?.server === false) return null
  return (
    <section aria-labelledby="workers">
      <h2 id="workers">Workers</h2>
      {data === undefined ? (
        <Waiting problem={problem} what="the workers" />
      ) : data.items.length === 0 ? (
        <Empty>
          There is none. <code>agon worker --store URL</code> starts one on any machine.
        </Empty>
      ) : (
        <WorkersTable workers={data.items} />
      )}
    </section>
  )
}

const COLUMNS = ['Matches', 'A second', 'Faults', 'Heard of'] as const

function WorkersTable({ workers }: { readonly workers: readonly SeenWorker[] }) {
  return (
    <div className="scrollable workers" role="region" aria-label="the table of workers" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Worker</th>
            <th scope="col">Plays</th>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {workers.map((worker) => (
            <Row key={worker.id} worker={worker} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ worker }: { readonly worker: SeenWorker }) {
  const { id, cores, slots, labels, playing, matches, faults, since, heard, silent, aside } = worker
  const seconds = (Date.parse(heard) - Date.parse(since)) / 1000
  return (
    <tr>
      <th scope="row">
        {visible(id)}{' '}
        <span className="quiet">
          {figure(slots)} of {counted(cores, 'core')}
          {labels.map((label) => `, ${visible(label)}`).join('')}
        </span>
        {aside !== undefined && <p className="aside">Set aside: {visible(aside)}</p>}
      </th>
      <td>
        {playing.length === 0 ? (
          <span className="quiet">nothing</span>
        ) : (
          playing.map(({ run, contest, title }, i) => (
            <span key={run}>
              {i > 0 && ', '}
              <Link to={pathTo(['contests', contest])}>{visible(title)}</Link>
            </span>
          ))
        )}
      </td>
      <td className="number">{figure(matches)}</td>
      <td className="number">{seconds < 1 ? '' : (matches / seconds).toFixed(1)}</td>
      <td className="number">{figure(faults)}</td>
      <td className={silent > SILENT_S ? 'number fault' : 'number'}>{agoOf(silent)}</td>
    </tr>
  )
}

/** '3 s ago', '5 min ago'. */
const agoOf = (seconds: number): string =>
  seconds < 90 ? `${Math.round(seconds)} s ago` : `${Math.round(seconds / 60)} min ago`
