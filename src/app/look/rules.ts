import { join } from 'node:path'
import { type GameDefinition, UserError } from '../../core/index.js'
import { gameFolder } from '../../contest/index.js'
import { readPlain } from '../../files/index.js'

const MOST_BYTES = 1024 ** 2

/** A game's rules in Markdown: what it says itself, else RULES.md beside its file; undefined where it has none. */
export function rulesOf(definition: GameDefinition): string | undefined {
  return definition.rules ?? readPlain(join(gameFolder(definition), 'RULES.md'), MOST_BYTES)?.toString('utf8')
}

/** The same. Throws UserError where there are none. */
export function rulesNamed(definition: GameDefinition): string {
  const rules = rulesOf(definition)
  if (rules === undefined)
    throw new UserError(`${definition.game.id} has no rules to print: put a RULES.md beside the game's file`)
  return rules
}
