import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const tsc = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin/tsc')

/** What the compiler prints of these files in a folder, as strict as it can be; `types`: the packages of global types. */
export function strictErrors(folder: string, files: readonly string[], types = ''): readonly [string, number | null] {
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
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
