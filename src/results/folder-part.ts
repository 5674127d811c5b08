import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { UserError, parseStrange } from '../core/index.js'
import { readPlain } from '../files/index.js'

/*
 * A results folder may be a stranger's. What lies in it under the name of one of its files may be a link to a file of this user's, whose
 * words a message would quote, or a pipe or a device, which has no end.
 */

/** Bytes of a document of a run at most; the largest fields need a hundredth. */
const MOST = 2 ** 28

/** The text of one of a results folder's files. Throws UserError for what is no plain file, or is too large. */
export function partText(file: string): string {
  const { size } = statOf(file)
  if (size > MOST) throw new UserError(`${file}: it has more than ${MOST} bytes, which no run's has`)
  const text = readPlain(file, MOST)?.toString()
  if (text === undefined) throw new UserError(`${file}: it cannot be read`)
  return text
}

/** The size of one of a results folder's files. Throws UserError for what is no plain file. */
export const partSize = (file: string): number => statOf(file).size

function statOf(file: string): { readonly size: number } {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) throw new UserError(`there is no ${file}`)
  if (!stat.isFile())
    throw new UserError(`${file}: this is no plain file; a results folder has no links, pipes or devices`)
  return stat
}

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
