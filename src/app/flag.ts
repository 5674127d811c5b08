import type { Spell } from '../core/index.js'

/** An option as it is written on the command line: `--max-faults`. */
export const flagNamed = (option: string): string =>
  `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** What a message names, as it is written on the command line: `--max-faults`, `--matches 8`, `agon runs`. */
export const flagOf: Spell = (named) => {
  if ('command' in named) return `agon ${named.command}`
  return [flagNamed(named.option), ...(named.value === undefined ? [] : [named.value])].join(' ')
}
