import type { Context } from 'hono'
import { Refusal } from '../app/site/refusal.js'
import type { Caller } from '../app/site/tokens.js'
import { addressOf } from './address.js'
import type { Env } from './env.js'

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

/** Those that are being received. Whoever sends slowly keeps a place for as long, so nobody but the host may have all of them. */
export class Uploads {
  private readonly open: (Sender | undefined)[] = []

  constructor(private readonly most: Readonly<Record<keyof typeof AT_ONCE, number>> = AT_ONCE) {}

  /** `sender`: undefined is the host. Throws a Refusal where too many are being received. */
  async within<T>(sender: Sender | undefined, work: () => Promise<T>): Promise<T> {
    const { open, most } = this
    const like = (name: keyof Sender): number =>
      sender === undefined ? 0 : open.filter((one) => one?.[name] === sender[name]).length
    const isFull = open.length >= most.all || like('address') >= most.address || like('contestant') >= most.contestant
    if (isFull)
      throw new Refusal('too-many', 'others send their bots just now: try again in a few seconds', { wait: 3 })
    open.push(sender)
    try {
      return await work()
    } finally {
      open.splice(open.indexOf(sender), 1)
    }
  }
}
