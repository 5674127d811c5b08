import type { Mention } from '../core/index.js'

/** An option of a message as it is written on the command line: `--max-faults`, `--matches 8`. */
export function flagOf({ option, value }: Mention): string {
  const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  return value === undefined ? flag : `${flag} ${value}`
}
