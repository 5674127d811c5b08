import { Worker } from 'node:worker_threads'
import { join } from 'node:path'
import { BusyError, type MatchRecord, UserError } from '../core/index.js'
import { HostError, coresAllowed } from '../sandbox/index.js'
import { type Crew, Disturbed, type Unit } from '../engine/index.js'
import type { Crewed, Order, Word } from './messages.js'

/** Milliseconds until a thread that was asked to end is ended. */
const PATIENCE_MS = 1000

/**
 * Threads that play units, one a core at most, each with the bots that it seats bound to its core where they take up all cores:
 * a short turn then costs half as much, and no thread waits for another's.
 */
export async function hireCrew(
  crewed: Omit<Crewed, 'core'>,
  jobs: number,
  note: (text: string) => void,
): Promise<Crew> {
  const cores = coresAllowed()
  const size = Math.min(jobs, Math.max(1, cores.length))
  const { rooms, timed, ...rest } = crewed
  const members = Array.from({ length: size }, (_, i) => {
    const share = {
      rooms: join(rooms, `crew-${i}`),
      ...(timed !== undefined && { timed: Math.max(1, Math.floor(timed / size)) }),
      ...(size === cores.length && { core: cores[i] as number }),
    }
    return new Member({ ...rest, ...share }, note)
  })
  try {
    await Promise.all(members.map(({ ready }) => ready))
  } catch (error) {
    await Promise.all(members.map((member) => member.end()))
    throw error
  }
  return {
    play: (unit, disturbed) => {
      const idle = members.reduce((least, one) => (one.load < least.load ? one : least))
      return idle.play(unit, disturbed)
    },
    close: async () => {
      const all = await Promise.all(members.map((member) => member.end()))
      const stderr = new Map<string, string>()
      for (const [name, text] of all.flat()) stderr.set(name, (stderr.get(name) ?? '') + text)
      return stderr
    },
  }
}

interface Waiting {
  done(records: readonly MatchRecord[]): void
  failed(error: unknown): void
}

/** One thread. */
class Member {
  readonly ready: Promise<void>
  private readonly worker: Worker
  private readonly waiting = new Map<number, Waiting>()
  private given = 0
  private gone: Error | undefined
  private stderr: readonly (readonly [string, string])[] = []

  constructor(
    crewed: Crewed,
    private readonly note: (text: string) => void,
  ) {
    // Descriptors that sockets have closed would be closed again at the thread's end, when they are another thread's.
    const setting = { workerData: crewed, trackUnmanagedFds: false }
    this.worker = new Worker(new URL('../bundle/worker.js', import.meta.url), setting)
    this.ready = new Promise((done, failed) => {
      this.worker.on('message', (word: Word) => {
        if ('ready' in word) done()
        else this.hear(word)
      })
      const over = (error: Error) => {
        this.gone ??= error
        failed(error)
        for (const each of this.waiting.values()) each.failed(error)
        this.waiting.clear()
      }
      this.worker.on('error', over)
      this.worker.on('exit', () => over(new Error('a thread of agon ended')))
    })
    // Who asks for it hears of it.
    this.ready.catch(() => undefined)
  }

  /** Units under way; a thread that is gone is asked last. */
  get load(): number {
    return this.gone ? Infinity : this.waiting.size
  }

  play(unit: Unit, disturbed: number): Promise<readonly MatchRecord[]> {
    if (this.gone) return Promise.reject(this.gone)
    const number = this.given++
    return new Promise((done, failed) => {
      this.waiting.set(number, { done, failed })
      this.order({ play: number, unit, disturbed })
    })
  }

  async end(): Promise<readonly (readonly [string, string])[]> {
    if (!this.gone) {
      const ended = new Promise<void>((done) => this.worker.once('exit', () => done()))
      const late = setTimeout(() => void this.worker.terminate(), PATIENCE_MS)
      this.order({ end: true })
      await ended
      clearTimeout(late)
    }
    return this.stderr
  }

  private order(order: Order): void {
    this.worker.postMessage(order)
  }

  private hear(word: Exclude<Word, { ready: true }>): void {
    if ('note' in word) return this.note(word.note)
    if ('stderr' in word) {
      this.stderr = word.stderr
      void this.worker.terminate()
      return
    }
    const waiting = this.waiting.get(word.played)
    this.waiting.delete(word.played)
    if ('records' in word) waiting?.done(word.records)
    else if (word.kind === 'busy') waiting?.failed(new BusyError(word.why))
    else if (word.kind === 'disturbed') waiting?.failed(new Disturbed(word.why))
    else if (word.kind === 'host') waiting?.failed(new HostError(word.why))
    else waiting?.failed(word.kind === 'mistake' ? new UserError(word.why) : new Error(word.why))
  }
}
