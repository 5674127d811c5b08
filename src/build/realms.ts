import { builtinModules, createRequire } from 'node:module'
import { basename, dirname } from 'node:path'
import vm from 'node:vm'
import { type Bot, type BotModule, type BotParameters, botOf, messageOf } from '../core/index.js'
import { packageUrl } from '../contest/load-module.js'

/*
 * Theory of operation.
 *
 * A module that is loaded afresh for each match would be a process, or a copy in Node's cache of modules that is never freed. Instead
 * it is read once, with all that it imports by a relative path, made one script, and run in a new realm for each life: a context of
 * its own with its own globals, prototypes and variables. That takes half a millisecond, and a realm that nobody holds is freed.
 * What belongs to the process (files, `process`, Node's own modules) is the same in all realms. A realm keeps lives apart that do
 * nothing about it; it is no wall against a bot that wants to remember.
 *
 * Modules that would not be the same as a script have no realms: those that are no ES modules, wait at their top level, ask where
 * they lie, load something later on, or import a package.
 */

/** A life of a bot. */
export interface Realm {
  readonly bot: Bot<unknown, string>
  /** JSON as an object of this realm. */
  readonly parse: (text: string) => unknown
  /** Stops what it had set to run later. */
  readonly close: () => void
}

/** Opens realms of one module. */
export interface Realms {
  /** Throws what the module throws, and a TypeError where it has no function as its default export. */
  open(): Realm
}

/** Why a module can have no realms, in words. */
export class NoRealms extends Error {}

/** Reads a module. Throws NoRealms where it can have none. */
export async function realmsOf(file: string, given: BotParameters = {}): Promise<Realms> {
  const { text, imports } = await bundled(file)
  const main = await importsOf(imports)
  const script = new vm.Script(`(function (module, exports, require) {'use strict';${text}\n})`, { filename: file })
  const require = (name: string): unknown => {
    if (!main.has(name)) throw new Error(`Cannot find module '${name}'`)
    return main.get(name)
  }
  return { open: () => openRealm(script, require, given) }
}

async function bundled(file: string): Promise<{ readonly text: string; readonly imports: ReadonlySet<string> }> {
  const esbuild = await import('esbuild')
  try {
    const { outputFiles, metafile, warnings } = await esbuild.build({
      absWorkingDir: dirname(file),
      entryPoints: [basename(file)],
      bundle: true,
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      // As tsx loads it alone: no file beside it says how it is read.
      tsconfigRaw: {},
      logLevel: 'silent',
      metafile: true,
      write: false,
    })
    const [warning] = warnings
    if (warning !== undefined) throw new NoRealms(warning.text)
    const sources = Object.values(metafile.inputs)
    if (sources.some(({ format }) => format !== 'esm')) throw new NoRealms('not all of it are ES modules')
    const imports = sources.flatMap((source) => source.imports)
    if (imports.some(({ kind }) => kind !== 'import-statement')) throw new NoRealms('it imports something later on')
    const [output] = outputFiles
    if (output === undefined) throw new NoRealms('nothing came of it')
    return { text: output.text, imports: new Set(imports.flatMap(({ external, path }) => (external ? [path] : []))) }
  } catch (error) {
    throw error instanceof NoRealms ? error : new NoRealms(messageOf(error))
  } finally {
    await esbuild.stop()
  }
}

/** What a module imports of Node and agon. Throws NoRealms for anything else. */
async function importsOf(names: ReadonlySet<string>): Promise<ReadonlyMap<string, unknown>> {
  const require = createRequire(import.meta.url)
  const found = new Map<string, unknown>()
  for (const name of names) {
    if (name === 'agon') found.set(name, await import(packageUrl()))
    else if (name.startsWith('node:') || builtinModules.includes(name)) found.set(name, require(name))
    else throw new NoRealms(`it imports ${name}`)
  }
  return found
}

const PARSE = new vm.Script('JSON.parse')

function openRealm(script: vm.Script, require: (name: string) => unknown, given: BotParameters): Realm {
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY)
  const timers = new Timers()
  Object.defineProperties(context, globals())
  Object.assign(context, timers.functions)
  Object.defineProperty(context, 'global', { value: context, configurable: true, writable: true })
  const module: { exports: BotModule } = { exports: {} }
  const run = script.runInContext(context) as (...words: unknown[]) => void
  run(module, module.exports, require)
  return {
    bot: botOf(module.exports, given),
    parse: PARSE.runInContext(context) as (text: string) => unknown,
    close: () => timers.clear(),
  }
}

let lent: PropertyDescriptorMap | undefined

/** What Node adds to a context's own globals: they are the process's, read when a bot first asks for them. */
function globals(): PropertyDescriptorMap {
  if (lent !== undefined) return lent
  const own = new Set(Object.getOwnPropertyNames(vm.createContext(vm.constants.DONT_CONTEXTIFY)))
  const names = Object.getOwnPropertyNames(globalThis).filter((name) => !own.has(name))
  // A context has a console that nobody reads.
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
class Timers {
  private readonly running = new Set<NodeJS.Timeout | NodeJS.Immediate>()

  readonly functions = {
    setTimeout: (then: Callback, ms?: number, ...words: unknown[]) => this.keep(setTimeout(then, ms, ...words)),
    setInterval: (then: Callback, ms?: number, ...words: unknown[]) => this.keep(setInterval(then, ms, ...words)),
    setImmediate: (then: Callback, ...words: unknown[]) => this.keep(setImmediate(then, ...words)),
  }

  clear(): void {
    for (const timer of this.running) {
      if ('refresh' in timer) clearTimeout(timer)
      else clearImmediate(timer)
    }
  }

  private keep<T extends NodeJS.Timeout | NodeJS.Immediate>(timer: T): T {
    this.running.add(timer)
    return timer
  }
}
type Callback = (...words: unknown[]) => void
