import type { Spell } from '../core/index.js'

/** Spells an option in a message as people of a site know it: a field of their request. Commands are agon's own, on their machine. */
export const fieldOf: Spell = (named) => {
  if ('command' in named) return `agon ${named.command}`
  return named.value === undefined ? `the field ${named.option}` : `the field ${named.option}: ${named.value}`
}
