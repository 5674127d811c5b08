import { closeSync } from 'node:fs'
import { Worker, isMainThread } from 'node:worker_threads'
import { GameMistake, type Luck, type Wording, message, option } from '../core/index.js'

/*
 * A call of a stranger's game may never return, and its process then hangs without a word. So each call is marked in memory that another
 * thread can read: which part, in which turn, with which luck. A thread looks at the main thread's marks, and has that end the process by
 * what it calls in the middle of the game, as a debugger does; the main thread looks at those of its threads, and ends them. What counts is
 * the time that a thread has worked: one that waits for a core is not stuck.
 */

/** Milliseconds of work that one call of a game may take. */
const CALL_MS = 5000
/** Milliseconds between two looks. */
export const LOOK_MS = 250

/** The memory: numbers, then the letters of the luck. */
const [BEAT, PART, TURN, LENGTH, THREAD, HEAD] = [0, 1, 2, 3, 4, 8]
const LUCK_LENGTH = 100

/** What may be called; a part is marked by its place, from 1. */
const PARTS =
  'setup toMove view legal play outcome refuse resample chances board viewer text figures question essence reduced transcript published conform ask read start update end ready.ok conventions'.split(
    ' ',
  )
/** The mark of a file that is being loaded; the one before is of a function without a name here. */
const LOADING = PARTS.length + 2

export const newCalls = (): SharedArrayBuffer => new SharedArrayBuffer(4 * (HEAD + LUCK_LENGTH))

interface Place {
  readonly luck: string
  readonly turn: number
}

let marks = new Int32Array(newCalls())
/** The latest states, newest first, and their places: most calls have one of these. A map of all would cost more. */
const recent: { readonly state: unknown; readonly place: Place }[] = []
const RECENT = 64
/** The luck that stands in the marks. */
let luckMarked = ''

/** Marks this thread's calls in the memory given to it; `thread`: its number in the system, 0 if unknown. */
export function markCallsIn(calls: SharedArrayBuffer, thread: number): void {
  marks = new Int32Array(calls)
  marks[THREAD] = thread
}

/** The same function, whose calls are marked while they last. */
export function marked<R>(
  name: string,
  call: (...words: readonly unknown[]) => R,
): (...words: readonly unknown[]) => R {
  const part = PARTS.indexOf(name) + 1 || PARTS.length + 1
  return (...words) => {
    const before = marks[PART] as number
    const place = placeOf(name, words)
    marks[PART] = part
    Atomics.add(marks, BEAT, 1)
    try {
      const result = call(...words)
      if (
        place !== undefined &&
        (name === 'setup' || name === 'play') &&
        typeof result === 'object' &&
        result !== null
      ) {
        recent.unshift({ state: result, place: { luck: place.luck, turn: place.turn + 1 } })
        if (recent.length > RECENT) recent.pop()
      }
      return result
    } finally {
      marks[PART] = before
      Atomics.add(marks, BEAT, 1)
    }
  }
}

let loading = 0

/**
 * The same loading, marked while it lasts, as a game file's top may never end either. As loading also waits, each turn
 * of this thread's loop counts as a call. Throws GameMistake where it waits for what never comes, with nothing else to
 * do.
 */
export async function markedLoading<T>(file: string, load: () => Promise<T>): Promise<T> {
  const turning = setInterval(() => Atomics.add(marks, BEAT, 1), LOOK_MS / 2).unref()
  let idle: (() => void) | undefined
  const forEver = new Promise<never>((_, failed) => {
    idle = () => failed(new GameMistake(`${file} never ends loading: it awaits, at its top, what does not come`))
    process.once('beforeExit', idle)
  })
  loading++
  marks[LENGTH] = 0
  marks[PART] = LOADING
  Atomics.add(marks, BEAT, 1)
  try {
    return await Promise.race([load(), forEver])
  } finally {
    clearInterval(turning)
    if (idle !== undefined) process.off('beforeExit', idle)
    // Others may still be loaded, and calls are over before this goes on.
    if (--loading === 0) marks[PART] = 0
    Atomics.add(marks, BEAT, 1)
  }
}

/** Where the game stands with this call, as far as that can be told by its state; it is marked too. */
function placeOf(name: string, words: readonly unknown[]): Place | undefined {
  const [first] = words
  const place =
    name === 'setup'
      ? { luck: String((words[2] as Luck | undefined)?.seed), turn: 0 }
      : typeof first === 'object' && first !== null
        ? recent.find(({ state }) => state === first)?.place
        : undefined
  if (place === undefined) return undefined
  marks[TURN] = place.turn
  if (place.luck !== luckMarked) {
    luckMarked = place.luck
    const letters = [...luckMarked].slice(0, LUCK_LENGTH)
    for (const [n, letter] of letters.entries()) marks[HEAD + n] = letter.codePointAt(0) as number
    marks[LENGTH] = letters.length
  }
  return place
}

/** Whether the luck of what is played is a seed that a user can give. */
let isSeed = false
/** From now on the luck of a game is told as the seed that plays it again. */
export function tellSeeds(): void {
  isSeed = true
}

/** What agon itself ends with in the middle of a call: for a mistake, for want of time, at a signal. */
const OWN_CODES: ReadonlySet<number> = new Set([2, 70, 75, 130])

/** What is called in these marks; undefined: a file is being loaded. */
const partIn = (calls: Int32Array): string | undefined => {
  if (calls[PART] === LOADING) return undefined
  const name = PARTS[(calls[PART] as number) - 1]
  return name === undefined ? 'a function' : `${name}()`
}

/** The call in these marks, in which the process or the thread was ended, as a mistake of the game's file. */
const exitIn = (calls: Int32Array, file: string): string =>
  `${file}: ${partIn(calls) ?? 'what stands at its top'} ends agon itself (process.exit): a game only answers, and throws where something is wrong`

/** The call that does not return in these marks, as a mistake of the game's file. */
function stuckIn(calls: Int32Array, file: string): Wording {
  const part = partIn(calls)
  const worked = `has worked for ${CALL_MS / 1000} seconds`
  if (part === undefined)
    return `${file} never ends loading: what stands at its top, or in a file that it imports, ${worked}`
  const what = `${file}: ${part} does not return: it ${worked}`
  const luck = String.fromCodePoint(...calls.subarray(HEAD, HEAD + (calls[LENGTH] as number)))
  if (luck === '') return what
  const turn = calls[TURN] as number
  const where = turn === 0 ? 'at its beginning' : `in turn ${turn}`
  return message`${what} (${where}; ${isSeed ? message`${option('seed', luck)}` : `luck ${JSON.stringify(luck)}`})`
}

export class CallsWatch {
  private readonly marks: Int32Array
  private beat = -1
  private since = 0

  constructor(
    calls: SharedArrayBuffer,
    private readonly file: string,
    /** The ms that a thread has worked, by its number in the system. */
    private readonly worked: (thread: number) => number,
  ) {
    this.marks = new Int32Array(calls)
  }

  /** The mistake of a game whose call has not returned for too long; undefined: none. */
  look(): string | undefined {
    const beat = Atomics.load(this.marks, BEAT)
    const now = this.worked(this.marks[THREAD] as number)
    if (beat !== this.beat || this.marks[PART] === 0) {
      this.beat = beat
      this.since = now
    }
    return now - this.since > CALL_MS ? String(stuckIn(this.marks, this.file)) : undefined
  }

  /** The mistake of a game in whose call the thread has ended by itself; undefined: it ended outside of them. */
  ended(): string | undefined {
    return this.marks[PART] === 0 ? undefined : exitIn(this.marks, this.file)
  }
}

const NAME = 'agon.stuckGame'

/** The thread that watches the main thread. It needs nothing of agon's own. */
const WATCH = `
const { readFileSync } = require('node:fs')
const { Session } = require('node:inspector')
const { workerData: { calls, pid, name, look, most } } = require('node:worker_threads')
const marks = new Int32Array(calls)
const worked = () => {
  try {
    return Number(readFileSync('/proc/self/task/' + pid + '/schedstat', 'latin1').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}
let [last, since] = [-1, 0]
const timer = setInterval(() => {
  const beat = Atomics.load(marks, ${BEAT})
  if (beat !== last || marks[${PART}] === 0) {
    last = beat
    since = worked()
  } else if (worked() - since > most) {
    clearInterval(timer)
    const session = new Session()
    session.connectToMainThread()
    session.post('Runtime.evaluate', { expression: 'globalThis[Symbol.for(' + JSON.stringify(name) + ')]()' })
  }
}, look)
`

const STANDARD_ERROR = 2
let watched: string | undefined

function tell(text: Wording): void {
  const mistake = new GameMistake(text)
  // What stands in the stack is where the game was: nothing of that has thrown.
  mistake.stack = mistake.message
  process.emit('uncaughtException', mistake)
}

/**
 * Has a game file's calls watched, in the main thread: one that does not return is reported as an uncaught exception, a
 * GameMistake. Where the process has no handler for those, as with a library's user, nothing is done.
 */
export function watchGame(file: string): void {
  const known = watched
  watched = file
  if (!isMainThread || known !== undefined) return
  const report = (): void => {
    if (process.listenerCount('uncaughtException') === 0) return
    // Node would say there, last of all, that it waits for a debugger.
    process.once('exit', () => closeSync(STANDARD_ERROR))
    tell(stuckIn(marks, watched ?? file))
  }
  Object.defineProperty(globalThis, Symbol.for(NAME), { value: report, configurable: true })
  guardSurroundings()
  process.on('exit', (code) => {
    const call = marks[PART] as number
    if (call === 0 || OWN_CODES.has(code) || process.listenerCount('uncaughtException') === 0) return
    tell(exitIn(marks, watched ?? file))
  })
  const workerData = { calls: marks.buffer, pid: process.pid, name: NAME, look: LOOK_MS, most: CALL_MS }
  const watch = new Worker(WATCH, { eval: true, workerData })
  // Without the watching thread, the parent process ends a game that hangs.
  watch.on('error', () => undefined)
  watch.unref()
}

const TIMERS = ['setTimeout', 'setInterval', 'setImmediate'] as const

/**
 * What a game finds around it from now on. Its prints go to standard error, as standard output is agon's answer. A
 * timer throws: a game only answers, and agon would not end before a timer.
 */
function guardSurroundings(): void {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = ((...words: Parameters<typeof write>) =>
    marks[PART] === 0 ? write(...words) : stderr.write(...words)) as typeof stdout.write
  for (const name of TIMERS) {
    const timer = globalThis[name] as (...words: readonly unknown[]) => unknown
    const guarded = (...words: readonly unknown[]): unknown => {
      // A game is loaded while others go on: only the stack shows whose timer it is.
      const isGames = marks[PART] !== LOADING || /[?&]life=game/.test(new Error().stack ?? '')
      if (marks[PART] !== 0 && isGames)
        throw new Error(`${name} is called, and a game has no timers: it only answers when it is asked`)
      return timer(...words)
    }
    Object.defineProperty(globalThis, name, {
      value: Object.assign(guarded, timer),
      configurable: true,
      writable: true,
    })
  }
}
