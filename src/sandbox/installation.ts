import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { homeFolder, isInside, kindOf, namesIn, realPath } from '../files/index.js'

/** What programs of an installation need of the folder that it lies in; nothing else of it is shown. */
const NEEDED = /^(?:bin|lib\w*|include|share|pyvenv\.cfg)$/

/**
 * What a sandbox shows of the installation that a program outside /usr belongs to, as paths. Where libraries lie beside its `bin`,
 * these and what goes with them; of a user's home, `.local`, or a folder that holds homes, the program alone.
 */
export function installationOf(program: string): string[] {
  const prefix = dirname(dirname(program))
  const isPrefix = basename(dirname(program)) === 'bin' && kindOf(join(prefix, 'lib')) === 'folder'
  if (!isPrefix || isHome(prefix)) return [program]
  const names = namesIn(prefix)
  // Java reads its settings there at each start.
  const isJava = names.includes('release') && kindOf(join(prefix, 'lib', 'modules')) === 'file'
  return names
    .filter((name) => NEEDED.test(name) || (isJava && name === 'conf'))
    .map((name) => join(prefix, name))
    .filter((path) => kindOf(path) !== undefined)
}

/** Whether a folder holds more than an installation: a person's own files. */
function isHome(prefix: string): boolean {
  const real = realPath(prefix) ?? prefix
  const homes = [homedir(), homeFolder(), '/root'].flatMap((home) => [home, realPath(home) ?? home])
  return [prefix, real].some(
    (folder) =>
      basename(folder) === '.local' ||
      dirname(folder) === '/home' ||
      homes.some((home) => isInside(folder, home) || folder === join(home, '.local')),
  )
}
