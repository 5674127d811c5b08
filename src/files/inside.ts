import { normalize, sep } from 'node:path'

/** Whether a path is the folder or lies in it, by their texts. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Where every machine and every sandbox has the same programs, and nothing that is private. */
const PROGRAMS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64']

/** A link's text as it is kept where it leads to the system's programs, which each sandbox has; undefined: it leads elsewhere. */
export function systemTarget(target: string): string | undefined {
  const path = normalize(target)
  return PROGRAMS.some((folder) => isInside(folder, path)) ? path : undefined
}
