import type { Context } from 'hono'
import { Refusal } from './problems.js'
import type { Env } from './address.js'

/** Uploads that are received at once, each in memory until its files are written: in all, of an address, and of a contestant. */
const AT_ONCE = { all: 4, address: 2, contestant: 1 } as const
/** Milliseconds after which an upload gives its place to one that finds none. */
const GIVES_WAY_MS = 20_000

/** Whose upload it is. */
interface Sender {
  readonly contestant: number
  readonly address: string
}

/** Whose upload a request is; undefined: the host's. */
export function senderOf(c: Context<Env>): Sender | undefined {
  const caller = c.get('caller')
  return caller.role === 'contestant' ? { contestant: caller.number, address: c.get('address') } : undefined
}

interface Upload {
  readonly sender: Sender | undefined
  readonly since: number
  readonly slow: AbortController
}

/**
 * Uploads that are being received. A slow sender keeps its place for as long, so only the host may have all places; and because a few
 * contestants together could, an upload that takes long gives way.
 */
export class Uploads {
  private readonly open = new Set<Upload>()

  constructor(
    private readonly most: Readonly<Record<keyof typeof AT_ONCE, number>> = AT_ONCE,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Receives an upload. `sender`: undefined is the host. The signal is aborted if it is slow and another one takes its place. Throws a
   * Refusal where too many are being received.
   */
  async within<T>(sender: Sender | undefined, work: (slow: AbortSignal) => Promise<T>): Promise<T> {
    const { most } = this
    if (sender !== undefined) {
      this.makeRoom((one) => one?.contestant === sender.contestant, most.contestant)
      this.makeRoom((one) => one?.address === sender.address, most.address)
    }
    this.makeRoom(() => true, most.all)
    const own: Upload = { sender, since: this.now(), slow: new AbortController() }
    this.open.add(own)
    try {
      return await work(own.slow.signal)
    } finally {
      this.open.delete(own)
    }
  }

  /** Where too many are counted, the oldest that has had its time gives way. The host's never does. */
  private makeRoom(isCounted: (sender: Sender | undefined) => boolean, most: number): void {
    const counted = [...this.open].filter(({ sender }) => isCounted(sender))
    if (counted.length < most) return
    const slow = counted.find(({ sender, since }) => sender !== undefined && this.now() - since >= GIVES_WAY_MS)
    if (slow === undefined)
      throw new Refusal('too-many', 'others send their bots just now: try again in a few seconds', { wait: 3 })
    this.open.delete(slow)
    slow.slow.abort()
  }
}
