import type { RemoteSeat, RemoteSeats, SeatEvents } from '../bots/index.js'
import type { Spell } from '../core/index.js'

export interface Context {
  /** The folder where agon keeps what it must remember: an absolute path. */
  readonly workspace: string
  /** The URL of the PostgreSQL server that keeps what is played; absent: a file in the workspace does. */
  readonly server?: string
  /** Receives what is reported beside the result, in lines for people. A stranger may have written of it: the caller makes it `visible`. */
  readonly notice: (text: string) => void
  /** How texts write an option, such as `--resume`, and a command; absent: `the option "resume"`. The caller spells those of errors. */
  readonly spell?: Spell
  /** Strangers' bots play in sandboxes or not at all: whoever waits for the answer can allow nothing else. */
  readonly sandboxesOnly?: boolean
  /** Where bots sit that play on their authors' machines; absent: there are none. */
  readonly seats?: RemoteSeats
  readonly signal?: AbortSignal
}

/** Calls `end` once the signal is aborted, at once if it is already. Returns a function that stops listening. */
export function whenAborted(signal: AbortSignal | undefined, end: () => void): () => void {
  if (signal?.aborted) end()
  else signal?.addEventListener('abort', end, { once: true })
  return () => signal?.removeEventListener('abort', end)
}

export { OUTPUT_BYTES } from '../bots/index.js'
export type { RemoteSeat, RemoteSeats, SeatEvents }
