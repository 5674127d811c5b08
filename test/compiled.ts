import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vitest/config'

const ROOT = join(import.meta.dirname, '..')
/** Where the programs are started that agon runs in threads and in sandboxes. */
const STARTED = ['src/files/thread.ts', 'src/build/start-command.ts']
const FROM_SOURCE = "import.meta.url.endsWith('.ts')"

/** When a file below a folder, that no test is, was last written; milliseconds. */
function written(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const times = files.filter((file) => !/\.test\.tsx?$/.test(file)).map((file) => statSync(join(folder, file)).mtimeMs)
  return Math.max(...times)
}

/** Whether `npm run build` has run since a source was written. */
function isBuilt(): boolean {
  const built = statSync(join(ROOT, 'dist/bundle/worker.js'), { throwIfNoEntry: false })
  return built !== undefined && built.mtimeMs > written(join(ROOT, 'src'))
}

/**
 * Tests start threads and sandboxed programs as they were built, where they are as new as the sources: to load the sources takes each of
 * hundreds a second. Where they are not, all is loaded from the sources, as without this.
 */
export function compiledPrograms(): Plugin {
  const built = isBuilt()
  return {
    name: 'compiled programs',
    enforce: 'pre',
    transform(code, id) {
      const file = STARTED.find((one) => id === join(ROOT, one))
      if (!built || file === undefined) return undefined
      const up = '../'.repeat(file.split('/').length - 1)
      const replaced = code.replace(FROM_SOURCE, 'false').replace(/(['`])[./]*\/bundle\//, `$1${up}dist/bundle/`)
      if (replaced.includes(FROM_SOURCE) || !replaced.includes(`${up}dist/bundle/`))
        throw new Error(`${file} does not start its program as test/compiled.ts expects`)
      return replaced
    },
  }
}
