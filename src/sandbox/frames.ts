import { constants } from 'node:os'
import { END, LENGTH, NOTE, PROTOCOL, type REQUESTS, STOP, type Stop, TURN } from './protocol.js'

/* The frames between agon and a sandbox's launcher, as docs/sandbox.md specifies them: u32 length, u8 kind, body; little-endian. */

/** What a program is started with. All paths are the sandbox's. */
export interface ProgramSpec {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
}

export interface Turn extends ProgramSpec {
  /** Milliseconds of its own time. */
  readonly limit: number
  /** Bytes of standard output, and of standard error, past which it is ended. */
  readonly output: number
  readonly errors: number
  /** Standard input; absent: the null device. */
  readonly input?: string | Buffer
  /** A file that is written before, as latin1, and read after it. */
  readonly file?: { readonly path: string; readonly content?: string }
  /** The private folders are emptied after it. */
  readonly wipe: boolean
  /** It may be forked from the sandbox's warm parent. */
  readonly warm?: boolean
}

/** How a program ended: its exit code, the signal that killed it, or the system's word for why it could not be started. */
export type End = { readonly code: number } | { readonly signal: string } | { readonly noStart: string }

/** Killed from outside, such as for want of memory. 'certain': not by the bot; 'possible': nobody knows who did it. */
export type Outside = 'certain' | 'possible'

export interface TurnResult {
  readonly end: End
  readonly stop?: Stop
  readonly outside?: Outside
  /** As latin1, cut to what was allowed. */
  readonly out: string
  readonly stderr: Buffer
  /** The file after it, as latin1; 'large': past `output`; absent: it is not there. */
  readonly file?: { readonly text: string } | 'large'
  /** The state folder was past its size, held so many bytes and was put back. */
  readonly rolledBack?: number
  /** Microseconds: of the clock; of the clock less what it waited for a core because of others; of the processor. */
  readonly wallUs: number
  readonly chargedUs: number
  readonly cpuUs: number
}

/** Numbers as in a frame: the launcher's processors are little-endian, too. */
export const u32 = (...values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer)
export const u64 = (...values: readonly bigint[]): Buffer => Buffer.from(BigUint64Array.from(values).buffer)

export function frame(kind: string, ...body: readonly Buffer[]): Buffer {
  const head = Buffer.allocUnsafe(5)
  const all = Buffer.concat([head, ...body])
  all.writeUInt32LE(all.length - 4, 0)
  all[4] = kind.charCodeAt(0)
  return all
}

/** A process to be started: a turn, one that stays, or the warm parent. Made in place, for short turns. */
export function requestFrame(kind: (typeof REQUESTS)['turn' | 'start' | 'warm'], id: number, turn: Turn): Buffer {
  const { argv, env, file, input } = turn
  const content = file?.content
  // Texts in one piece, each with a NUL behind it: one write is cheaper.
  let texts = `${turn.folder}\0${file?.path ?? ''}\0${argv.join('\0')}\0`
  let names = 0
  for (const name in env) {
    texts += `${name}=${env[name]}\0`
    names++
  }
  const inputLength = input === undefined ? 0 : Buffer.byteLength(input)
  const all = Buffer.allocUnsafe(HEAD + 3 * texts.length + inputLength + (content?.length ?? 0))
  const limit = Math.min(Math.round(turn.limit * 1e6), Number.MAX_SAFE_INTEGER)
  const flags =
    (turn.wipe ? TURN.wipe : 0) |
    (input === undefined ? 0 : TURN.stdin) |
    (content === undefined ? 0 : TURN.put) |
    (file === undefined ? 0 : TURN.fetch) |
    (turn.warm ? TURN.warm : 0)
  all[4] = kind.charCodeAt(0)
  const most = [turn.output, turn.errors].map((bytes) => Math.min(bytes, LENGTH.large - 1))
  const lengths = [argv.length, names, inputLength, content?.length ?? 0]
  const numbers = [limit % 2 ** 32, Math.floor(limit / 2 ** 32), id, flags, ...most, ...lengths]
  numbers.forEach((number, i) => all.writeUInt32LE(number, 5 + 4 * i))
  let at = HEAD + all.write(texts, HEAD)
  if (typeof input === 'string') at += all.write(input, at)
  else if (input !== undefined) at += input.copy(all, at)
  if (content !== undefined) at += all.write(content, at, 'latin1')
  all.writeUInt32LE(at - 4, 0)
  return all.subarray(0, at)
}
/** Bytes of a request before its texts: the frame's length and kind, its limit, and eight numbers. */
const HEAD = 45

/** A u64 as far as a number is exact. */
const numberAt = (view: DataView, at: number): number =>
  view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32

/** Cuts what arrives into frames, however it was torn. */
export class FrameReader {
  /** What has come of a frame, joined once it is whole, so that a long one costs no more than its bytes. */
  private pieces: Buffer[] = []
  private held = 0
  /** Bytes that make it whole, as far as that is known. */
  private wanted = LEAST

  constructor(private readonly take: (kind: string, body: Buffer) => void) {}

  /** Bodies are valid only while they are taken. Throws RangeError for a length that no frame has. */
  read(chunk: Buffer): void {
    // Nearly always it is one whole frame.
    if (this.held === 0 && chunk.length >= LEAST && chunk.length < SHORT && chunk.readUInt32LE(0) + 4 === chunk.length)
      return this.take(String.fromCharCode(chunk[4] as number), chunk.subarray(5))
    // It is lent, and may be overwritten while a frame is taken, such as by a sandbox's last words.
    this.pieces.push(Buffer.from(chunk))
    this.held += chunk.length
    if (this.held < this.wanted) return
    let all = this.pieces.length > 1 ? Buffer.concat(this.pieces) : (this.pieces[0] as Buffer)
    this.pieces = []
    this.wanted = LEAST
    while (all.length >= LEAST) {
      const length = all.readUInt32LE(0)
      if (length < 1 || length > PROTOCOL.maxFrame) throw new RangeError(`a frame of ${length} bytes`)
      if (all.length < 4 + length) {
        this.wanted = 4 + length
        break
      }
      this.take(String.fromCharCode(all[4] as number), all.subarray(5, 4 + length))
      all = all.subarray(4 + length)
    }
    if (all.length > 0) this.pieces.push(all)
    this.held = all.length
  }
}
/** Bytes of the shortest frame, and those that give its length. */
const LEAST = 5
/** Bytes, fewer than the longest frame's. */
const SHORT = 1024 ** 2

/** Names by their numbers. A number's first name is the usual one: EAGAIN, not EWOULDBLOCK. */
const byNumber = (names: object): ReadonlyMap<unknown, string> =>
  new Map(
    Object.entries(names)
      .reverse()
      .map(([name, number]) => [number, name]),
  )
const SIGNALS = byNumber(constants.signals)
const ERRORS = byNumber(constants.errno)
export const nameOfSignal = (number: number): string => SIGNALS.get(number) ?? `number ${number}`
export const nameOfError = (number: number): string => ERRORS.get(number) ?? `error ${number}`

export function endOf(how: number, code: number): End {
  if (how === END.exited) return { code }
  if (how === END.signalled) return { signal: nameOfSignal(code) }
  return { noStart: nameOfError(code) }
}

/** What the launcher's flags mean for an end: `how` and `stop` in their bytes, who kills above. */
export function endingOf(flags: number, code: number): Pick<TurnResult, 'end' | 'stop' | 'outside'> {
  const end = endOf(flags & 0xff, code)
  const stop = STOPS.get((flags >> 8) & 0xff)
  const who = flags >> 16
  const killed = stop === undefined && 'signal' in end && end.signal === 'SIGKILL' && (who & NOTE.family) === 0
  const outside = (who & NOTE.known) === 0 ? 'possible' : 'certain'
  return { end, stop, outside: killed ? outside : undefined }
}
const STOPS: ReadonlyMap<number, Stop> = new Map(
  Object.entries(STOP).flatMap(([name, number]) => (number === STOP.none ? [] : [[number, name as Stop] as const])),
)

/** Nearly all turns end with code 0: one object for all. */
const ENDED: End = { code: 0 }
const ENDED_FLAGS = END.exited | (STOP.none << 8)

/** Reads a turn's result. Few functions: programs have the processor's caches, so each comes from memory first. */
export function readResult(body: Buffer): TurnResult {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  const flags = view.getUint32(4, true)
  const code = view.getInt32(8, true)
  const errAt = 52 + view.getUint32(36, true)
  const errLength = view.getUint32(40, true)
  const fileLength = view.getUint32(44, true)
  const rolledBack = view.getUint32(48, true)
  const usual = (flags & 0xffff) === ENDED_FLAGS && code === 0
  const result: { -readonly [key in keyof TurnResult]: TurnResult[key] } = {
    end: ENDED,
    out: body.toString('latin1', 52, errAt),
    stderr: errLength === 0 ? NOTHING : Buffer.from(body.subarray(errAt, errAt + errLength)),
    wallUs: numberAt(view, 12) / 1000,
    chargedUs: numberAt(view, 20) / 1000,
    cpuUs: numberAt(view, 28) / 1000,
  }
  if (!usual) Object.assign(result, endingOf(flags, code))
  if (fileLength === LENGTH.large) result.file = 'large'
  else if (fileLength !== LENGTH.none)
    result.file = { text: body.toString('latin1', errAt + errLength, errAt + errLength + fileLength) }
  if (rolledBack !== LENGTH.none) result.rolledBack = rolledBack
  return result
}
const NOTHING = Buffer.alloc(0)

/** Files by their path below a folder, as base64. */
export type Tree = Readonly<Record<string, string>>

export function packTree(tree: Tree): Buffer {
  return Buffer.concat(
    Object.entries(tree).flatMap(([path, content]) => {
      const [name, bytes] = [Buffer.from(path), Buffer.from(content, 'base64')]
      return [u32(name.length, bytes.length), name, bytes]
    }),
  )
}
export function unpackTree(packed: Buffer): Tree {
  const files: [string, string][] = []
  for (let at = 0; at + 8 <= packed.length;) {
    const [path, content] = [packed.readUInt32LE(at), packed.readUInt32LE(at + 4)]
    const name = packed.toString('utf8', at + 8, at + 8 + path)
    files.push([name, packed.toString('base64', at + 8 + path, at + 8 + path + content)])
    at += 8 + path + content
  }
  // An assignment would lose a file called __proto__.
  return Object.fromEntries(files)
}

/** A folder's plain files, as far as they were asked for, and the bytes of all. */
export interface FolderFiles {
  readonly tree: Tree
  readonly bytes: number
}

/** The files of folders, in the order of the request. */
export function unpackFolders(body: Buffer): FolderFiles[] {
  const folders: FolderFiles[] = []
  for (let at = 0; at < body.length;) {
    const end = at + 12 + body.readUInt32LE(at + 8)
    folders.push({ bytes: Number(body.readBigUInt64LE(at)), tree: unpackTree(body.subarray(at + 12, end)) })
    at = end
  }
  return folders
}
