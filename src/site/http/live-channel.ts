import { type LiveEvent, WatchedMatch } from '../watched.js'
import type { SiteContext } from '../context.js'
import type { Listener } from './channel.js'

/** Milliseconds between two looks at a match: that is the delay with which it is seen. */
const LOOK_MS = 250
const ALIVE_MS = 15_000
/** Bytes that may wait for one listener. */
const WAITING = 1024 ** 2

/** One match's listeners: it is looked at for all of them together, and not at all where there are none. */
class LiveChannel {
  private readonly listeners = new Set<Listener>()
  private readonly watched: WatchedMatch
  private coming = 0
  private last: Promise<unknown> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  private sentAt = performance.now()

  constructor(
    site: SiteContext,
    contest: string,
    key: string,
    private readonly onEmpty: () => void,
  ) {
    this.watched = new WatchedMatch(site, contest, key)
  }

  /** Adds a listener that has seen all up to the event `last`. */
  async join(listener: Listener, last: string | undefined): Promise<void> {
    this.coming++
    await this.inTurn(async () => {
      // The first listener has the match looked up.
      await this.look()
      listener.send(`retry: 1000\n\n${textOf(this.watched.since(last))}`)
      if (this.watched.isOver) listener.end()
      else this.listeners.add(listener)
    }).finally(() => this.coming--)
    this.lookSoon()
    this.closeIfEmpty()
  }

  leave(listener: Listener): void {
    this.listeners.delete(listener)
    this.closeIfEmpty()
  }

  close(): void {
    clearTimeout(this.timer)
    for (const listener of this.listeners) listener.end()
    this.listeners.clear()
  }

  private closeIfEmpty(): void {
    if (this.listeners.size + this.coming > 0) return
    this.close()
    this.onEmpty()
  }

  private async look(): Promise<void> {
    const news = await this.watched.look()
    if (news.length > 0) this.sendAll(textOf(news))
    else if (performance.now() - this.sentAt > ALIVE_MS) this.sendAll(': alive\n\n')
    if (!this.watched.isOver) return
    for (const listener of this.listeners) listener.end()
    this.listeners.clear()
  }

  private sendAll(text: string): void {
    this.sentAt = performance.now()
    for (const listener of this.listeners) {
      if (listener.send(text) <= WAITING) continue
      listener.end()
      this.listeners.delete(listener)
    }
  }

  private lookSoon(): void {
    if (this.timer !== undefined || this.listeners.size === 0) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      // The file may be busy; the next look tries again.
      void this.inTurn(() => this.look()).then(
        () => this.next(),
        () => this.next(),
      )
    }, LOOK_MS)
    this.timer.unref()
  }

  private next(): void {
    this.lookSoon()
    this.closeIfEmpty()
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work, work)
    this.last = turn.catch(() => undefined)
    return turn
  }
}

/** The channels of all matches that are being watched. */
export class LiveChannels {
  private readonly byMatch = new Map<string, LiveChannel>()

  constructor(private readonly site: SiteContext) {}

  of(contest: string, key: string): Pick<LiveChannel, 'join' | 'leave'> {
    const name = JSON.stringify([contest, key])
    const there = this.byMatch.get(name)
    if (there !== undefined) return there
    const channel: LiveChannel = new LiveChannel(this.site, contest, key, () => {
      if (this.byMatch.get(name) === channel) this.byMatch.delete(name)
    })
    this.byMatch.set(name, channel)
    return channel
  }

  close(): void {
    for (const channel of this.byMatch.values()) channel.close()
    this.byMatch.clear()
  }
}

/** News as server-sent events; JSON has no line breaks. */
const textOf = (news: readonly LiveEvent[]): string =>
  news.map(({ id, kind, data }) => `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`).join('')
