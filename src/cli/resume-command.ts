import { type RunOptions, ASKED } from '../app/run/options.js'
import { withoutPassword } from '../app/workspace.js'
import type { StoreFlags } from './options.js'
import { joinCommand } from '../app/contest-words.js'

/** Flags whose names differ from their options'. */
const FLAGS: Partial<Record<keyof RunOptions, string>> = { noIsolation: 'unsafe-no-isolation' }

/** The command that resumes a run: with all options again that decide what is played. */
export function resumeCommand(
  ref: string,
  { only, against, workspace, store, ...wished }: RunOptions & StoreFlags,
  out: string,
): string {
  const words = ['agon', 'run', ref]
  if (only !== undefined) words.push('--only', only.join(','))
  if (against !== undefined) words.push('--against', against.join(','))
  for (const name of ASKED) {
    const value = wished[name]
    if (value === undefined || value === false) continue
    words.push(`--${FLAGS[name] ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
    if (value !== true) words.push(String(value))
  }
  if (workspace !== undefined) words.push('--workspace', workspace)
  if (store !== undefined) words.push('--store', withoutPassword(store))
  return joinCommand([...words, '--resume', '--out', out])
}
