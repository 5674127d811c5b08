import type { Spell } from '../core/index.js'

/** What a message names, as people of a site know it: a field of what they send. Commands are agon's own, on their machine. */
export const fieldOf: Spell = (named) => {
  if ('command' in named) return `agon ${named.command}`
  return named.value === undefined ? `the field ${named.option}` : `the field ${named.option}: ${named.value}`
}
