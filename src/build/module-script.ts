import { builtinModules, createRequire } from 'node:module'
import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import vm from 'node:vm'
import { type BotModule, messageOf } from '../core/index.js'
import { importFresh, isOwn, packageUrl } from '../contest/load-module.js'

/*
 * Theory of operation.
 *
 * Node keeps every module that was ever imported, so a module that is imported anew for each match fills the memory, and takes two
 * milliseconds each time. Instead it is read once, with all that it imports by a relative path, and made one function: to call it is
 * to load the module once more, with fresh variables, in the realm of the caller's choice. What is no longer referenced is freed.
 *
 * Modules that would not be the same as a script are none: those that are no ES modules, wait at their top level, ask where they lie,
 * load something later on, or import a package.
 */

/** Loads it in a context, absent: this one. Throws what the module throws. */
export type ModuleScript = (context?: vm.Context) => BotModule

export class NoScript extends Error {}

type Load = (module: { exports: BotModule }, exports: BotModule, require: (name: string) => unknown) => void

/** Reads a module. Throws NoScript where it can be none. */
export async function scriptOf(file: string): Promise<ModuleScript> {
  // A house bot's imports are loaded once, as where Node imports it.
  const own = isOwn(file)
  const { text, imports } = await bundled(file, own)
  const main = await importsOf(file, imports)
  const script = new vm.Script(`(function (module, exports, require) {'use strict';${text}\n})`, { filename: file })
  const require = (name: string): unknown => {
    if (!main.has(name)) throw new Error(`Cannot find module '${name}'`)
    return main.get(name)
  }
  let here: Load | undefined
  return (context) => {
    const module: { exports: BotModule } = { exports: {} }
    const run =
      context === undefined ? (here ??= script.runInThisContext() as Load) : (script.runInContext(context) as Load)
    run(module, module.exports, require)
    return module.exports
  }
}

const NO_MODULE = { module: 'undefined', exports: 'undefined', require: 'undefined' }

/** Files being read: esbuild is a process, which ends with the last. */
let reading = 0

async function bundled(
  file: string,
  own: boolean,
): Promise<{ readonly text: string; readonly imports: ReadonlySet<string> }> {
  const esbuild = await import('esbuild')
  reading++
  try {
    const { outputFiles, metafile, warnings } = await esbuild.build({
      absWorkingDir: dirname(file),
      entryPoints: [basename(file)],
      bundle: true,
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      external: own ? ['./*', '../*'] : undefined,
      define: NO_MODULE,
      // As tsx loads it alone: no file beside it says how.
      tsconfigRaw: {},
      logLevel: 'silent',
      metafile: true,
      write: false,
    })
    const [warning] = warnings
    if (warning !== undefined) throw new NoScript(warning.text)
    const sources = Object.values(metafile.inputs)
    if (sources.some(({ format }) => format !== 'esm')) throw new NoScript('not all of it are ES modules')
    const imports = sources.flatMap((source) => source.imports)
    if (imports.some(({ kind }) => kind !== 'import-statement')) throw new NoScript('it imports something later on')
    const [output] = outputFiles
    if (output === undefined) throw new NoScript('nothing came of it')
    return { text: output.text, imports: new Set(imports.flatMap(({ external, path }) => (external ? [path] : []))) }
  } catch (error) {
    throw error instanceof NoScript ? error : new NoScript(messageOf(error))
  } finally {
    if (--reading === 0) await esbuild.stop()
  }
}

/** What a module imports of Node and agon, and a house bot from files beside it. Throws NoScript for anything else. */
async function importsOf(file: string, names: ReadonlySet<string>): Promise<ReadonlyMap<string, unknown>> {
  const require = createRequire(import.meta.url)
  const found = new Map<string, unknown>()
  for (const name of names) {
    if (name === 'agon') found.set(name, await import(packageUrl()))
    else if (name.startsWith('node:') || builtinModules.includes(name)) found.set(name, require(name))
    else if (/^\.\.?\//.test(name)) found.set(name, await import(new URL(name, pathToFileURL(file)).href))
    else throw new NoScript(`it imports ${name}`)
  }
  return found
}

let imports = 0

/**
 * Loads a trusted module with fresh variables at each call. First Node imports it and says what is wrong; then it is a
 * script where it can be: an import is slower, and never freed.
 */
export function freshLoads(file: string): () => Promise<BotModule> {
  let imported = false
  let script: Promise<ModuleScript | undefined> | undefined
  return async () => {
    if (imported) {
      script ??= scriptOf(file).catch((error: unknown) => {
        if (!(error instanceof NoScript)) throw error
        return undefined
      })
      const load = await script
      if (load !== undefined) return load()
    }
    const module = (await importFresh(file, String(imports++))) as BotModule
    imported = true
    return module
  }
}
