import { useState } from 'react'
import { visible } from '../../core/index.js'
import { Form, Press, Section } from '../parts.js'
import { WHOSE, keepToken, keptContests, pagesOf, post, token, useAction, useApi } from './api.js'
import { OfContest, useGames } from './contest-shell.js'
import { EntryForm } from './entry-form.js'
import type { Caller, Contest, Entry, List } from './facts.js'
import { pathTo } from './router.js'
import { Problem, Shell, StateTag, Waiting } from './shell.js'
import { TokenGate } from './tokens.js'

export function EnterPage({ id }: { readonly id: string }) {
  useState(() => takeToken(id))
  return (
    <OfContest id={id} title="Enter a bot">
      {(contest) => (
        <Section id="enter" title="Enter a bot">
          <p>
            Your files are built and checked in a sandbox. A bot that cannot play is refused, with the reason, and
            changes nothing. One that can plays its matches, and stands in the table. Enter it again under the same name
            to replace it: earlier versions are kept. What a bot is sent and answers, and a starter kit:{' '}
            <a href={pathTo(['contests', id, 'rules'])}>the rules</a>.
          </p>
          {contest.final ? (
            <p>This contest has ended for good: no bot can enter it any more.</p>
          ) : (
            <>
              {contest.remote && <Connect contest={id} />}
              <Entering contest={contest} />
            </>
          )}
        </Section>
      )}
    </OfContest>
  )
}

/** How a bot plays without an upload. */
const Connect = ({ contest }: { readonly contest: string }) => (
  <details className="more">
    <summary>Or let it play from your own machine</summary>
    <p>
      Nothing is uploaded: install agon, and start this in the bot’s folder, with your token, its name and its own
      command. It plays for as long as this runs.
    </p>
    <pre>{`agon connect ${location.origin} --token agon_c_… --contest ${contest} --name NAME -- python3 bot.py`}</pre>
  </details>
)

/** Keeps the token of a link that the host gave out, and takes it out of the address. */
function takeToken(id: string): void {
  const sent = /^#(agon_c_[\w-]+)$/.exec(location.hash)?.[1]
  if (sent === undefined) return
  keepToken(id, sent)
  history.replaceState(null, '', location.pathname + location.search)
}

/** The form, for a contestant who has a token, and for the host, who may enter bots, too. */
function Entering({ contest }: { readonly contest: Contest }) {
  const { id, signup } = contest
  const game = useGames()?.find((one) => one.id === contest.game)
  const [asHost, setAsHost] = useState(token(id) === undefined && token('host') !== undefined)
  if (asHost)
    return (
      <>
        <EntryForm contest={contest} game={game} slot="host" />
        <p className="quiet small">
          You enter it as the host.{' '}
          <Press className="plain" onClick={() => setAsHost(false)}>
            Enter as a contestant
          </Press>
        </p>
      </>
    )
  return (
    <TokenGate
      slot={id}
      label="Your token"
      help="The host of the contest gives each contestant one. It is kept in this browser and sent with what you enter."
      otherwise={(use) => signup === true && <SignUp contest={id} onToken={use} />}
    >
      <EntryForm contest={contest} game={game} slot={id} />
    </TokenGate>
  )
}

function SignUp({ contest, onToken }: { readonly contest: string; readonly onToken: (token: string) => void }) {
  const sign = useAction(async (name: string) => {
    const { token: given } = await post<{ token: string }>(pathTo(['contests', contest, 'contestants']), { name })
    onToken(given)
  })
  return (
    <Form kind="stack" onSend={(field) => sign.run(field('name'))}>
      <label>
        Or sign up: your name
        <input name="name" required maxLength={60} />
      </label>
      <Press sends resting={sign.busy}>
        Sign up
      </Press>
      <Problem problem={sign.problem} />
    </Form>
  )
}

/** The bots of the person whose tokens this browser keeps, by contest. */
export function MinePage() {
  const contests = keptContests()
  return (
    <Shell title="My bots">
      {contests.length === 0 ? (
        <p className="empty">
          This browser keeps no contestant’s token. Each contest has a page to <b>Enter a bot</b>, which asks for one.
        </p>
      ) : (
        contests.map((id) => <OwnBots key={id} id={id} />)
      )}
    </Shell>
  )
}

const STATES: Readonly<Record<Entry['state'], string>> = {
  building: 'is built and checked',
  playing: 'plays its matches',
  placed: 'stands in the table',
  rejected: 'was refused',
}

function OwnBots({ id }: { readonly id: string }) {
  const contest = useApi<Contest>(pathTo(['contests', id]))
  const caller = useApi<Caller>(WHOSE, 0, id)
  const path = pathTo(['contests', id, 'entries'], { limit: 200 })
  const entries = useApi<List<Entry>>(path, 0, id, pagesOf(Infinity))
  // The newest version of each bot stands first.
  const own = (entries.data?.items ?? []).filter(({ contestant }) => contestant === caller.data?.name)
  const newest = own.filter(({ name }, i) => own.findIndex((other) => other.name === name) === i)
  const title = (
    <>
      <a href={pathTo(['contests', id])}>{visible(contest.data?.title ?? id)}</a>{' '}
      {contest.data && <StateTag state={contest.data.state} />}
    </>
  )
  return (
    <Section id={`mine-${id}`} title={title}>
      {entries.data === undefined || caller.data === undefined ? (
        <Waiting problem={contest.problem ?? caller.problem ?? entries.problem} what="your bots" />
      ) : (
        <>
          <ul role="list">
            {newest.map(({ id: entry, name, version, state }) => (
              <li key={entry}>
                <a href={pathTo(['entries', entry], { contest: id })}>{visible(name)}</a>{' '}
                <span className="quiet">
                  version {version}, {STATES[state]}
                </span>{' '}
                {state === 'placed' && <a href={pathTo(['contests', id, 'bots', name])}>how it does</a>}
              </li>
            ))}
          </ul>
          <p>
            <a href={pathTo(['contests', id, 'enter'])}>{newest.length === 0 ? 'Enter a bot' : 'Enter another'}</a>
          </p>
        </>
      )}
    </Section>
  )
}
