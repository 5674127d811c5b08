import vm from 'node:vm'
import { type Bot, type BotParameters, botOf } from '../core/index.js'
import { type ModuleScript, scriptOf } from './module-script.js'

/*
 * Theory of operation.
 *
 * A stranger's module that is loaded afresh for each match would be a process. Instead it is made one script (module-script.ts), and
 * run in a new realm for each life: a context of its own with its own globals, prototypes and variables. That takes half a millisecond,
 * and a realm without references is freed.
 * What belongs to the process (files, `process`, Node's own modules) is the same in all realms. A realm keeps lives apart that do
 * nothing about it; it is no wall against a bot that wants to remember.
 */

export interface Realm {
  readonly bot: Bot<unknown, string>
  /** JSON as an object of this realm. */
  readonly parse: (text: string) => unknown
  /** Stops what it had set to run later. */
  readonly close: () => void
}

/**
 * Reads a module, and gives what opens its realms. Throws NoScript if it can have none; opening throws what the module
 * throws, or TypeError without a function as default export.
 */
export async function realmsOf(file: string, given: BotParameters = {}): Promise<() => Realm> {
  const script = await scriptOf(file)
  return () => openRealm(script, given)
}

const PARSE = new vm.Script('JSON.parse')

function openRealm(script: ModuleScript, given: BotParameters): Realm {
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY)
  const timers = timersOfRealm()
  Object.defineProperties(context, globals())
  Object.assign(context, timers.functions)
  Object.defineProperty(context, 'global', { value: context, configurable: true, writable: true })
  return {
    bot: botOf(script(context), given),
    parse: PARSE.runInContext(context) as (text: string) => unknown,
    close: () => timers.clear(),
  }
}

let lent: PropertyDescriptorMap | undefined

/** Node's additions to a context's globals: the process's, read when a bot first asks. */
function globals(): PropertyDescriptorMap {
  if (lent !== undefined) return lent
  const own = new Set(Object.getOwnPropertyNames(vm.createContext(vm.constants.DONT_CONTEXTIFY)))
  const names = Object.getOwnPropertyNames(globalThis).filter((name) => !own.has(name))
  // A context has its own console, whose output goes nowhere.
  const all = [...names, 'console'].map((name) => [name, shared(name)] as const)
  return (lent = Object.fromEntries(all))
}

function shared(name: string): PropertyDescriptor {
  return {
    configurable: true,
    get: () => (globalThis as Readonly<Record<string, unknown>>)[name],
    set(this: object, value: unknown) {
      Object.defineProperty(this, name, { value, configurable: true, writable: true, enumerable: true })
    },
  }
}

/** The timers of a realm: none of them outlives it. */
function timersOfRealm() {
  const running = new Set<NodeJS.Timeout | NodeJS.Immediate>()
  const kept = <T extends NodeJS.Timeout | NodeJS.Immediate>(timer: T): T => {
    running.add(timer)
    return timer
  }
  return {
    functions: {
      setTimeout: (then: Callback, ms?: number, ...words: unknown[]) => kept(setTimeout(then, ms, ...words)),
      setInterval: (then: Callback, ms?: number, ...words: unknown[]) => kept(setInterval(then, ms, ...words)),
      setImmediate: (then: Callback, ...words: unknown[]) => kept(setImmediate(then, ...words)),
    },
    clear() {
      for (const timer of running) {
        if ('refresh' in timer) clearTimeout(timer)
        else clearImmediate(timer)
      }
    },
  }
}
type Callback = (...words: unknown[]) => void
