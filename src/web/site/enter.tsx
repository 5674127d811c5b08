import { Fragment, useEffect, useState } from 'react'
import { visible } from '../../core/index.js'
import { capital, counted } from '../format.js'
import { Field, Form, Press, Section } from '../parts.js'
import {
  type Slot,
  ApiProblem,
  WHOSE,
  keepToken,
  keptContests,
  pagesOf,
  post,
  token,
  useAction,
  useApi,
} from './api.js'
import { OfContest, useGames } from './contest.js'
import type { Caller, Contest, Entry, EntryPreview, List } from './facts.js'
import { go, pathTo } from './router.js'
import { Problem, Shell, StateTag, TokenGate, Waiting } from './shell.js'

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

/** Keeps the token of a host's link, and takes it out of the address. */
function takeToken(id: string): void {
  const sent = /^#(agon_c_[\w-]+)$/.exec(location.hash)?.[1]
  if (sent === undefined) return
  keepToken(id, sent)
  history.replaceState(null, '', location.pathname + location.search)
}

/** For contestants with a token, and for the host. */
function Entering({ contest }: { readonly contest: Contest }) {
  const { id, signup } = contest
  if (token(id) === undefined && token('host') !== undefined)
    return (
      <>
        <p>You enter it as the host. The link with a contestant’s token makes this browser that contestant’s, too.</p>
        <EntryForm contest={contest} slot="host" />
      </>
    )
  return (
    <TokenGate
      slot={id}
      label="Your token"
      help="The host of the contest gives each contestant one. It is kept in this browser and sent with what you enter."
      otherwise={(use) => signup === true && <SignUp contest={id} onToken={use} />}
    >
      <EntryForm contest={contest} slot={id} />
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
      <Field label="Or sign up: your name" name="name" required maxLength={60} />
      <Press sends resting={sign.busy}>
        Sign up
      </Press>
      <Problem problem={sign.problem} />
    </Form>
  )
}

/** Bots by contest, of the tokens that this browser keeps. */
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
  // The newest versions stand first.
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

/** A module or a class has a line below the files. */
const FIELDS = ['name', 'command', 'build', 'wire', 'language', 'synopsis', 'country'] as const
type EntryField = (typeof FIELDS)[number]
type Words = Readonly<Partial<Record<EntryField, string>>>

const STARTED =
  'How it is started, in the folder of its files. Leave it out: the files show it, or a bot.toml among them says it.'
const EXAMPLES: Words = {
  command: 'python3 bot.py',
  build: 'a command a line; not needed',
  language: 'shown in the table; not needed',
  synopsis: 'how it plays, in a sentence; not needed',
  country: 'two letters, such as CH; not needed',
}
const LENGTHS: Readonly<Partial<Record<EntryField, number>>> = { name: 60, synopsis: 200, country: 2 }

/** Files fill the fields; what the person has written stays. */
function EntryForm({ contest, slot }: { readonly contest: Contest; readonly slot: Slot }) {
  const game = useGames()?.find(({ id }) => id === contest.game)
  const path = pathTo(['contests', contest.id, 'entries'])
  const [files, setFiles] = useState<readonly File[]>([])
  const { preview, problem: unseen } = usePreview(path, files, slot)
  const [written, setWritten] = useState<ReadonlySet<string>>(new Set())
  const filled: Words = { ...preview?.words, build: preview?.words.build?.join('\n') }
  const send = useAction(async (field: (name: string) => string) => {
    const { id } = await post<{ id: string }>(path, sentForm(field, filled, files), { slot, isPatient: true })
    go(pathTo(['entries', id], { contest: contest.id }))
  })
  // What the files do not show is mended once the person has written it.
  const problem = send.problem ?? (written.has(unseen?.field ?? '') ? undefined : unseen)
  /** Where it is shown; undefined: below the form. */
  const at = problem?.field === undefined ? undefined : (FIELDS.find((one) => one === problem.field) ?? 'files')
  const wires = game?.wires ?? []
  const inputOf = (name: EntryField) => {
    const common = {
      name,
      defaultValue: filled[name] ?? '',
      'aria-describedby': at === name ? 'entry-problem' : name === 'command' ? 'command-help' : undefined,
      'aria-invalid': at === name,
      onChange: () => setWritten(new Set([...written, name])),
    }
    const placeholder = name === 'command' && preview ? undefined : EXAMPLES[name]
    if (name === 'build')
      return <textarea {...common} rows={linesOf(filled.build).length + 1} placeholder={placeholder} />
    if (name !== 'wire')
      return (
        <input
          {...common}
          autoComplete="off"
          required={name === 'name'}
          maxLength={LENGTHS[name]}
          placeholder={placeholder}
        />
      )
    return (
      <select key={filled.wire} {...common}>
        <option value="">{game?.wire} (usual)</option>
        {wires.map((wire) => (
          <option key={wire}>{wire}</option>
        ))}
      </select>
    )
  }
  return (
    <Form kind="stack" onSend={send.run}>
      <Drop files={files} onFiles={setFiles} seen={preview} />
      {at === 'files' && <Problem problem={problem} />}
      {FIELDS.filter((name) => name !== 'wire' || wires.length > 1).map((name) => (
        <Fragment key={name}>
          <label>
            {capital(name)}
            {inputOf(name)}
          </label>
          {name === 'command' && (
            <p id="command-help" className="quiet">
              {STARTED}
            </p>
          )}
          {at === name && <Problem id="entry-problem" problem={problem} />}
        </Fragment>
      ))}
      <Press sends className="main" resting={send.busy}>
        {send.busy ? 'Sending …' : 'Enter it'}
      </Press>
      {at === undefined && <Problem problem={problem} />}
    </Form>
  )
}

const linesOf = (text = ''): readonly string[] => text.split('\n').filter((line) => line.trim() !== '')

/** What the person wrote, and the files, where the site reads the rest. */
function sentForm(field: (name: string) => string, filled: Words, files: readonly File[]): FormData {
  const form = formOf(files)
  const isChanged = (name: EntryField): boolean => field(name) !== (filled[name] ?? '')
  form.set('name', field('name'))
  for (const name of ['language', 'synopsis', 'wire', 'country'] as const)
    if (isChanged(name)) form.set(name, field(name))
  if (isChanged('command') || isChanged('build')) {
    form.set('command', field('command'))
    for (const line of linesOf(field('build'))) form.append('build', line)
  }
  return form
}

/** As the API takes them: one archive if they are one. */
function formOf(files: readonly File[]): FormData {
  const form = new FormData()
  for (const file of files)
    form.append(/\.(zip|tar\.gz|tgz)$/i.test(file.name) && files.length === 1 ? 'archive' : 'files', file, file.name)
  return form
}

interface Seen {
  readonly preview?: EntryPreview
  readonly problem?: ApiProblem
}

/** What the site sees in chosen files. */
function usePreview(path: string, files: readonly File[], slot: Slot): Seen {
  const [seen, setSeen] = useState<Seen>({})
  useEffect(() => {
    setSeen({})
    if (files.length === 0) return undefined
    const stop = new AbortController()
    post<EntryPreview>(`${path}/preview`, formOf(files), { slot, signal: stop.signal }).then(
      (preview) => {
        const { detail, field } = preview.problem ?? {}
        setSeen({ preview, problem: detail === undefined ? undefined : new ApiProblem(400, detail, field) })
      },
      (error: unknown) => !stop.signal.aborted && error instanceof ApiProblem && setSeen({ problem: error }),
    )
    return () => stop.abort()
  }, [path, files, slot])
  return seen
}

interface DropProps {
  readonly files: readonly File[]
  readonly onFiles: (files: readonly File[]) => void
  readonly seen: EntryPreview | undefined
}

/** Files that are listed; of more the rest opens. */
const LISTED = 12

function Drop({ files, onFiles, seen }: DropProps) {
  const { module, class: header } = seen?.words ?? {}
  const all: EntryPreview['files'] = seen?.files ?? files.map(({ name, size }) => ({ path: name, bytes: size }))
  const list = (some: typeof all) => (
    <ul>
      {some.map(({ path, bytes, out }) => (
        <li key={path}>
          {visible(path)}{' '}
          <span className="quiet">
            {bytes !== undefined && `${Math.ceil(bytes / 1024)} KiB`}
            {out && ' – the bot runs without it'}
            {path === 'bot.toml' && ', which fills this form'}
          </span>
        </li>
      ))}
    </ul>
  )
  return (
    <div className="drop">
      <label>
        Files
        <input
          type="file"
          multiple
          required={files.length === 0}
          onChange={(event) => onFiles([...(event.currentTarget.files ?? [])])}
        />
      </label>
      <p className="quiet">Drop them here: sources of one folder, or one archive (zip, tar.gz).</p>
      {all.length > 0 && list(all.slice(0, LISTED))}
      {all.length > LISTED && (
        <details>
          <summary>{counted(all.length - LISTED, 'more file')}</summary>
          {list(all.slice(LISTED))}
        </details>
      )}
      {(module ?? header) !== undefined && (
        <p>
          It is the {module === undefined ? 'class' : 'module'} of <code>{visible(module ?? header ?? '')}</code>.
        </p>
      )}
    </div>
  )
}
