import { join } from 'node:path'
import { partText } from '../archive/folder-part.js'
import { parseStrange } from '../core/index.js'

/** The file of the game that an archive's contest was played with, as its contest.json has it: to be named, not to be run. */
export function playedWith(folder: string): string | undefined {
  try {
    const facts: unknown = parseStrange(partText(join(folder, 'contest.json')))
    const file: unknown =
      typeof facts === 'object' && facts !== null && 'gameFile' in facts ? facts.gameFile : undefined
    return typeof file === 'string' ? file : undefined
  } catch {
    // There is none, or it is not what agon wrote: then it shows nothing.
    return undefined
  }
}
