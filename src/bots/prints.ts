import { Console } from 'node:console'
import { Writable } from 'node:stream'
import type { StderrTail } from '../sandbox/index.js'

/** The bot that is being called at this moment. */
let called: StderrTail | undefined
/** Bots whose module is being loaded, or whose promise is awaited: the last of them is taken for who prints in between. */
const awaited: StderrTail[] = []

const sink = new Writable({
  write: (chunk: Buffer, _encoding, done) => {
    ;(called ?? awaited.at(-1))?.add(chunk)
    done()
  },
})
const ofBots = new Console({ stdout: sink, stderr: sink })
let listening = false

/**
 * What a bot's module prints by `console` is kept like the standard error of a program: it shares a process with agon, whose
 * results must stay whole. While no bot is at work the console is what it was.
 */
function listen(): void {
  if (listening) return
  listening = true
  const own = globalThis.console
  globalThis.console = new Proxy(own, {
    get: (_target, key): unknown =>
      Reflect.get((called ?? awaited.at(-1)) === undefined ? own : ofBots, key) as unknown,
  })
}

/** Calls a bot; what it prints until it returns goes to `log`. */
export function printsOf<T>(log: StderrTail, call: () => T): T {
  listen()
  const before = called
  called = log
  try {
    return call()
  } finally {
    called = before
  }
}

/** Waits for a bot, as while its module is loaded; what nobody else is known to print meanwhile goes to `log`. */
export async function printsMeanwhile<T>(log: StderrTail, work: Promise<T>): Promise<T> {
  listen()
  awaited.push(log)
  try {
    return await work
  } finally {
    awaited.splice(awaited.lastIndexOf(log), 1)
  }
}
