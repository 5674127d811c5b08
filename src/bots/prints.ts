import { AsyncLocalStorage } from 'node:async_hooks'
import { Console } from 'node:console'
import { Writable } from 'node:stream'
import type { ErrorSink } from '../sandbox/index.js'

/** Whose module is at work, through all that it waits for, also while others are called. */
const atWork = new AsyncLocalStorage<ErrorSink>()

const sink = new Writable({
  write: (chunk: Buffer, _encoding, done) => {
    atWork.getStore()?.add(chunk)
    done()
  },
})
const ofBots = new Console({ stdout: sink, stderr: sink })
let listening = false

/** A module's `console` output is kept like a program's standard error, so that agon's results stay whole. */
function listen(): void {
  if (listening) return
  listening = true
  const own = globalThis.console
  globalThis.console = new Proxy(own, {
    get: (_target, key): unknown => Reflect.get(atWork.getStore() === undefined ? own : ofBots, key) as unknown,
  })
}

/** Calls a bot, or loads its module; what it prints then, or later because of it, goes to `log`. */
export function printsOf<Args extends unknown[], T>(log: ErrorSink, call: (...args: Args) => T, ...args: Args): T {
  listen()
  return atWork.run(log, call, ...args)
}
