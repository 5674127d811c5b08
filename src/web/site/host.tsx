import { useState } from 'react'
import { visible } from '../../core/index.js'
import { counted, figure } from '../format.js'
import { Form, Press, Section, Sections, Table, numbers } from '../parts.js'
import { post, token, useAction, useApi } from './api.js'
import { Editor } from './editor.js'
import type { Contest, List, SeenWorker, Workers as WorkerList } from './facts.js'
import { useTicks } from './live.js'
import { go, pathTo } from './router.js'
import { Listed, Shell, StateTag, Waiting } from './shell.js'
import { HostGate } from './tokens.js'

export const HostPage = () => (
  <Shell title="Host" below={<p className="summary">Make a contest, start it, and give contestants their tokens.</p>}>
    <Sections
      parts={[
        ['token', 'Token', <HostGate />],
        ['hosted', 'Your contests', <Hosted />],
      ]}
    />
    <Workers />
    <Section id="new" title="A new contest">
      <NewContest />
    </Section>
  </Shell>
)

function Hosted() {
  const { data, problem } = useApi<List<Contest>>('/contests?limit=200')
  if (data === undefined) return <Waiting problem={problem} what="the contests" />
  const hosted = data.items.filter((one) => one.hosted)
  if (hosted.length === 0) return <p className="empty">There is none yet: make the first one below.</p>
  return (
    <ul role="list">
      {hosted.map(({ id, title, state, entrants, matches }) => (
        <li key={id}>
          <a href={pathTo(['contests', id, 'host'])}>{visible(title)}</a> <StateTag state={state} />{' '}
          <span className="quiet">
            {counted(entrants.length, 'entrant')}
            {(state !== 'created' || matches > 0) && `, ${counted(matches, 'match', 'matches')}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

const EXAMPLE = `title = "My first contest"
game = "samurai"

[format]
kind = "round-robin"
repetitions = 10

[limits]
turn = 1000

[[entrants]]
house = "Hedgehog"

[[entrants]]
house = "Abacus"
`

function NewContest() {
  const [toml, setToml] = useState(EXAMPLE)
  const make = useAction(async () => {
    const { id } = await post<{ id: string }>('/contests', { toml }, { slot: 'host' })
    go(pathTo(['contests', id, 'host']))
  })
  return (
    <Form kind="stack wide" onSend={() => make.run()}>
      <Editor text={toml} onText={setToml} problem={make.problem} />
      <Press sends className="main" resting={make.busy}>
        Make it
      </Press>
    </Form>
  )
}

const LOOK_MS = 3000
/** Seconds without a sign of life after which a worker is shown as gone. */
const SILENT_S = 12

const NO_WORKER = (
  <>
    There is none. <code>agon worker --store URL</code> starts one on any machine.
  </>
)

/** Who plays for the store, where it is on a server; it is the host's to see. */
function Workers() {
  const isHost = token('host') !== undefined
  const [server, setServer] = useState<boolean>()
  // A person who gives the token on this page sees them, too.
  const looks = useTicks(isHost && server === false ? undefined : LOOK_MS)
  const workers = useApi<WorkerList>(isHost ? '/workers?limit=200' : undefined, looks, 'host')
  const { data, problem } = workers
  if (data !== undefined && data.server !== server) setServer(data.server)
  if (!isHost || problem?.status === 401 || problem?.status === 403 || data?.server === false) return null
  return (
    <Section id="workers" title="Workers">
      <Listed of={workers} what="the workers" empty={NO_WORKER}>
        {(all) => (
          <Table
            label="the table of workers"
            columns={[
              { head: 'Worker', names: true, cell: Worker },
              { head: 'Plays', cell: Plays },
              numbers<SeenWorker>('Matches', ({ matches }) => figure(matches)),
              numbers<SeenWorker>('A second', rateText),
              numbers<SeenWorker>('Faults', ({ faults }) => figure(faults)),
              numbers<SeenWorker>('Heard of', ({ silent }) => (
                <span className={silent > SILENT_S ? 'fault' : undefined}>{agoText(silent)}</span>
              )),
            ]}
            rows={all}
            keyOf={({ id }) => id}
          />
        )}
      </Listed>
    </Section>
  )
}

const Worker = ({ id, slots, cores, labels, aside }: SeenWorker) => (
  <>
    {visible(id)}{' '}
    <span className="quiet">
      {figure(slots)} of {counted(cores, 'core')}
      {labels.map((label) => `, ${visible(label)}`).join('')}
    </span>
    {aside !== undefined && <p className="fault small">Set aside: {visible(aside)}</p>}
  </>
)

function Plays({ playing }: SeenWorker) {
  if (playing.length === 0) return <span className="quiet">nothing</span>
  return playing.map(({ run, contest, title }, i) => (
    <span key={run}>
      {i > 0 && ', '}
      <a href={pathTo(['contests', contest])}>{visible(title)}</a>
    </span>
  ))
}

function rateText({ matches, since, heard }: SeenWorker): string {
  const seconds = (Date.parse(heard) - Date.parse(since)) / 1000
  return seconds < 1 ? '' : (matches / seconds).toFixed(1)
}

/** '3 s ago', '5 min ago'. */
const agoText = (seconds: number): string =>
  seconds < 90 ? `${Math.round(seconds)} s ago` : `${Math.round(seconds / 60)} min ago`
