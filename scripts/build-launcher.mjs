// Compiles the sandboxes' launcher into dist, where there is a C compiler; where there is none, agon looks again when it needs it.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPILERS, compilerArguments, launcherSources } from '../dist/sandbox/launcher.js'

const folder = fileURLToPath(new URL('../dist/sandbox/launcher', import.meta.url))
const [program, made] = [`launcher-${process.arch}`, '.launcher'].map((name) => join(folder, name))
// The flags are part of what it is made of.
const sources = [...launcherSources(), fileURLToPath(new URL('../src/sandbox/launcher.ts', import.meta.url))]
const isOlder = (file) => statSync(program).mtimeMs > statSync(file).mtimeMs

/** Warnings are errors; the warnings that another compiler knows besides are printed, and it compiles nevertheless. */
const STRICT = ['-Wall', '-Wextra', '-Werror']
const compile = ([compiler, ...options], ...warnings) =>
  spawnSync(compiler, compilerArguments([...options, ...warnings], made), { encoding: 'utf8' })

/** What compilers that are here said of sources that they cannot compile. */
const errors = []

/** Whether a compiler can make it; tells what it warns of. */
function builds(command) {
  const strict = compile(command, ...STRICT)
  if (strict.status === 0) return true
  if (strict.error !== undefined) return false
  const plain = compile(command)
  if (plain.status !== 0) {
    errors.push(`${command.join(' ')}:\n${plain.stderr}`)
    return false
  }
  console.warn(`${command.join(' ')} warns:\n${strict.stderr}`)
  return true
}

if (process.platform === 'linux' && !(existsSync(program) && sources.every(isOlder))) {
  if (COMPILERS.some(builds)) {
    chmodSync(made, 0o755)
    renameSync(made, program)
  } else if (errors.length > 0) {
    console.error(`the launcher does not compile\n${errors.at(-1)}`)
    process.exitCode = 1
  } else console.log('no C compiler: agon builds its launcher when it first needs it')
}
