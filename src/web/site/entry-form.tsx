import { useState } from 'react'
import { visible } from '../../core/index.js'
import { counted } from '../format.js'
import { Press } from '../press.js'
import { type Slot, askPatiently, useAction } from './api.js'
import type { Contest, SiteGame } from './facts.js'
import { go, pathTo } from './router.js'
import { Problem } from './shell.js'

interface EntryFormProps {
  readonly contest: Contest
  readonly game: SiteGame | undefined
  /** As whom it is entered. */
  readonly slot: Slot
}

/** Sends a bot. */
export function EntryForm({ contest, game, slot }: EntryFormProps) {
  const [files, setFiles] = useState<readonly File[]>([])
  /** Seconds until it is sent again; and what ends the waiting. */
  const [wait, setWait] = useState<number>()
  const [abort, setAbort] = useState<AbortController>()
  const send = useAction(async (form: FormData) => {
    const stop = new AbortController()
    setAbort(stop)
    try {
      const body = sentForm(form, files)
      const path = pathTo(['contests', contest.id, 'entries'])
      const { id } = await askPatiently<{ id: string }>(path, body, { slot, signal: stop.signal }, setWait)
      go(pathTo(['entries', id], { contest: contest.id }))
    } finally {
      setWait(undefined)
    }
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
      <Words game={game} />
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
      {send.problem && <Problem problem={send.problem} />}
    </form>
  )
}

/** What is sent: what was written down, and the files, as one archive where it is one. */
function sentForm(form: FormData, files: readonly File[]): FormData {
  for (const name of ['command', 'language', 'synopsis', 'wire']) if (form.get(name) === '') form.delete(name)
  for (const file of files)
    form.append(/\.(zip|tar\.gz|tgz)$/i.test(file.name) && files.length === 1 ? 'archive' : 'files', file, file.name)
  return form
}

/** What is said of a bot beside its name. */
function Words({ game }: { readonly game: SiteGame | undefined }) {
  return (
    <>
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
    </>
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
        <input
          type="file"
          multiple
          required={files.length === 0}
          onChange={(event) => onFiles([...(event.currentTarget.files ?? [])])}
        />
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
