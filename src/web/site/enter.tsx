import { useState } from 'react'
import { Form, Press, Section } from '../parts.js'
import { keepToken, post, token, useAction } from './api.js'
import { OfContest, useGames } from './contest-shell.js'
import { EntryForm } from './entry-form.js'
import type { Contest } from './facts.js'
import { pathTo } from './router.js'
import { Problem } from './shell.js'
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
function Connect({ contest }: { readonly contest: string }) {
  return (
    <details className="more">
      <summary>Or let it play from your own machine</summary>
      <p>
        Nothing is uploaded: install agon, and start this in the bot’s folder, with your token, its name and its own
        command. It plays for as long as this runs.
      </p>
      <pre>{`agon connect ${location.origin} --token agon_c_… --contest ${contest} --name NAME -- python3 bot.py`}</pre>
    </details>
  )
}

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
      {sign.problem && <Problem problem={sign.problem} />}
    </Form>
  )
}
