import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const tsc = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin/tsc')

/**
 * What the compiler prints of these files in a folder, as strict as it can be; `types`: the packages of global types; `all`: also of the declarations
 * that they reach.
 */
export function strictErrors(
  folder: string,
  files: readonly string[],
  types = '',
  all = false,
): readonly [string, number | null] {
  const options = [
    '--noEmit',
    '--strict',
    ...(all ? ['--lib', 'es2022'] : ['--skipLibCheck']),
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--types',
    types,
  ]
  const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, ...options, ...files], {
    cwd: folder,
    encoding: 'utf8',
  })
  return [stdout + stderr, status]
}
