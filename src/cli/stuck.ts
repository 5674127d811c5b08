import { Worker } from 'node:worker_threads'

/*
 * A thread watches whether this one still turns its loop, by a count that it raises. Where it has worked for half a second without, in a
 * game or a module whose call never returns or in long work of agon's own, the thread has it call a function in the middle of that,
 * as a debugger does. One that only waits for a core is not stuck. A signal that came before is lost: Node gives signals to the main thread alone,
 * and the next one ends the process.
 */

const NAME = 'agon.stuck'
const BEAT_MS = 100
/** Milliseconds that this process may work without turning its loop, before a signal ends it. */
const STUCK_MS = 500

/** The watching thread. It needs nothing of agon's own, and is one file less to load. */
const WATCH = `
const { readFileSync } = require('node:fs')
const { Session } = require('node:inspector')
const { workerData: { beats, pid, name, limit } } = require('node:worker_threads')
const LOOK_MS = 100
const worked = () => {
  try {
    return Number(readFileSync('/proc/self/task/' + pid + '/schedstat', 'latin1').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}
let session
const interrupt = () => {
  session = new Session()
  session.connectToMainThread()
  session.post('Runtime.evaluate', { expression: 'globalThis[Symbol.for(' + JSON.stringify(name) + ')]()' }, () => undefined)
}
let last = -1
let since = worked()
setInterval(() => {
  const beat = Atomics.load(beats, 0)
  if (beat !== last) {
    last = beat
    since = worked()
    session?.disconnect()
    session = undefined
  } else if (session === undefined && worked() - since > limit) interrupt()
}, LOOK_MS)
`

/**
 * Has a function called, in the middle of whatever this thread does, each time that it is stuck. For the main thread, once. Gives what ends the
 * watch.
 */
export function onceStuck(call: () => void): () => void {
  Object.defineProperty(globalThis, Symbol.for(NAME), { value: call, configurable: true })
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const beating = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref()
  const workerData = { beats, pid: process.pid, name: NAME, limit: STUCK_MS }
  const watch = new Worker(WATCH, { eval: true, workerData })
  // Where it cannot be had, signals are received once this thread turns its loop.
  watch.on('error', () => undefined)
  watch.unref()
  return () => {
    clearInterval(beating)
    void watch.terminate()
  }
}
