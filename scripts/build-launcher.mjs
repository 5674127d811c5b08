// Compiles the cells' launcher into dist, where there is a C compiler; where there is none, agon looks again when it needs it.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPILERS } from '../dist/sandbox/launcher.js'

const folder = fileURLToPath(new URL('../dist/sandbox/launcher', import.meta.url))
const [source, clock, calls, program, made] = [
  'launcher.c',
  'clock.h',
  'calls.h',
  `launcher-${process.arch}`,
  '.launcher',
].map((name) => join(folder, name))
const isOlder = (file) => statSync(program).mtimeMs > statSync(file).mtimeMs

if (process.platform === 'linux' && !(existsSync(program) && [source, clock, calls].every(isOlder))) {
  const compiled = COMPILERS.some(
    ([compiler, ...options]) => spawnSync(compiler, [...options, '-o', made, source]).status === 0,
  )
  if (compiled) {
    chmodSync(made, 0o755)
    renameSync(made, program)
  } else console.log('no C compiler: agon builds its launcher when it first needs it')
}
