import { createInterface } from 'node:readline'
import type { Worker } from 'node:worker_threads'
import { GameMistake, type Run } from '../core/index.js'
import type { BotIsolation } from '../build/index.js'
import { CallsWatch, LOOK_MS, newCalls } from '../contest/index.js'
import { textIn, threadOf } from '../files/index.js'
import { clearThread } from '../sandbox/index.js'
import {
  type ArenaPlace,
  type JobRequest,
  type JobResponse,
  type PlayedPart,
  type SeenSoFar,
  WorkerLostError,
} from '../engine/index.js'

/** Milliseconds until a thread that was asked to end is ended. */
const PATIENCE_MS = 1000

export interface ThreadPlace extends ArenaPlace {
  readonly isolation: BotIsolation
  /** The core that it and all that it starts are bound to. */
  readonly core?: number
  /** Marks the calls of a game's file. */
  readonly calls?: SharedArrayBuffer
}

export interface ThreadStart {
  /** Its entrants were built on this machine. */
  readonly run: Run
  readonly place: ThreadPlace
}

/** What a worker is asked, and answers under its number. */
export type Question =
  /** A response a job. */
  | { readonly jobs: readonly JobRequest[] }
  /** What was played so far of one of these matches; undefined: nothing. */
  | { readonly keys: readonly string[]; readonly seen: SeenSoFar | undefined }

export type Request =
  (Question & { readonly number: number }) | { readonly abandon: readonly string[] } | { readonly end: true }

export type Response =
  | { readonly ready: true }
  | { readonly note: string }
  | { readonly number: number; readonly answer: readonly JobResponse[] | PlayedPart | undefined }
  /** The last: the end of each entrant's standard error. */
  | { readonly stderr: readonly (readonly [name: string, text: string])[] }

interface Waiting {
  readonly question: Question
  done(answer: unknown): void
  failed(error: unknown): void
}

/** Milliseconds that a thread of this process has worked. */
const worked = (thread: number): number =>
  Number(textIn(`/proc/self/task/${thread}/schedstat`).split(' ')[0]) / 1e6 || performance.now()

export class Thread {
  /** Rejects where it does not start. */
  readonly ready: Promise<void>
  private readonly worker: Worker
  private readonly waiting = new Map<number, Waiting>()
  private asked = 0
  private lost: Error | undefined
  private isReady = false
  private isEnding = false
  private stderr: readonly (readonly [string, string])[] = []
  /** Resolves when its bots are gone; undefined while it runs. */
  private cleared: Promise<void> | undefined

  constructor(
    start: ThreadStart,
    private readonly note: (text: string) => void,
  ) {
    const { file: gameFile } = start.run.game
    const calls = gameFile === undefined ? undefined : newCalls()
    const place = { ...start.place, calls }
    this.worker = threadOf('workers/worker', { workerData: { ...start, place }, stdout: true })
    // Standard output is agon's answer: what a game or a module prints is a note.
    createInterface({ input: this.worker.stdout }).on('line', note)
    const { threadId } = this.worker
    if (gameFile !== undefined && calls !== undefined) this.watch(new CallsWatch(calls, gameFile, worked))
    this.worker.once('exit', () => {
      // Some threads leave bots. What cannot be removed now goes with the run's folder.
      this.cleared = clearThread(threadId, start.place.rooms).catch(() => undefined)
    })
    this.ready = new Promise((done, failed) => {
      this.worker.on('message', (response: Response) => {
        if ('ready' in response) {
          this.isReady = true
          done()
        } else this.receive(response)
      })
      const over = (why: string) => {
        this.lost ??= new WorkerLostError(`a thread of agon ended: ${why}`)
        failed(this.lost)
        for (const each of this.waiting.values()) each.failed(this.lost)
        this.waiting.clear()
      }
      this.worker.on('error', (error) => over(error.message))
      this.worker.on('exit', (code) => over(`code ${code}`))
    })
    // Those who await `ready` get the error.
    this.ready.catch(() => undefined)
  }

  get isLost(): boolean {
    return this.lost !== undefined
  }

  /** Unanswered questions. */
  get load(): number {
    return this.waiting.size
  }

  play(jobs: readonly JobRequest[]): Promise<readonly JobResponse[]> {
    return this.ask({ jobs }) as Promise<readonly JobResponse[]>
  }

  look(keys: readonly string[], seen: SeenSoFar | undefined): Promise<PlayedPart | undefined> {
    return (this.ask({ keys, seen }) as Promise<PlayedPart | undefined>).catch(() => undefined)
  }

  private ask(question: Question): Promise<unknown> {
    if (this.lost) return Promise.reject(this.lost)
    const number = this.asked++
    return new Promise((done, failed) => {
      this.waiting.set(number, { question, done, failed })
      this.request({ ...question, number })
    })
  }

  abandon(keys: readonly string[]): void {
    if (!this.lost) this.request({ abandon: keys })
  }

  /** Ends it, with what it plays; resolves with the end of each entrant's standard error. */
  async end(): Promise<readonly (readonly [name: string, text: string])[]> {
    this.isEnding = true
    if (!this.lost) {
      const ended = new Promise<void>((done) => this.worker.once('exit', () => done()))
      const late = setTimeout(() => void this.worker.terminate(), PATIENCE_MS)
      this.request({ end: true })
      await ended
      clearTimeout(late)
    }
    await this.cleared
    return this.stderr
  }

  /** A call of the game that never returns, or ends the thread, is its designer's mistake, and answers all questions here. */
  private watch(calls: CallsWatch): void {
    const answer = (why: string | undefined): void => {
      if (why === undefined || this.isEnding || this.isLost) return
      for (const { question, ...asked } of this.waiting.values())
        asked.done('jobs' in question ? question.jobs.map(() => ({ failure: 'mistake', why })) : undefined)
      this.waiting.clear()
      // It loads the game: nothing was asked of it yet.
      if (!this.isReady) this.lost = new GameMistake(why)
      this.isEnding = true
      void this.worker.terminate()
    }
    const looking = setInterval(() => answer(calls.look()), LOOK_MS).unref()
    this.worker.once('exit', () => {
      clearInterval(looking)
      answer(calls.ended())
    })
  }

  private request(request: Request): void {
    this.worker.postMessage(request)
  }

  private receive(response: Exclude<Response, { ready: true }>): void {
    if ('note' in response) this.note(response.note)
    else if ('stderr' in response) {
      this.stderr = response.stderr
      void this.worker.terminate()
    } else {
      this.waiting.get(response.number)?.done(response.answer)
      this.waiting.delete(response.number)
    }
  }
}
