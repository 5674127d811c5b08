import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError, message } from '../../core/index.js'

/*
 * The clients of a server are not installed with agon: most hosts need none, and pg-boss asks for a newer Node. They are no optional peers either:
 * in a checkout, npm would not install such a package even when asked to.
 */
const PACKAGES = ['pg@8.23.1', 'pg-boss@12.35.0'] as const

const ROOT = fileURLToPath(new URL('../../../', import.meta.url)).replace(/[\\/]$/, '')

/** Throws UserError, with the install command, where the clients' packages are missing. `where`: the server. */
export function requireClient(where: string): void {
  const { resolve } = createRequire(import.meta.url)
  try {
    for (const name of PACKAGES) resolve(name.slice(0, name.indexOf('@')))
  } catch {
    throw new UserError(message`${where} needs packages that are not installed with agon: ${installLine(ROOT)}`)
  }
}

/**
 * The command that installs packages where the agon in the folder `root` finds them: in its checkout, the project that it is installed in, or
 * the folder of global packages.
 */
export function installLine(root: string): string {
  const line = (at: string, ...words: readonly string[]): string =>
    ['npm install', ...PACKAGES, ...words, `--prefix=${/^[\w./:@+-]+$/.test(at) ? at : JSON.stringify(at)}`].join(' ')
  // A checkout's own package.json and lock file stay as they are.
  if (basename(dirname(root)) !== 'node_modules') return line(root, '--no-save')
  const project = dirname(dirname(root))
  if (existsSync(join(project, 'package.json'))) return line(project)
  return line(basename(project) === 'lib' ? dirname(project) : project, '--global')
}
