import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BotParameters } from '../core/index.js'

export interface Runner {
  readonly argv: readonly string[]
  /** Of the host, what it reads: agon's own code and its packages, and nothing else that may lie beside them. */
  readonly reads: readonly string[]
}

/** The package's root: its sources or what was compiled of them lie in a folder of it. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '')
const fromSource = import.meta.url.endsWith('.ts')

/** `given`: the parameters of the module, where it is given any. */
export function runnerOf(file: string, given?: BotParameters): Runner {
  const tsx = fileURLToPath(import.meta.resolve('tsx'))
  const packages = tsx.slice(0, tsx.lastIndexOf('/node_modules/') + '/node_modules'.length)
  const program = join(dirname(fileURLToPath(import.meta.url)), fromSource ? 'runner.ts' : '../bundle/runner.js')
  return {
    argv: [
      process.execPath,
      ...(fromSource ? ['--import', import.meta.resolve('tsx')] : []),
      program,
      file,
      ...(given === undefined ? [] : [JSON.stringify(given)]),
    ],
    reads: [join(ROOT, fromSource ? 'src' : 'dist'), join(ROOT, 'package.json'), packages],
  }
}
