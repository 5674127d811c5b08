import { useState } from 'react'
import { visible } from '../../core/index.js'
import { counted, figure } from '../format.js'
import { Form, Press, Section, Sections } from '../parts.js'
import { post, token, useAction, useApi, useTicks } from './api.js'
import { Editor } from './editor.js'
import type { Contest, List, SeenWorker, Workers as WorkerList } from './facts.js'
import { go, pathTo } from './router.js'
import { ContestCards } from './home.js'
import { HostGate, Listed, Shell } from './shell.js'

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
  const asked = useApi<List<Contest>>('/contests?limit=200')
  const data = asked.data && { ...asked.data, items: asked.data.items.filter(({ hosted }) => hosted) }
  return (
    <Listed of={{ ...asked, data }} what="the contests" empty="There is none yet: make the first one below.">
      {(hosted) => <ContestCards contests={hosted} page="host" />}
    </Listed>
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
          <ul role="list">
            {all.map((worker) => (
              <Worker key={worker.id} {...worker} />
            ))}
          </ul>
        )}
      </Listed>
    </Section>
  )
}

function Worker({ id, slots, cores, labels, aside, playing, matches, since, heard, faults, silent }: SeenWorker) {
  const seconds = (Date.parse(heard) - Date.parse(since)) / 1000
  return (
    <li>
      <b>{visible(id)}</b>{' '}
      <span className="quiet">
        {[`${figure(slots)} of ${counted(cores, 'core')}`, ...labels.map(visible)].join(', ')}
      </span>
      : {counted(matches, 'match', 'matches')}
      {seconds >= 1 && `, ${(matches / seconds).toFixed(1)} a second`}, {counted(faults, 'fault')}; heard of{' '}
      <span className={silent > SILENT_S ? 'fault' : undefined}>
        {silent < 90 ? `${Math.round(silent)} s ago` : `${Math.round(silent / 60)} min ago`}
      </span>
      ; it plays {playing.length === 0 && 'nothing'}
      {playing.map(({ run, contest, title }, i) => (
        <span key={run}>
          {i > 0 && ', '}
          <a href={pathTo(['contests', contest])}>{visible(title)}</a>
        </span>
      ))}
      {aside !== undefined && <p className="fault small">Set aside: {visible(aside)}</p>}
    </li>
  )
}
