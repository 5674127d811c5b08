import { Worker } from 'node:worker_threads'

/*
 * A thread watches whether this one still turns its loop, by a count that it raises. Where it has worked for half a second without, in a
 * game or a module whose call never returns or in long work of agon's own, the thread has it call a function in the middle of that,
 * as a debugger does. One that only waits for a core is not stuck.
 *
 * The thread receives the signals as well: one that came before this thread was known to be stuck would be lost. Where this
 * thread does not turn its loop soon after a signal, or still lives when it should have ended, the signal ends the process as it does
 * without a handler.
 *
 * The signals are received through process.binding('signal_wrap'), which Node has deprecated and not replaced: its public API gives signals to
 * the main thread alone, and that one is stuck. A native add-on or a program beside this one would have to be built for each machine. Where
 * the binding is gone, a signal ends a stuck agon only while its thread is known to be stuck.
 */

const NAME = 'agon.stuck'
const BEAT_MS = 100

/** How long this process may take, in milliseconds; Infinity: as long as it likes. */
export interface StuckLimits {
  /** To work without turning its loop, before a signal ends it. */
  readonly stuck: number
  /** To turn its loop after a signal. */
  readonly deaf: number
  /** To end after a signal, whatever it does. */
  readonly end: number
}
/** For verbs that run games, whose calls may never return. */
export const QUICK: StuckLimits = { stuck: 500, deaf: 900, end: 1900 }
/** For verbs that have matches to finish or to hand back. Where other programs have the cores, their loop turns late. */
export const PATIENT: StuckLimits = { stuck: Infinity, deaf: 20_000, end: Infinity }

/** The watching thread. It needs nothing of agon's own, and is one file less to load. */
const WATCH = `
const { readFileSync } = require('node:fs')
const { Session } = require('node:inspector')
const { constants } = require('node:os')
const { workerData: { beats, pid, name, signals, limits } } = require('node:worker_threads')
const LOOK_MS = 100
const LAST_MS = 300
const worked = () => {
  try {
    return Number(readFileSync('/proc/self/task/' + pid + '/schedstat', 'latin1').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}
let asked
let ending
const ears = []
const listen = () => {
  process.noDeprecation = true
  // Node lets its main thread alone say process.on('SIGINT'); what that is made of works in any.
  const { Signal } = process.binding('signal_wrap')
  for (const signal of signals) {
    const ear = new Signal()
    ear.onsignal = () => (asked ??= { signal, at: performance.now(), beat: Atomics.load(beats, 0) })
    if (ear.start(constants.signals[signal]) === 0) ears.push(ear)
  }
}
try {
  listen()
} catch {
  // A Node without it: only what comes while the main thread is known to be stuck ends it then.
}
let session
const interrupt = (then) => {
  if (session === undefined) {
    session = new Session()
    session.connectToMainThread()
  }
  session.post('Runtime.evaluate', { expression: 'globalThis[Symbol.for(' + JSON.stringify(name) + ')]()' }, then)
}
const close = (now) => {
  if (ending !== undefined) return now - ending > LAST_MS && process.kill(pid, 'SIGKILL')
  ending = now
  for (const ear of ears) ear.close()
  interrupt(() => process.kill(pid, asked.signal))
}
let last = -1
let since = worked()
setInterval(() => {
  const beat = Atomics.load(beats, 0)
  const now = performance.now()
  if (asked !== undefined) {
    const deaf = beat === asked.beat && now - asked.at > limits.deaf
    if (ending !== undefined || deaf || now - asked.at > limits.end) close(now)
  }
  if (beat !== last) {
    last = beat
    since = worked()
    if (ending === undefined) {
      session?.disconnect()
      session = undefined
    }
  } else if (session === undefined && worked() - since > limits.stuck) interrupt(() => undefined)
}, LOOK_MS)
`

/**
 * Has a function called, in the middle of whatever this thread does, each time that it is stuck, and ends the process soon after one
 * of these signals. For the main thread, once. Gives what ends the watch.
 */
export function onceStuck(signals: readonly NodeJS.Signals[], call: () => void, limits: StuckLimits): () => void {
  Object.defineProperty(globalThis, Symbol.for(NAME), { value: call, configurable: true })
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const beating = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref()
  const workerData = { beats, pid: process.pid, name: NAME, signals, limits }
  const watch = new Worker(WATCH, { eval: true, workerData })
  // Where it cannot be had, signals are received as soon as this thread listens.
  watch.on('error', () => undefined)
  watch.unref()
  return () => {
    clearInterval(beating)
    void watch.terminate()
  }
}
