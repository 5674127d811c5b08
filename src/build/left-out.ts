import { reserve } from '../files/index.js'

/** Names that are never source, wherever they lie. */
export const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.agon', 'agon-results', '__pycache__'])

/** Nothing of a workspace is an entrant's source, also where an entry lies beside what agon keeps in it. */
export function reserveWorkspace(folder: string): void {
  reserve(folder, ['agon.db', 'site.db', 'entrants', 'rooms', 'toolchains.json'])
}
