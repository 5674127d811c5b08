import { setImmediate } from 'node:timers/promises'
import type { SiteContext } from '../context.js'
import { type FeedPosition, type FeedEvent, firstEvent, positionNow, positionText, eventsSince } from '../feed.js'

/*
 * Theory of operation.
 *
 * A channel sends what happens in one contest to all its listeners. It knows its position (how far it has sent), looks up what came
 * since, writes it as text once, and sends the same text to every listener. A listener that reconnects gives the position it had reached:
 * what it missed is looked up for it alone, before it joins the others. Looks and joins never overlap, so no listener receives anything
 * twice or misses anything.
 *
 * It looks when the site reports that something happened, at most every TICK_MS, and every LOOK_MS in any case: another process may play
 * the contest. A listener that does not read what it is sent is disconnected; it reconnects and gives its position.
 *
 * Listeners are sent a text in slices: to write to a thousand sockets takes longer than a reader should have to wait.
 */

/** Milliseconds between two looks at the least, and at the most. */
const TICK_MS = 200
const LOOK_MS = 1000
/** A connection that carries nothing is closed by some proxies after half a minute. */
const ALIVE_MS = 15_000
/** Bytes that may wait for one listener. */
const WAITING = 1024 ** 2

/** Listeners that are sent a text before others are answered. */
const SLICE = 32

/** Where a listener's texts go. */
export interface Listener {
  /** Returns how many bytes still wait to be sent. */
  send(text: string): number
  end(): void
}

/** One contest's listeners. */
class Channel {
  private readonly listeners = new Set<Listener>()
  /** Who is about to join. */
  private coming = 0
  private position: FeedPosition | undefined
  private last: Promise<unknown> = Promise.resolve()
  private looked = -Infinity
  private sentAt = performance.now()
  private timer: NodeJS.Timeout | undefined
  private readonly deaf: () => void

  constructor(
    private readonly site: SiteContext,
    private readonly contest: string,
    private readonly onEmpty: () => void,
  ) {
    this.deaf = site.hub.listen(contest, () => this.lookSoon(TICK_MS))
  }

  /** Adds a listener from the position it had reached; undefined: from now on. Resolves once it has been sent what it missed. */
  async join(listener: Listener, since: FeedPosition | undefined): Promise<void> {
    this.coming++
    await this.inTurn(async () => {
      const now = (this.position ??= await positionNow(this.site, this.contest))
      const from = since ?? now
      listener.send(`retry: 1000\n${textOf([await firstEvent(this.site, this.contest, from)])}`)
      // What came after the channel's own position is sent to all together.
      const missed = await eventsSince(this.site, this.contest, from)
      const to = missed.at(-1)?.at ?? from
      if (missed.length > 0) listener.send(textOf(missed))
      if (later(to, now)) await this.publish(now)
      this.listeners.add(listener)
      this.lookSoon(LOOK_MS)
    }).finally(() => this.coming--)
  }

  leave(listener: Listener): void {
    this.listeners.delete(listener)
    if (this.listeners.size + this.coming > 0) return
    this.close()
    this.onEmpty()
  }

  close(): void {
    clearTimeout(this.timer)
    this.deaf()
    for (const listener of this.listeners) listener.end()
    this.listeners.clear()
  }

  /** Sends every listener the events since the last look. */
  private async publish(since: FeedPosition): Promise<void> {
    const news = await eventsSince(this.site, this.contest, since)
    this.position = news.at(-1)?.at ?? since
    if (news.length > 0) await this.sendAll(textOf(news))
    else if (performance.now() - this.sentAt > ALIVE_MS) await this.sendAll(': alive\n\n')
  }

  /** To be awaited within a turn: nothing else is sent before all have this. */
  private async sendAll(text: string): Promise<void> {
    this.sentAt = performance.now()
    let sent = 0
    // A listener that has left meanwhile is passed over.
    for (const listener of this.listeners) {
      if (sent > 0 && sent % SLICE === 0) await setImmediate()
      sent++
      if (listener.send(text) <= WAITING) continue
      listener.end()
      this.leave(listener)
    }
  }

  private lookSoon(within: number): void {
    const due = Math.max(0, Math.min(within, this.looked + within - performance.now()))
    if (this.timer !== undefined && within > TICK_MS) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.look(), due)
    this.timer.unref()
  }

  private async look(): Promise<void> {
    this.timer = undefined
    this.looked = performance.now()
    try {
      await this.inTurn(async () => this.position && this.publish(this.position))
    } catch {
      // The file may be busy; the next look tries again.
    }
    if (this.listeners.size > 0) this.lookSoon(LOOK_MS)
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work, work)
    this.last = turn.catch(() => undefined)
    return turn
  }
}

/** All channels of a site. */
export class Channels {
  private readonly byContest = new Map<string, Channel>()

  constructor(private readonly site: SiteContext) {}

  /** The channel of a contest, opened where it has no listener yet. */
  of(contest: string): { join: Channel['join']; leave: Channel['leave'] } {
    const there = this.byContest.get(contest)
    if (there !== undefined) return there
    const channel: Channel = new Channel(this.site, contest, () => {
      if (this.byContest.get(contest) === channel) this.byContest.delete(contest)
    })
    this.byContest.set(contest, channel)
    return channel
  }

  close(): void {
    for (const channel of this.byContest.values()) channel.close()
    this.byContest.clear()
  }
}

const later = (one: FeedPosition, other: FeedPosition): boolean =>
  one.run !== other.run || one.matches > other.matches || one.event > other.event

/** News as server-sent events; JSON has no line breaks. */
const textOf = (news: readonly FeedEvent[]): string =>
  news
    .map(({ at, kind, data }) => `id: ${positionText(at)}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`)
    .join('')
