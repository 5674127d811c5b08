import type { Spell } from '../core/index.js'

/** An option as it is written on the command line: `--max-faults`. */
export const flagNamed = (option: string): string =>
  `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** What a message names, as it is written on the command line: `--max-faults`, `--matches 8`, `agon runs`. */
export const flagOf: Spell = (named) => {
  if ('command' in named) return `agon ${named.command}`
  return [flagNamed(named.option), ...(named.value === undefined ? [] : [named.value])].join(' ')
}

/**
 * Spells an option in a message as people of a site know it: a field of their form, or a limit of their contest. What no request has is
 * for the site's host to give, on the command line, and so are commands.
 */
export const fieldOf: Spell = (named) => {
  if ('command' in named) return flagOf(named)
  const { option, value } = named
  if (option === 'wire') return value === undefined ? 'the field wire' : `the field wire: ${value}`
  if (option === 'limit') return `the contest's limit${value === undefined ? '' : ` ${value}`}`
  return flagOf(named)
}
