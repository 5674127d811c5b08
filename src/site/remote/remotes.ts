import type { RemoteSeat, RemoteSeats, SeatEvents } from '../../app/context.js'
import { REFUSED, TAKEN_OVER } from '../../app/remote/link.js'
import { type Connection, RemoteSession } from './session.js'

/** By what a remote bot is known here: nobody can choose a name so that it is another's. */
export const remoteBot = (contest: string, name: string): string => JSON.stringify([contest, name])

/** Who connects. */
export interface Comer {
  readonly contest: string
  readonly name: string
  /** Seconds within which it is to be back where its connection breaks. */
  readonly reconnect: number
  /** Bytes that an answer may have. */
  readonly outputBytes: number
}

/** Matches of a bot that are remembered in which it was lost. */
const LOST = 1000

/** A bot that was connected since the site began. */
interface Known extends Comer {
  session: RemoteSession | undefined
  /** Ends the session where its machine does not come back. */
  late: NodeJS.Timeout | undefined
  readonly lost: Set<string>
  readonly waiting: Set<() => void>
}

/** The bots that are connected from their authors' machines. To be closed. */
export class Remotes implements RemoteSeats {
  private readonly known = new Map<string, Known>()
  private readonly listeners = new Set<(contest: string) => void>()
  private readonly changed = new Map<string, number>()
  private closed = false

  /** How often bots of a contest have come or gone. */
  changes(contest: string): number {
    return this.changed.get(contest) ?? 0
  }

  /** Calls it when a bot of a contest comes or goes. Returns a function that stops that. */
  onChange(listener: (contest: string) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  isThere(bot: string): boolean {
    return this.known.get(bot)?.session?.isConnected === true
  }

  patience(bot: string): number {
    return 1000 * (this.known.get(bot)?.reconnect ?? 0)
  }

  lostFirst(bot: string, match: string): boolean {
    const known = this.known.get(bot)
    if (known === undefined) return true
    if (known.lost.has(match)) return false
    known.lost.add(match)
    for (const oldest of [...known.lost].slice(0, -LOST)) known.lost.delete(oldest)
    return true
  }

  async sit(bot: string, match: string, events: SeatEvents): Promise<RemoteSeat | undefined> {
    const known = this.known.get(bot)
    if (known === undefined || this.closed) return undefined
    if (known.session?.isConnected !== true)
      await new Promise<void>((done) => {
        const here = (): void => {
          clearTimeout(late)
          known.waiting.delete(here)
          done()
        }
        const late = setTimeout(here, this.patience(bot))
        known.waiting.add(here)
      })
    return known.session?.isConnected === true ? known.session.sit(match, events) : undefined
  }

  /**
   * A bot's machine is connected. `session`: as it names itself; another one than before takes the place of that. `received`: the last number that
   * has come to it. It is told what has come here, and whether the session is new: then nothing of the one before counts.
   */
  connect(comer: Comer, session: string, received: number, connection: Connection): RemoteSession {
    const bot = remoteBot(comer.contest, comer.name)
    const before = this.known.get(bot)
    const { lost = new Set<string>(), waiting = new Set<() => void>() } = before ?? {}
    clearTimeout(before?.late)
    const isNew = before?.session?.id !== session
    const own = isNew ? new RemoteSession(session) : (before?.session as RemoteSession)
    const known: Known = { ...comer, session: own, late: undefined, lost, waiting }
    this.known.set(bot, known)
    if (isNew) before?.session?.end(`another connection of ${comer.name} took over`, TAKEN_OVER)
    connection.write(JSON.stringify({ welcome: own.received, isNew, most: comer.outputBytes }))
    own.attach(connection, isNew ? 0 : received)
    for (const here of waiting) here()
    this.change(comer.contest)
    return own
  }

  /** A connection of a bot's machine has ended. */
  disconnect({ contest, name }: Comer, session: RemoteSession, connection: Connection): void {
    const known = this.known.get(remoteBot(contest, name))
    if (!session.detach(connection) || known?.session !== session) return
    known.late = setTimeout(() => {
      known.session = undefined
      session.end('its connection broke and did not come back')
    }, 1000 * known.reconnect)
    known.late.unref()
    this.change(contest)
  }

  /** Ends the connection of a bot for good, for a reason that its machine is told. */
  drop(contest: string, name: string, why: string): void {
    const known = this.known.get(remoteBot(contest, name))
    if (known?.session === undefined) return
    const { session, late } = known
    clearTimeout(late)
    known.session = undefined
    session.end(why, REFUSED)
    this.change(contest)
  }

  close(): void {
    this.closed = true
    for (const { session, late, waiting } of this.known.values()) {
      clearTimeout(late)
      for (const here of waiting) here()
      session?.end('the site ends')
    }
    this.listeners.clear()
  }

  private change(contest: string): void {
    this.changed.set(contest, this.changes(contest) + 1)
    for (const listener of this.listeners) listener(contest)
  }
}
