import type { Spell } from '../core/index.js'

/** What a message names, as it is written on the command line: `--max-faults`, `--matches 8`, `agon runs`. */
export const flagOf: Spell = (named) => {
  if ('command' in named) return `agon ${named.command}`
  const flag = `--${named.option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  return named.value === undefined ? flag : `${flag} ${named.value}`
}
