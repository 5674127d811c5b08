import { type Spell, command, message, option, spelled, visible } from '../core/index.js'
import type { CheckedStore } from '../store/index.js'
import { counted } from '../text/index.js'

/** The findings of a check of a store, for people: each with its remedy in a line of its own; commands and options as `spell` writes them. */
export function checkStoreText({ file, runs, matches, findings, copy }: CheckedStore, spell?: Spell): string {
  const looked = `${counted(runs, 'run')}, ${counted(matches, 'match', 'matches')}`
  if (findings.length === 0) return `${file}: whole (${looked})`
  const remedy =
    copy === undefined
      ? spelled(
          message`${command('store check')} ${option('mend')} mends what can be computed again, or put a copy of the file back`,
          spell,
        )
      : 'put a copy of the file back, or import an archive'
  const lines = findings.map(({ what, mended }) => visible(`${file}: ${what}${mended ? ' (mended)' : `: ${remedy}`}`))
  const kept = copy === undefined ? [] : [`${copy} is the file as it was`]
  return [...lines, `${counted(findings.length, 'damage')} found (${looked})`, ...kept].join('\n')
}
