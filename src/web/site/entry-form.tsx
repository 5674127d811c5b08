import { type InputHTMLAttributes, type ReactNode, useEffect, useState } from 'react'
import { visible } from '../../core/index.js'
import { counted } from '../format.js'
import { Press } from '../press.js'
import { ApiProblem, type Slot, ask, askPatiently, useAction } from './api.js'
import type { Contest, EntryPreview, SiteGame } from './facts.js'
import { go, pathTo } from './router.js'
import { Problem } from './shell.js'

interface EntryFormProps {
  readonly contest: Contest
  readonly game: SiteGame | undefined
  /** As whom it is entered. */
  readonly slot: Slot
}

/** The fields that a person sees; of a module or a class that a file shows there is a line below the files. */
const FIELDS = ['name', 'command', 'build', 'language', 'wire', 'synopsis', 'country'] as const
type Field = (typeof FIELDS)[number]
type Words = Readonly<Partial<Record<Field, string>>>

/** Sends a bot. */
export function EntryForm({ contest, game, slot }: EntryFormProps) {
  const path = pathTo(['contests', contest.id, 'entries'])
  const [files, setFiles] = useState<readonly File[]>([])
  const seen = usePreview(path, files, slot)
  /** What the person has written: it stays, whatever the files say. */
  const [typed, setTyped] = useState<Words>({})
  const filled = filledBy(seen.preview)
  const setWord = (name: Field, word: string): void => setTyped({ ...typed, [name]: word })
  /** Seconds until it is sent again; and what ends the waiting. */
  const [wait, setWait] = useState<number>()
  const [abort, setAbort] = useState<AbortController>()
  const send = useAction(async () => {
    const stop = new AbortController()
    setAbort(stop)
    try {
      const body = sentForm(typed, filled, files)
      const { id } = await askPatiently<{ id: string }>(path, body, { slot, signal: stop.signal }, setWait)
      go(pathTo(['entries', id], { contest: contest.id }))
    } finally {
      setWait(undefined)
    }
  })
  const problem = send.problem ?? (isMended(seen.problem, typed) ? undefined : seen.problem)
  const at = fieldOf(problem)
  const row = (name: Field, label: string, more: InputHTMLAttributes<HTMLInputElement> = {}, help?: ReactNode) => (
    <Row name={name} label={label} problem={at === name ? problem : undefined} help={help}>
      {(described) => (
        <input
          autoComplete="off"
          {...more}
          {...described}
          name={name}
          value={typed[name] ?? filled[name] ?? ''}
          onChange={(event) => setWord(name, event.currentTarget.value)}
        />
      )}
    </Row>
  )
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        send.run()
      }}
    >
      <Drop files={files} onFiles={setFiles} seen={seen.preview} />
      {at === 'files' && problem && <Problem problem={problem} />}
      {row('name', 'Name', { required: true, maxLength: 60 })}
      {row('command', 'Command', { placeholder: seen.preview ? '' : 'python3 bot.py' }, STARTED)}
      <BuildAndWire game={game} at={at} problem={problem} words={{ ...filled, ...typed }} onWord={setWord} />
      {row('language', 'Language', { placeholder: 'shown in the table; not needed' })}
      {row('synopsis', 'Synopsis', { placeholder: 'how it plays, in a sentence; not needed', maxLength: 200 })}
      {row('country', 'Country', { placeholder: 'two letters, such as CH; not needed', maxLength: 2 })}
      <div className="group-of">
        <Press sends className="main" resting={send.busy}>
          {send.busy ? 'Sending …' : 'Enter it'}
        </Press>
      </div>
      {wait !== undefined && (
        <p className="quiet" role="status">
          The site is busy: it is sent again in {counted(wait, 'second')}.{' '}
          <button type="button" className="plain" onClick={() => abort?.abort()}>
            Do not wait
          </button>
        </p>
      )}
      {problem && at === undefined && <Problem problem={problem} />}
    </form>
  )
}

interface BuildProps {
  readonly game: SiteGame | undefined
  readonly at: Field | 'files' | undefined
  readonly problem: ApiProblem | undefined
  readonly words: Words
  readonly onWord: (name: Field, word: string) => void
}

/** How it is built, and which of the game's wires it speaks. */
function BuildAndWire({ game, at, problem, words, onWord }: BuildProps) {
  return (
    <>
      <Row name="build" label="Build" problem={at === 'build' ? problem : undefined}>
        {(described) => (
          <textarea
            {...described}
            name="build"
            rows={Math.max(1, lines(words.build).length)}
            placeholder="a command a line; not needed"
            value={words.build ?? ''}
            onChange={(event) => onWord('build', event.currentTarget.value)}
          />
        )}
      </Row>
      {game && game.wires.length > 1 && (
        <Row name="wire" label="Wire" problem={at === 'wire' ? problem : undefined}>
          {(described) => (
            <select
              {...described}
              name="wire"
              value={words.wire ?? ''}
              onChange={(event) => onWord('wire', event.currentTarget.value)}
            >
              <option value="">{game.wire} (usual)</option>
              {game.wires.map((wire) => (
                <option key={wire} value={wire}>
                  {wire}
                </option>
              ))}
            </select>
          )}
        </Row>
      )}
    </>
  )
}

const STARTED =
  'How it is started, in the folder of its files. Leave it out: the files show it, or a bot.toml among them says it.'

/** Where a problem is shown; undefined: below the form. */
function fieldOf(problem: ApiProblem | undefined): Field | 'files' | undefined {
  if (problem?.field === undefined) return undefined
  return FIELDS.find((one) => one === problem.field) ?? 'files'
}

/** Whether the person has written what the files did not show. */
const isMended = (problem: ApiProblem | undefined, typed: Words): boolean =>
  FIELDS.some((name) => name === problem?.field && (typed[name] ?? '') !== '')

interface RowProps {
  readonly name: Field
  readonly label: string
  readonly help?: ReactNode
  readonly problem: ApiProblem | undefined
  readonly children: (described: { readonly 'aria-describedby'?: string; readonly 'aria-invalid'?: true }) => ReactNode
}

/** A field with what it is for, and what is wrong with it. */
function Row({ name, label, help, problem, children }: RowProps) {
  const ids = [help && `${name}-help`, problem && `${name}-problem`].filter(Boolean).join(' ')
  return (
    <>
      <label>
        {label}
        {children({ 'aria-describedby': ids === '' ? undefined : ids, 'aria-invalid': problem ? true : undefined })}
      </label>
      {help && (
        <p id={`${name}-help`} className="quiet">
          {help}
        </p>
      )}
      {problem && <Problem id={`${name}-problem`} problem={problem} />}
    </>
  )
}

const lines = (text = ''): readonly string[] => text.split('\n').filter((line) => line.trim() !== '')

/** What the files say of the bot. */
function filledBy(preview: EntryPreview | undefined): Words {
  const { build, ...words } = preview?.words ?? {}
  return { ...words, build: build?.join('\n') }
}

/** What is sent: what the person wrote, and the files, as one archive where it is one. What the files say, the site reads there. */
function sentForm(typed: Words, filled: Words, files: readonly File[]): FormData {
  const form = new FormData()
  form.set('name', typed.name ?? filled.name ?? '')
  const isChanged = (name: Field): boolean => (typed[name] ?? filled[name] ?? '') !== (filled[name] ?? '')
  for (const name of ['language', 'synopsis', 'wire', 'country'] as const)
    if (isChanged(name)) form.set(name, typed[name] ?? '')
  if (isChanged('command') || isChanged('build')) {
    form.set('command', typed.command ?? filled.command ?? '')
    for (const line of lines(typed.build ?? filled.build)) form.append('build', line)
  }
  withFiles(form, files)
  return form
}

function withFiles(form: FormData, files: readonly File[]): void {
  for (const file of files)
    form.append(/\.(zip|tar\.gz|tgz)$/i.test(file.name) && files.length === 1 ? 'archive' : 'files', file, file.name)
}

/** What the site sees in the files, asked as soon as they are chosen. */
function usePreview(
  path: string,
  files: readonly File[],
  slot: Slot,
): { readonly preview?: EntryPreview; readonly problem?: ApiProblem } {
  const [seen, setSeen] = useState<ReturnType<typeof usePreview>>({})
  useEffect(() => {
    setSeen({})
    if (files.length === 0) return undefined
    const stop = new AbortController()
    const form = new FormData()
    withFiles(form, files)
    ask<EntryPreview>('POST', `${path}/preview`, form, { slot, signal: stop.signal }).then(
      (preview) => {
        const { detail, field } = preview.problem ?? {}
        const problem = detail === undefined ? undefined : new ApiProblem(400, detail, undefined, field)
        setSeen({ preview, problem })
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

function Drop({ files, onFiles, seen }: DropProps) {
  const [over, setOver] = useState(false)
  const { module, class: header } = seen?.words ?? {}
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
        <input
          type="file"
          multiple
          required={files.length === 0}
          onChange={(event) => onFiles([...(event.currentTarget.files ?? [])])}
        />
      </label>
      <p className="quiet">Drop them here: sources of one folder, or one archive (zip, tar.gz).</p>
      <FileList files={seen?.files ?? files.map(({ name, size }) => ({ path: name, bytes: size }))} />
      {(module ?? header) !== undefined && (
        <p>
          It is the {module === undefined ? 'class' : 'module'} of <code>{visible(module ?? header ?? '')}</code>.
        </p>
      )}
    </div>
  )
}

/** Files that are listed; of more the rest opens. */
const LISTED = 12

function FileList({ files }: { readonly files: EntryPreview['files'] }) {
  const items = (some: EntryPreview['files']) => (
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
  if (files.length === 0) return null
  if (files.length <= LISTED) return items(files)
  return (
    <>
      {items(files.slice(0, LISTED))}
      <details>
        <summary>{counted(files.length - LISTED, 'more file')}</summary>
        {items(files.slice(LISTED))}
      </details>
    </>
  )
}
