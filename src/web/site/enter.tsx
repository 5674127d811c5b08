import { useState } from 'react'
import { Press } from '../press.js'
import { ask, keepToken, token, useAction, useApi } from './api.js'
import { ContestShell } from './contest.js'
import { EntryForm } from './entry-form.js'
import type { Contest, SiteGame, List } from './facts.js'
import { Link, fieldOf, pathTo } from './router.js'
import { Problem, Shell, Waiting } from './shell.js'
import { TokenGate } from './tokens.js'

/** A bot is entered: files, a name, how it is started. */
export function EnterPage({ id }: { readonly id: string }) {
  useState(() => takeToken(id))
  const contest = useApi<Contest>(pathTo(['contests', id]))
  const games = useApi<List<SiteGame>>('/games').data?.items
  // The host may enter bots, too.
  const [asHost, setAsHost] = useState(token(id) === undefined && token('host') !== undefined)
  if (contest.data === undefined) {
    return (
      <Shell title="Enter a bot">
        <Waiting problem={contest.problem} what="the contest" />
      </Shell>
    )
  }
  const game = games?.find(({ id: one }) => one === contest.data?.game)
  return (
    <ContestShell contest={contest.data}>
      <section aria-labelledby="enter">
        <h2 id="enter">Enter a bot</h2>
        <p>
          Your files are built and checked in a sandbox. A bot that cannot play is refused, with the reason, and changes
          nothing. One that can plays its matches, and stands in the table. Enter it again under the same name to
          replace it: earlier versions are kept. What a bot is sent and answers, and a starter kit:{' '}
          <Link to={pathTo(['contests', id, 'rules'])}>the rules</Link>.
        </p>
        {contest.data.final ? (
          <p>This contest has ended for good: no bot can enter it any more.</p>
        ) : asHost ? (
          <>
            <EntryForm contest={contest.data} game={game} slot="host" />
            <p className="kept quiet">
              You enter it as the host.{' '}
              <button type="button" className="plain" onClick={() => setAsHost(false)}>
                Enter as a contestant
              </button>
            </p>
          </>
        ) : (
          <TokenGate
            slot={id}
            label="Your token"
            help="The host of the contest gives each contestant one. It is kept in this browser and sent with what you enter."
            otherwise={(use) => contest.data?.signup === true && <SignUp contest={id} onToken={use} />}
          >
            <EntryForm contest={contest.data} game={game} slot={id} />
          </TokenGate>
        )}
      </section>
    </ContestShell>
  )
}

/** Keeps the token of a link that the host gave out, and takes it out of the address. */
function takeToken(id: string): void {
  const sent = /^#(agon_c_[\w-]+)$/.exec(location.hash)?.[1]
  if (sent === undefined) return
  keepToken(id, sent)
  history.replaceState(null, '', location.pathname + location.search)
}

/** Where anyone may sign up: gives a new token. */
function SignUp({ contest, onToken }: { readonly contest: string; readonly onToken: (token: string) => void }) {
  const sign = useAction(async (name: string) => {
    const { token: given } = await ask<{ token: string }>('POST', pathTo(['contests', contest, 'contestants']), {
      name,
    })
    onToken(given)
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        sign.run(fieldOf(event.currentTarget, 'name'))
      }}
    >
      <label>
        Or sign up: your name
        <input name="name" required maxLength={60} />
      </label>
      <Press sends resting={sign.busy}>
        Sign up
      </Press>
      {sign.problem && <Problem problem={sign.problem} />}
    </form>
  )
}
