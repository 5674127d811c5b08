import { useEffect, useState } from 'react'
import { visible } from '../../core/index.js'
import { type Slot, ask, slotIn, token, useAction, useApi } from './api.js'
import { ContestShell } from './contest.js'
import type { Contest, Game, List } from './facts.js'
import { useLive } from './live.js'
import { fieldOf, go, Link, pathTo } from './router.js'
import { Problem, Shell, Waiting } from './shell.js'
import { TokenGate } from './tokens.js'
import { Trial } from './trial.js'

/** A bot is entered: files, a name, how it is started. */
export function EnterPage({ id }: { readonly id: string }) {
  const contest = useApi<Contest>(pathTo(['contests', id]))
  const games = useApi<List<Game>>('/games').data?.items
  // Whoever hosts the contest may enter bots, too.
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
          Your files are built and checked in a sandbox; then your bot plays its matches, and stands in the table. Enter
          it again under the same name to replace it: earlier versions are kept.
        </p>
        {asHost ? (
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

/** Where the contest lets anybody in: gives a new token. */
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
      <button type="submit" disabled={sign.busy}>
        Sign up
      </button>
      {sign.problem && <Problem problem={sign.problem} />}
    </form>
  )
}

interface EntryFormProps {
  readonly contest: Contest
  readonly game: Game | undefined
  /** As whom it is entered. */
  readonly slot: Slot
}

function EntryForm({ contest, game, slot }: EntryFormProps) {
  const [files, setFiles] = useState<readonly File[]>([])
  const send = useAction(async (form: FormData) => {
    for (const name of ['command', 'language', 'synopsis', 'wire']) if (form.get(name) === '') form.delete(name)
    for (const file of files)
      form.append(/\.(zip|tar\.gz|tgz)$/i.test(file.name) && files.length === 1 ? 'archive' : 'files', file, file.name)
    const { id } = await ask<{ id: string }>('POST', pathTo(['contests', contest.id, 'entries']), form, { slot })
    go(pathTo(['entries', id], { contest: contest.id }))
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        send.run(new FormData(event.currentTarget))
      }}
    >
      <label>
        Name
        <input name="name" required maxLength={60} autoComplete="off" />
      </label>
      <Drop files={files} onFiles={setFiles} />
      <label>
        Command
        <input name="command" placeholder="python3 bot.py" autoComplete="off" aria-describedby="command-help" />
      </label>
      <p id="command-help" className="quiet">
        How it is started, in the folder of its files. Leave it out where agon knows by the file’s ending, or builds it.
      </p>
      <label>
        Language
        <input name="language" placeholder="shown in the table; not needed" autoComplete="off" />
      </label>
      {game && game.wires.length > 1 && (
        <label>
          Wire
          <select name="wire" defaultValue="">
            <option value="">{game.wire} (usual)</option>
            {game.wires.map((wire) => (
              <option key={wire} value={wire}>
                {wire}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        Synopsis
        <input name="synopsis" placeholder="how it plays, in a sentence; not needed" maxLength={200} />
      </label>
      <button type="submit" className="main" disabled={send.busy || files.length === 0}>
        {send.busy ? 'Sending …' : 'Enter it'}
      </button>
      {send.problem && <Problem problem={send.problem} />}
    </form>
  )
}

function Drop({
  files,
  onFiles,
}: {
  readonly files: readonly File[]
  readonly onFiles: (files: readonly File[]) => void
}) {
  const [over, setOver] = useState(false)
  return (
    <div
      className={over ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      }}
    >
      <label>
        Files
        <input type="file" multiple onChange={(event) => onFiles([...(event.currentTarget.files ?? [])])} />
      </label>
      <p className="quiet">Drop them here: sources of one folder, or one archive (zip, tar.gz).</p>
      {files.length > 0 && (
        <ul>
          {files.map((file) => (
            <li key={file.name}>
              {visible(file.name)} <span className="quiet">{Math.ceil(file.size / 1024)} KiB</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** What the API tells of an entry. */
interface Entry {
  readonly id: string
  readonly name: string
  readonly contest: string
  readonly version: number
  readonly state: 'building' | 'rejected' | 'playing' | 'placed'
  readonly log?: string
}

const STEPS = ['building', 'playing', 'placed'] as const
const TOLD = { building: 'It is built and checked', playing: 'It plays its matches', placed: 'It stands in the table' }

/** An entry on its way into the table. */
export function EntryPage({ id, contest }: { readonly id: string; readonly contest: string | undefined }) {
  const live = useLive(contest)
  const [looks, setLooks] = useState(0)
  const [of, setOf] = useState(contest)
  const { data: entry, problem } = useApi<Entry>(pathTo(['entries', id]), `${live.version} ${looks}`, slotIn(of))
  // An address may not say to which contest it belongs: the entry does.
  useEffect(() => setOf((now) => now ?? entry?.contest), [entry])
  const busy = entry?.state === 'building'
  // Its log grows while it is built.
  useEffect(() => {
    if (!busy) return undefined
    const timer = setInterval(() => setLooks((n) => n + 1), 1000)
    return () => clearInterval(timer)
  }, [busy])
  return (
    <Shell
      title={entry === undefined ? 'Entry' : `${visible(entry.name)}, version ${entry.version}`}
      above={
        <>
          <Link to="/">Contests</Link> /{' '}
          {contest !== undefined && <Link to={pathTo(['contests', contest])}>the contest</Link>}
        </>
      }
    >
      {entry === undefined ? (
        <Waiting problem={problem} what="the entry" />
      ) : (
        <section aria-labelledby="state">
          <h2 id="state">{entry.state === 'rejected' ? 'It was refused' : TOLD[entry.state]}</h2>
          <Steps state={entry.state} />
          {entry.state === 'placed' && (
            <p>
              <Link to={pathTo(['contests', entry.contest, 'bots', entry.name])}>See how it does</Link>
            </p>
          )}
          {entry.log !== undefined && entry.log !== '' && (
            <>
              <h3>Log</h3>
              <pre className="log" tabIndex={0} role="region" aria-label="log">
                {entry.log.split('\n').map(visible).join('\n')}
              </pre>
            </>
          )}
          {(entry.state === 'playing' || entry.state === 'placed') && mayTry(entry) && (
            <Trial contest={entry.contest} entry={id} name={entry.name} />
          )}
          {entry.state === 'rejected' && (
            <p>
              <Link to={pathTo(['contests', entry.contest, 'enter'])}>Try again</Link>
            </p>
          )}
        </section>
      )}
    </Shell>
  )
}

/** Its owner and the host try it; its log is theirs to read. */
const mayTry = ({ contest, log }: Entry): boolean =>
  log !== undefined && (token(contest) ?? token('host')) !== undefined

/** How far it is. */
function Steps({ state }: Pick<Entry, 'state'>) {
  const at = state === 'rejected' ? 0 : STEPS.indexOf(state)
  return (
    <ol className="steps" role="list">
      {STEPS.map((step, i) => (
        <li
          key={step}
          className={i < at || state === 'placed' ? 'past' : i === at ? (state === 'rejected' ? 'refused' : 'now') : ''}
        >
          {TOLD[step]}
        </li>
      ))}
    </ol>
  )
}
