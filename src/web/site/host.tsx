import { type ReactNode, useState } from 'react'
import { visible } from '../../core/index.js'
import { counted } from '../format.js'
import { Press } from '../press.js'
import { ask, useAction, useApi } from './api.js'
import { Editor } from './editor.js'
import type { Contest, List } from './facts.js'
import { Link, go, pathTo } from './router.js'
import { Empty, Shell, StateTag, Waiting } from './shell.js'
import { TokenGate } from './tokens.js'
import { Workers } from './workers.js'

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

/** The host's token, the contests that are hosted here, and a new one. */
export function HostPage() {
  return (
    <Shell title="Host" below={<p className="summary">Make a contest, start it, and give contestants their tokens.</p>}>
      <section aria-labelledby="token">
        <h2 id="token">Token</h2>
        <HostGate />
      </section>
      <section aria-labelledby="hosted">
        <h2 id="hosted">Your contests</h2>
        <Hosted />
      </section>
      <Workers />
      <section aria-labelledby="new">
        <h2 id="new">A new contest</h2>
        <NewContest />
      </section>
    </Shell>
  )
}

/** Asks for the host's token where there is none. */
export function HostGate({ children }: { readonly children?: ReactNode }) {
  return (
    <TokenGate
      slot="host"
      label="The host’s token"
      help={
        <>
          <code>agon serve</code> printed it at its first start; <code>agon token --new</code> makes another.
        </>
      }
    >
      {children}
    </TokenGate>
  )
}

function Hosted() {
  const { data, problem } = useApi<List<Contest>>('/contests?limit=200')
  if (data === undefined) return <Waiting problem={problem} what="the contests" />
  const hosted = data.items.filter((one) => one.hosted)
  if (hosted.length === 0) return <Empty>There is none yet: make the first one below.</Empty>
  return (
    <ul className="plain-list">
      {hosted.map(({ id, title, state, entrants, matches }) => (
        <li key={id}>
          <Link to={pathTo(['contests', id, 'host'])}>{visible(title)}</Link> <StateTag state={state} />{' '}
          <span className="quiet">
            {counted(entrants.length, 'entrant')}
            {(state !== 'created' || matches > 0) && `, ${counted(matches, 'match', 'matches')}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

function NewContest() {
  const [toml, setToml] = useState(EXAMPLE)
  const make = useAction(async () => {
    const { id } = await ask<{ id: string }>('POST', '/contests', { toml }, { slot: 'host' })
    go(pathTo(['contests', id, 'host']))
  })
  return (
    <form
      className="stack wide"
      onSubmit={(event) => {
        event.preventDefault()
        make.run()
      }}
    >
      <Editor text={toml} onText={setToml} problem={make.problem} />
      <Press sends className="main" resting={make.busy}>
        Make it
      </Press>
    </form>
  )
}
