import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs'

/*
 * What the host names itself (a contest file, an argument of the command line, a folder in PATH) is looked at as its links lead.
 */

/** What lies there. Undefined: nothing. */
export function kindOf(path: string): 'file' | 'folder' | 'other' | undefined {
  try {
    const stat = statSync(path)
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other'
  } catch {
    return undefined
  }
}

/** The names in a folder; none where it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return existsSync(folder) ? readdirSync(folder).sort() : []
  } catch {
    return []
  }
}

/** A file that may be started. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** The path without links; undefined: there is nothing. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
