import type { Context } from 'hono'
import { Refusal } from './problems.js'
import type { Caller } from '../tokens.js'
import { type Env, addressOf } from './address.js'

/** Uploads that are received at once, each in memory until its files are written: in all, of an address, and of a contestant. */
const AT_ONCE = { all: 4, address: 2, contestant: 1 } as const

/** Whose upload it is. */
export interface Sender {
  readonly contestant: number
  readonly address: string
}

/** Whose upload a request is; undefined: the host's. */
export const senderOf = (c: Context<Env>, caller: Caller): Sender | undefined =>
  caller.role === 'contestant' ? { contestant: caller.number, address: addressOf(c) } : undefined

/** Milliseconds after which an upload that is still being received gives its place to one that finds none. */
const GIVES_WAY_MS = 20_000

/** A place of an upload. */
export interface UploadPlace {
  /** Receives it: the signal is aborted where it was slow, and another one takes its place. */
  receive<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
}

interface Open {
  readonly sender: Sender | undefined
  readonly since: number
  readonly stop: AbortController
  receiving: boolean
}

/**
 * Uploads that are being received. A slow sender keeps its place for as long, so only the host may have all places; and because a few
 * contestants together could, an upload that takes long gives way.
 */
export class Uploads {
  private readonly open: Open[] = []

  constructor(
    private readonly most: Readonly<Record<keyof typeof AT_ONCE, number>> = AT_ONCE,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** `sender`: undefined is the host. Throws a Refusal where too many are being received. */
  async within<T>(sender: Sender | undefined, work: (place: UploadPlace) => Promise<T>): Promise<T> {
    this.makeRoom(sender)
    const own: Open = { sender, since: this.now(), stop: new AbortController(), receiving: false }
    this.open.push(own)
    try {
      return await work({
        async receive(receiving) {
          own.receiving = true
          try {
            return await receiving(own.stop.signal)
          } finally {
            own.receiving = false
          }
        },
      })
    } finally {
      this.free(own)
    }
  }

  private makeRoom(sender: Sender | undefined): void {
    const { open, most } = this
    for (const name of ['contestant', 'address'] as const)
      if (sender !== undefined) this.oneLess(this.like(sender, name), most[name])
    this.oneLess(open, most.all)
  }

  private like(sender: Sender, name: keyof Sender): readonly Open[] {
    return this.open.filter((one) => one.sender?.[name] === sender[name])
  }

  /** Of those that are too many the oldest gives way, where it is slow. */
  private oneLess(all: readonly Open[], most: number): void {
    if (all.length < most) return
    const slow = all.find((one) => one.receiving && one.sender !== undefined && this.now() - one.since >= GIVES_WAY_MS)
    if (slow === undefined)
      throw new Refusal('too-many', 'others send their bots just now: try again in a few seconds', { wait: 3 })
    this.free(slow)
    slow.stop.abort()
  }

  private free(one: Open): void {
    const at = this.open.indexOf(one)
    if (at >= 0) this.open.splice(at, 1)
  }
}
